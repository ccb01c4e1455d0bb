#include "video/frame_writer.h"

#include <sys/resource.h>

#include <QtTest>
#include <csignal>
#include <filesystem>
#include <opencv2/imgcodecs.hpp>

#include "base/error.h"
#include "support/errors.h"
#include "video/frame_reader.h"

using namespace attnscope;
namespace fs = std::filesystem;

// While it lives no file may grow over `bytes`, as on a full disk.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    ::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit small{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
  }
  ~FullDisk() { ::setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_{};
};

class TestFrameWriter : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  std::string at(const std::string& name) const { return folder_.filePath(QString::fromStdString(name)).toStdString(); }

  static Image noise(int width, int height) {
    Image image{width, height, {}};
    uint32_t state = 1;
    for (int i = 0; i < width * height * 3; ++i)
      image.rgb.push_back(static_cast<uint8_t>((state = state * 1664525 + 1013904223) >> 24));
    return image;
  }

  static Image plain(int width, int height, uint8_t r, uint8_t g, uint8_t b) {
    Image image{width, height, {}};
    for (int i = 0; i < width * height; ++i) image.rgb.insert(image.rgb.end(), {r, g, b});
    return image;
  }

  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_.path().toStdString()), {}));
  }

 private Q_SLOTS:
  void cleanup() {
    for (const auto& entry : fs::directory_iterator(folder_.path().toStdString())) fs::remove_all(entry);
  }

  void png_is_lossless_rgb() {
    const Image image = noise(33, 21);
    write_png(at("a.png"), image);
    QCOMPARE(read_picture(at("a.png")).rgb, image.rgb);
    write_png(at("a.png"), plain(4, 4, 1, 2, 3));  // over an old one
    const cv::Mat stored = cv::imread(at("a.png"), cv::IMREAD_UNCHANGED);
    QCOMPARE(stored.type(), CV_8UC3);
    QVERIFY(stored.at<cv::Vec3b>(0, 0) == cv::Vec3b(3, 2, 1));
    QCOMPARE(files(), std::size_t{1});
  }

  void png16_keeps_sixteen_bits() {
    write_png16(at("g.png"), {3, 2, {0, 1, 256, 257, 40000, 65535}});
    const cv::Mat stored = cv::imread(at("g.png"), cv::IMREAD_UNCHANGED);
    QCOMPARE(stored.type(), CV_16UC1);
    QCOMPARE(stored.cols, 3);
    QCOMPARE(int{stored.at<uint16_t>(0, 2)}, 256);
    QCOMPARE(int{stored.at<uint16_t>(1, 0)}, 257);
    QCOMPARE(int{stored.at<uint16_t>(1, 2)}, 65535);
  }

  void video_reads_back() {
    std::vector<Image> frames;
    for (int i = 0; i < 9; ++i) frames.push_back(plain(48, 32, 200, static_cast<uint8_t>(20 * i), 30));
    write_video(at("v.mp4"), frames, 7.5);
    const FrameSequence back = read_video(at("v.mp4"), {});
    QCOMPARE(back.frames.size(), frames.size());
    QCOMPARE(back.fps, 7.5);
    QCOMPARE(back.source_width, 48);
    for (int i = 0; i < 9; ++i)
      for (std::size_t channel = 0; channel < 3; ++channel)
        QVERIFY(std::abs(back.frames[i].rgb[channel] - frames[i].rgb[channel]) <= 6);
    QCOMPARE(files(), std::size_t{1});
  }

  void odd_sizes_are_padded() {
    std::vector<Image> frames(3, plain(31, 17, 10, 220, 10));
    write_video(at("odd.mp4"), frames, 8);
    const FrameSequence back = read_video(at("odd.mp4"), {});
    QCOMPARE(back.frames.size(), std::size_t{3});
    QCOMPARE(back.source_width, 32);
    QCOMPARE(back.source_height, 18);
    const Image& last = back.frames[2];
    QVERIFY(last.rgb[last.rgb.size() - 2] > 200);  // green to the corner, not black
    write_video(at("tiny.mp4"), {plain(1, 1, 200, 0, 0)}, 1);
    QCOMPARE(read_video(at("tiny.mp4"), {}).frames.size(), std::size_t{1});
  }

  void a_folder_that_does_not_take_files() {
    const Image image = plain(8, 8, 0, 0, 0);
    VERIFY_THROWS(WriteError, write_png(at("none/a.png"), image), "none/a.png", "No such file");
    VERIFY_THROWS(WriteError, write_png16(at("none/a.png"), {1, 1, {0}}), "none/a.png", "No such file");
    VERIFY_THROWS(WriteError, write_video(at("none/a.mp4"), {image}, 8), "none/a.mp4", "No such file");
    write_png(at("file"), image);
    VERIFY_THROWS(WriteError, write_png(at("file/a.png"), image), "Not a directory");
    fs::create_directories(at("folder.png"));
    VERIFY_THROWS(WriteError, write_png(at("folder.png"), image), "folder.png", "directory");
  }

  void a_full_disk_leaves_nothing() {
    const Image image = noise(200, 200);
    std::string png, video;
    {
      const FullDisk full(4096);
      try {
        write_png(at("full.png"), image);
      } catch (const WriteError& error) {
        png = error.what();
      }
      try {
        write_video(at("full.mp4"), std::vector<Image>(10, image), 8);
      } catch (const WriteError& error) {
        video = error.what();
      }
    }
    QVERIFY2(png.find("full.png: cannot be written") != std::string::npos, png.c_str());
    QVERIFY2(video.find("full.mp4: the video could not be encoded or came out incomplete") != std::string::npos,
             video.c_str());
    QVERIFY2(video.find("MiB of room") != std::string::npos, video.c_str());
    QCOMPARE(files(), std::size_t{0});
  }

  void an_old_file_survives_a_failed_write() {
    const Image small = plain(8, 8, 9, 9, 9);
    write_png(at("keep.png"), small);
    {
      const FullDisk full(4096);
      try {
        write_png(at("keep.png"), noise(200, 200));
        QFAIL("no error");
      } catch (const WriteError&) {
      }
    }
    QCOMPARE(read_picture(at("keep.png")).rgb, small.rgb);
  }

  void bad_arguments() {
    const Image image = plain(8, 8, 0, 0, 0);
    VERIFY_THROWS(WriteError, write_video(at("v.mp4"), {}, 8), "v.mp4", "at least one frame");
    VERIFY_THROWS(WriteError, write_video(at("v.mp4"), {image}, 0), "v.mp4", "rate");
    VERIFY_THROWS(ShapeError, write_video(at("v.mp4"), {image, plain(8, 10, 0, 0, 0)}, 8), "one size");
    VERIFY_THROWS(ShapeError, write_png(at("a.png"), {4, 4, {1, 2, 3}}), "4x4");
    VERIFY_THROWS(ShapeError, write_png16(at("a.png"), {2, 2, {1}}), "2x2");
    QCOMPARE(files(), std::size_t{0});
  }
};

QTEST_APPLESS_MAIN(TestFrameWriter)
#include "tst_frame_writer.moc"
