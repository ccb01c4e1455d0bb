#include "video/frame_reader.h"

#include <QtTest>
#include <filesystem>
#include <fstream>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/videoio.hpp>

#include "base/cancel.h"
#include "support/errors.h"

using namespace attnscope;
namespace fs = std::filesystem;

// Frames are made and stored by OpenCV directly: gray `number * 8`, with a red left half.
class TestFrameReader : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  std::string at(const std::string& name) const { return folder_.filePath(QString::fromStdString(name)).toStdString(); }

  static cv::Mat picture(int height, int width, int number) {
    cv::Mat bgr(height, width, CV_8UC3, cv::Scalar(number * 8, number * 8, number * 8));
    bgr(cv::Rect(0, 0, width / 2, height)) = cv::Scalar(0, 0, 200);
    return bgr;
  }

  std::string video(const std::string& name, int count, int height = 48, int width = 80,
                    const char* codec = "avc1") const {
    const std::string path = at(name);
    cv::VideoWriter writer(path, cv::CAP_FFMPEG, cv::VideoWriter::fourcc(codec[0], codec[1], codec[2], codec[3]), 12,
                           cv::Size(width, height));
    for (int i = 0; i < count; ++i) writer.write(picture(height, width, i));
    return path;
  }

  std::string pictures(const std::string& name, const std::vector<std::string>& files) const {
    fs::create_directories(at(name));
    int number = 0;
    for (const std::string& file : files) cv::imwrite(at(name + "/" + file), picture(48, 80, number++));
    return at(name);
  }

  static int number_of(const Image& image) {
    const std::size_t right_middle =
        (static_cast<std::size_t>(image.height) / 2 * image.width + image.width * 3 / 4) * 3;
    return (image.rgb[right_middle] + 4) / 8;
  }

  static std::vector<int> numbers(const FrameSequence& sequence) {
    std::vector<int> out;
    for (const Image& frame : sequence.frames) out.push_back(number_of(frame));
    return out;
  }

  static std::array<int, 3> pixel(const Image& image, int y, int x) {
    const uint8_t* rgb = image.rgb.data() + (static_cast<std::size_t>(y) * image.width + x) * 3;
    return {rgb[0], rgb[1], rgb[2]};
  }

 private Q_SLOTS:
  void video_frames_rate_and_size() {
    const FrameSequence all = read_video(video("a.mp4", 20), {});
    QCOMPARE(all.frames.size(), std::size_t{20});
    QCOMPARE(numbers(all).front(), 0);
    QCOMPARE(numbers(all).back(), 19);
    QCOMPARE(all.fps, 12.0);
    QCOMPARE(all.source_width, 80);
    QCOMPARE(all.source_height, 48);
    QCOMPARE(all.frames[0].width, 80);
    QCOMPARE(all.frames[0].height, 48);
    const auto left = pixel(all.frames[3], 24, 10);  // red, in RGB order
    QVERIFY2(left[0] > 180 && left[1] < 30 && left[2] < 30, qPrintable(QString::number(left[0])));
  }

  void start_stride_and_count() {
    const std::string path = video("s.mp4", 20);
    const FrameSequence some = read_video(path, {.start_frame = 2, .frame_stride = 3, .num_frames = 4});
    QVERIFY((numbers(some) == std::vector<int>{2, 5, 8, 11}));
    QCOMPARE(some.fps, 4.0);
    QVERIFY((numbers(read_video(path, {.start_frame = 15, .frame_stride = 2})) == std::vector<int>{15, 17, 19}));
    // The last one that just fits.
    QVERIFY((numbers(read_video(path, {.start_frame = 1, .frame_stride = 9, .num_frames = 3})) ==
             std::vector<int>{1, 10, 19}));
  }

  void too_few_frames_says_how_many() {
    const std::string path = video("f.mp4", 6);
    VERIFY_THROWS(LoadError, read_video(path, {.num_frames = 8}), path, "has 6 frames, 8 are needed", "num_frames");
    VERIFY_THROWS(LoadError, read_video(path, {.start_frame = 2, .frame_stride = 2, .num_frames = 3}),
                  "has 6 frames, 7", "start_frame 2");
    VERIFY_THROWS(LoadError, read_video(path, {.start_frame = 6}), "has 6 frames, 7 are needed");
    VERIFY_THROWS(LoadError, read_image(pictures("one", {"a.png"}) + "/a.png", {.num_frames = 2}), "has 1 frame, 2");
  }

  void a_file_that_is_no_video() {
    VERIFY_THROWS(LoadError, read_video(at("none.mp4"), {}), "none.mp4", "not found");
    VERIFY_THROWS(LoadError, read_video(folder_.path().toStdString(), {}), "is a folder", "input.frames");
    std::ofstream(at("text.mp4")) << "this is no video at all";
    VERIFY_THROWS(LoadError, read_video(at("text.mp4"), {}), "text.mp4", "not a video that can be decoded");
    std::ofstream{at("empty.mp4")};
    VERIFY_THROWS(LoadError, read_video(at("empty.mp4"), {}), "empty.mp4", "not a video");
    const std::string whole = video("whole.mp4", 20);
    fs::resize_file(whole, fs::file_size(whole) / 2);  // the index is at the end of an mp4
    VERIFY_THROWS(LoadError, read_video(whole, {}), "whole.mp4", "not a video");
  }

  // Transport streams may be joined by joining their bytes.
  void a_video_that_changes_size_data() {
    QTest::addColumn<QString>("codec");
    for (const char* codec : {"H264", "mp4v", "mpg2"}) QTest::newRow(codec) << codec;
  }

  void a_video_that_changes_size() {
    QFETCH(QString, codec);
    const std::string name = codec.toStdString();
    const auto joined = [&](const std::string& file, const std::string& first, const std::string& second) {
      std::ofstream(at(file), std::ios::binary)
          << std::ifstream(first, std::ios::binary).rdbuf() << std::ifstream(second, std::ios::binary).rdbuf();
      return at(file);
    };
    const std::string small = video(name + "s.ts", 10, 48, 80, name.c_str()),
                      large = video(name + "l.ts", 10, 64, 96, name.c_str());
    const std::string grows = joined(name + "grows.ts", small, large),
                      shrinks = joined(name + "shrinks.ts", large, small);
    VERIFY_THROWS(LoadError, read_video(grows, {}), "grows.ts", "change size", "is 96x64, the first is 80x48");
    VERIFY_THROWS(LoadError, read_video(shrinks, {}), "shrinks.ts", "change size", "is 80x48, the first is 96x64");
    QCOMPARE(read_video(grows, {.num_frames = 3}).frames.size(), std::size_t{3});  // before the change
    QCOMPARE(read_video(joined(name + "same.ts", small, small), {}).source_width, 80);
  }

  void pictures_in_the_order_of_their_numbers() {
    const std::string path = pictures("order", {"f1.png", "f2.png", "f10.png", "f11.png"});
    std::ofstream(path + "/notes.txt") << "not a picture";
    std::ofstream(path + "/.hidden.png") << "nor this";
    const FrameSequence all = read_frames(path, {});
    QVERIFY((numbers(all) == std::vector<int>{0, 1, 2, 3}));
    QCOMPARE(all.fps, 0.0);
    QVERIFY((numbers(read_frames(path, {.start_frame = 1, .frame_stride = 2})) == std::vector<int>{1, 3}));
    QVERIFY(pixel(all.frames[0], 5, 5) == (std::array<int, 3>{200, 0, 0}));
  }

  void natural_order() {
    QVERIFY(natural_less("2.png", "10.png"));
    QVERIFY(!natural_less("10.png", "2.png"));
    QVERIFY(natural_less("a02b", "a2c"));
    QVERIFY(natural_less("a", "a1"));
    QVERIFY(natural_less("01", "1") != natural_less("1", "01"));
    QVERIFY(!natural_less("x7", "x7"));
    QVERIFY(natural_less("99999999999999999999998", "99999999999999999999999"));
  }

  void folders_that_will_not_do() {
    VERIFY_THROWS(LoadError, read_frames(at("missing"), {}), "missing", "not found");
    fs::create_directories(at("bare"));
    VERIFY_THROWS(LoadError, read_frames(at("bare"), {}), "bare", "holds no pictures", ".png");
    const std::string damaged = pictures("damaged", {"0.png", "1.png", "2.png"});
    std::ofstream(damaged + "/1.png") << "broken";
    VERIFY_THROWS(LoadError, read_frames(damaged, {}), "damaged/1.png", "not a picture");
    QCOMPARE(read_frames(damaged, {.frame_stride = 2}).frames.size(), std::size_t{2});  // passed over, never opened
    const std::string mixed = pictures("mixed", {"0.png", "1.png"});
    cv::imwrite(mixed + "/2.png", picture(50, 80, 2));
    VERIFY_THROWS(LoadError, read_frames(mixed, {}), "mixed/2.png",
                  "change size: frame 2 is 80x50, the first is 80x48");
    VERIFY_THROWS(LoadError, read_frames(mixed + "/0.png", {}), "is a file", "input.image");
  }

  void one_picture() {
    const std::string path = pictures("single", {"0000.png", "0001.png"}) + "/0000.png";
    const FrameSequence one = read_input(InputKind::image, path, {});
    QCOMPARE(one.frames.size(), std::size_t{1});
    QCOMPARE(read_picture(path).rgb, one.frames[0].rgb);
    QVERIFY(read_input(InputKind::none, "", {}).frames.empty());
    VERIFY_THROWS(LoadError, read_image(at("no.png"), {}), "no.png", "not found");
    VERIFY_THROWS(LoadError, read_image(at("single"), {}), "is a folder");
    // "Any backend" of OpenCV would go on to 0001.png here.
    QCOMPARE(read_video(path, {}).frames.size(), std::size_t{1});
  }

  void gray_alpha_and_sixteen_bits_become_rgb() {
    cv::imwrite(at("gray.png"), cv::Mat(4, 6, CV_8UC1, cv::Scalar(77)));
    QVERIFY(pixel(read_picture(at("gray.png")), 2, 3) == (std::array<int, 3>{77, 77, 77}));
    cv::imwrite(at("deep.png"), cv::Mat(4, 6, CV_16UC3, cv::Scalar(0x1000, 0x2000, 0x3000)));
    QVERIFY(pixel(read_picture(at("deep.png")), 0, 0) == (std::array<int, 3>{0x30, 0x20, 0x10}));
  }

  void size_is_rounded_down_to_what_the_model_takes() {
    const std::string path = at("odd.png");
    cv::imwrite(path, picture(50, 83, 1));
    const FrameSequence rounded = read_image(path, {.multiple_of = 8});
    QCOMPARE(rounded.frames[0].width, 80);
    QCOMPARE(rounded.frames[0].height, 48);
    QCOMPARE(rounded.source_width, 83);
    VERIFY_THROWS(LoadError, read_image(path, {.multiple_of = 64}), "odd.png", "50 pixels in height", "at least 64");
  }

  void fit_crop_pad_stretch() {
    // 40 wide, 20 high: left quarter green, the rest blue.
    cv::Mat bgr(20, 40, CV_8UC3, cv::Scalar(250, 0, 0));
    bgr(cv::Rect(0, 0, 10, 20)) = cv::Scalar(0, 250, 0);
    cv::imwrite(at("fit.png"), bgr);
    const Image source = read_picture(at("fit.png"));
    const std::array<int, 3> green{0, 250, 0}, blue{0, 0, 250}, black{0, 0, 0};

    const Image cropped = fit_image(source, 20, 20, Fit::crop);  // columns 10..29: no green left
    QVERIFY(pixel(cropped, 10, 0) == blue);
    QVERIFY(pixel(cropped, 10, 19) == blue);
    const Image padded = fit_image(source, 40, 40, Fit::pad);  // rows 10..29
    QVERIFY(pixel(padded, 9, 20) == black);
    QVERIFY(pixel(padded, 10, 0) == green);
    QVERIFY(pixel(padded, 29, 39) == blue);
    QVERIFY(pixel(padded, 30, 20) == black);
    const Image stretched = fit_image(source, 40, 8, Fit::stretch);
    QCOMPARE(stretched.width, 8);
    QCOMPARE(stretched.height, 40);
    QVERIFY(pixel(stretched, 20, 0) == green);
    QVERIFY(pixel(stretched, 20, 7) == blue);
    const FrameSequence read = read_image(at("fit.png"), {.height = 10, .width = 30, .fit = Fit::crop});
    QCOMPARE(read.frames[0].width, 30);
    QCOMPARE(read.frames[0].height, 10);
    QVERIFY(pixel(read.frames[0], 5, 2) == green);
  }

  void every_fit_reaches_the_size_exactly() {
    Image source{37, 23, std::vector<uint8_t>(37 * 23 * 3, 90)};
    for (Fit fit : {Fit::crop, Fit::pad, Fit::stretch})
      for (int height : {1, 8, 23, 24, 101})
        for (int width : {1, 8, 37, 38, 101}) {
          const Image out = fit_image(source, height, width, fit);
          QCOMPARE(out.height, height);
          QCOMPARE(out.width, width);
          QCOMPARE(out.rgb.size(), static_cast<std::size_t>(height) * width * 3);
        }
  }

  void bad_selections_are_refused() {
    const std::string path = pictures("sel", {"a.png"}) + "/a.png";
    VERIFY_THROWS(Error, read_image(path, {.start_frame = -1}), "start_frame -1");
    VERIFY_THROWS(Error, read_image(path, {.frame_stride = 0}), "frame_stride 0");
  }

  void reading_can_be_cancelled() {
    const std::string path = video("c.mp4", 5);
    CancelToken token;
    token.cancel();
    const CancelScope scope(token);
    QVERIFY_THROWS_EXCEPTION(RunCancelled, read_video(path, {}));
  }
};

QTEST_APPLESS_MAIN(TestFrameReader)
#include "tst_frame_reader.moc"
