#include "io/npy.h"

#include <ATen/ATen.h>

#include <QtTest>
#include <cstring>

#include "io/mapped_file.h"
#include "support/errors.h"

using namespace attnscope;

namespace {

template <class T>
T number_at(const std::string& bytes, std::size_t offset) {
  T value{};
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

}  // namespace

class TestNpy : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  std::string saved(const at::Tensor& tensor) const {
    const std::string path = folder_.filePath("a.npy").toStdString();
    save_npy(path, tensor);
    return read_file(path);
  }

 private Q_SLOTS:
  void header_and_data() {
    const std::string bytes = saved(at::arange(6, at::kFloat).view({2, 3}).t());
    QCOMPARE(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
    const std::size_t data = 10 + number_at<uint16_t>(bytes, 8);
    QCOMPARE(data % 64, std::size_t{0});
    QCOMPARE(bytes[data - 1], '\n');
    QVERIFY(bytes.substr(10, data - 10).rfind("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }", 0) == 0);
    QCOMPARE(bytes.size(), data + 6 * 4);
    QCOMPARE(number_at<float>(bytes, data + 4), 3.0f);  // [[0, 3], [1, 4], [2, 5]]
  }

  void shapes_and_dtypes() {
    QVERIFY(saved(at::zeros({3}, at::kLong)).find("'<i8', 'fortran_order': False, 'shape': (3,), }") !=
            std::string::npos);
    QVERIFY(saved(at::scalar_tensor(2.0)).find("'shape': (), }") != std::string::npos);
    QVERIFY(saved(at::zeros({0, 2}, at::kByte)).find("'|u1', 'fortran_order': False, 'shape': (0, 2), }") !=
            std::string::npos);
    QVERIFY(saved(at::zeros({1}, at::kHalf)).find("'<f2'") != std::string::npos);
    QVERIFY(saved(at::zeros({1}, at::kBool)).find("'|b1'") != std::string::npos);
    const std::string bf16 = saved(at::full({1}, 1.5, at::kBFloat16));
    QVERIFY(bf16.find("'<f4'") != std::string::npos);
    QCOMPARE(number_at<float>(bf16, bf16.size() - 4), 1.5f);
  }

  void zip_of_arrays() {
    const std::string path = folder_.filePath("a.npz").toStdString();
    save_npz(path, {{"maps/red", at::arange(5, at::kDouble)}, {"青", at::zeros({2}, at::kByte)}});
    const std::string bytes = read_file(path);
    QCOMPARE(number_at<uint32_t>(bytes, 0), 0x04034B50u);
    QCOMPARE(bytes.substr(30, 12), std::string("maps/red.npy"));
    const std::size_t size = number_at<uint64_t>(bytes, 30 + 12 + 4);
    QCOMPARE(size, 128u + 5 * 8);
    QCOMPARE(bytes.substr(30 + 12 + 20, 6), std::string("\x93NUMPY"));
    // End record: 2 entries, directory where it says it is.
    const std::size_t end = bytes.size() - 22;
    QCOMPARE(number_at<uint32_t>(bytes, end), 0x06054B50u);
    QCOMPARE(number_at<uint16_t>(bytes, end + 10), uint16_t{2});
    QCOMPARE(number_at<uint32_t>(bytes, number_at<uint32_t>(bytes, end + 16)), 0x02014B50u);
  }

  void the_checksum_is_zips() {
    // zlib.crc32 of the bytes that numpy 2 writes for np.arange(5, dtype=np.uint8).
    const std::string path = folder_.filePath("c.npz").toStdString();
    save_npz(path, {{"b", at::arange(5, at::kByte)}});
    QCOMPARE(number_at<uint32_t>(read_file(path), 14), 1195328210u);
  }

  void failures() {
    VERIFY_THROWS(WriteError, save_npy("/dev/full", at::zeros({3})), "/dev/full", "disk full");
    VERIFY_THROWS(WriteError, save_npz("/dev/full", {{"a", at::zeros({3})}}), "/dev/full", "disk full");
    const std::string path = folder_.filePath("x.npz").toStdString();
    VERIFY_THROWS(WriteError, save_npz(path, {{"a", at::zeros({1})}, {"a", at::zeros({1})}}), path,
                  "a cannot be used twice");
    VERIFY_THROWS(WriteError, save_npz(path, {{"", at::zeros({1})}}), "needs a name");
    VERIFY_THROWS(WriteError, save_npy(path, at::Tensor()), "no value");
    QVERIFY(!QFile::exists(folder_.filePath("x.npz")));
  }

  // Left for other readers to look at.
  void write_samples() {
    const std::string stem = std::string(ATTNSCOPE_BINARY_DIR) + "/sample";
    save_npy(stem + ".npy", at::arange(6, at::kFloat).view({2, 3}));
    save_npz(stem + ".npz", {{"maps/red", at::arange(5, at::kDouble)},
                             {"青", at::arange(1000, at::kLong).view({10, 100})},
                             {"scalar", at::scalar_tensor(2.5)},
                             {"empty", at::zeros({0, 3})}});
  }
};

QTEST_APPLESS_MAIN(TestNpy)
#include "tst_npy.moc"
