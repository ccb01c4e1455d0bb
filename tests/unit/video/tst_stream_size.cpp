#include "video/stream_size.h"

#include <QtTest>
#include <fstream>
#include <opencv2/imgproc.hpp>
#include <opencv2/videoio.hpp>

using namespace attnscope;

class TestStreamSize : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  std::string at(const std::string& name) const { return folder_.filePath(QString::fromStdString(name)).toStdString(); }

  std::string video(const std::string& name, const char* codec, int height, int width) const {
    cv::VideoWriter writer(at(name), cv::CAP_FFMPEG, cv::VideoWriter::fourcc(codec[0], codec[1], codec[2], codec[3]),
                           12, cv::Size(width, height));
    for (int i = 0; i < 20; ++i) {
      cv::Mat bgr(height, width, CV_8UC3, cv::Scalar(40, 160, 5 * i));
      cv::circle(bgr, {3 * i, 20}, 9, {255, 0, 0}, -1);
      writer.write(bgr);
    }
    return at(name);
  }

  // The last of several occurrences of `from` in a file is replaced; "" when there are not several.
  static std::string patched(const std::string& path, const std::string& from, const std::string& to) {
    std::ifstream file(path, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(file), {}};
    const std::size_t place = bytes.rfind(from);
    if (place == std::string::npos || place == bytes.find(from)) return {};
    bytes.replace(place, from.size(), to);
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }

 private Q_SLOTS:
  void videos_of_one_size() {
    for (const auto& [name, codec] : std::vector<std::pair<std::string, const char*>>{{"a.mp4", "avc1"},
                                                                                      {"b.mp4", "mp4v"},
                                                                                      {"c.webm", "VP80"},
                                                                                      {"d.webm", "VP90"},
                                                                                      {"e.avi", "MJPG"},
                                                                                      {"f.avi", "XVID"},
                                                                                      {"g.ts", "H264"}})
      QVERIFY2(!find_size_change(video(name, codec, 48, 80), 100), name.c_str());
    QVERIFY(!find_size_change(at("none.mp4"), 10));
  }

  void webm_key_frames_data() {
    QTest::addColumn<QString>("codec");
    QTest::addColumn<QByteArray>("header");  // 80x48 as a key frame spells it
    QTest::addColumn<QByteArray>("wider");   // 96x48
    QTest::newRow("VP8") << "VP80" << QByteArray("\x9d\x01\x2a\x50\x00\x30\x00", 7)
                         << QByteArray("\x9d\x01\x2a\x60\x00\x30\x00", 7);
    // 79 and 47 in 16 bits each, four bits into a byte.
    QTest::newRow("VP9") << "VP90" << QByteArray("\x49\x83\x42\x00\x04\xf0\x02", 7)
                         << QByteArray("\x49\x83\x42\x00\x05\xf0\x02", 7);
  }

  void webm_key_frames() {
    QFETCH(QString, codec);
    QFETCH(QByteArray, header);
    QFETCH(QByteArray, wider);
    const std::string path = patched(video(codec.toStdString() + ".webm", codec.toStdString().c_str(), 48, 80),
                                     header.toStdString(), wider.toStdString());
    QVERIFY2(!path.empty(), "the video has not two key frames with this header");
    const auto change = find_size_change(path, 100);
    QVERIFY(change.has_value());
    QVERIFY(change->frame > 0);
    QCOMPARE(change->old_width, 80);
    QCOMPARE(change->old_height, 48);
    QCOMPARE(change->new_width, 96);
    QCOMPARE(change->new_height, 48);
    QVERIFY(!find_size_change(path, change->frame));
  }
};

QTEST_APPLESS_MAIN(TestStreamSize)
#include "tst_stream_size.moc"
