#include <ATen/ATen.h>
#include <sys/stat.h>

#include <QtTest>
#include <cstring>
#include <fstream>
#include <limits>

#include "io/atomic_file.h"
#include "io/safetensors.h"
#include "support/errors.h"
#include "support/golden.h"

using namespace attnscope;

class TestSafetensors : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  std::string path(const char* name) const { return folder_.filePath(QString::fromLatin1(name)).toStdString(); }

  // A file with this header and that many zero bytes of data.
  std::string written(const std::string& header, std::size_t data_bytes, uint64_t claimed_length = 0) const {
    const std::string file = path("written.safetensors");
    const uint64_t length = claimed_length ? claimed_length : header.size();
    std::string content(reinterpret_cast<const char*>(&length), sizeof length);
    write_file_atomic(file, content + header + std::string(data_bytes, '\0'));
    return file;
  }

 private Q_SLOTS:
  void reads_what_python_wrote() {
    const auto file =
        SafetensorsFile::open(std::string(ATTNSCOPE_GOLDEN_DIR) + "/unet_sd15/diffusion_pytorch_model.safetensors");
    QCOMPARE(file->keys().size(), std::size_t{440});
    QCOMPARE(file->keys().front(), std::string("conv_in.bias"));
    QCOMPARE(file->metadata().at("format"), std::string("pt"));
    const at::Tensor weight = file->tensor("conv_in.weight");
    QCOMPARE(weight.sizes().vec(), (std::vector<int64_t>{8, 4, 3, 3}));
    QVERIFY(weight.scalar_type() == at::kFloat);
    QVERIFY(file->info("conv_in.weight").bytes == 8 * 4 * 9 * 4);
    // Drawn with a deviation of 1 / sqrt(4 · 9).
    QVERIFY(std::abs(weight.std().item<double>() * 6 - 1) < 0.15);
  }

  void a_tensor_is_a_view_that_outlives_the_file_object() {
    save_safetensors(path("view.safetensors"), {{"a", at::arange(6, at::kFloat)}});
    auto file = SafetensorsFile::open(path("view.safetensors"));
    at::Tensor first = file->tensor("a"), second = file->tensor("a");
    QCOMPARE(first.const_data_ptr(), second.const_data_ptr());
    second = at::Tensor();
    file.reset();
    COMPARE_TENSORS(first, at::arange(6, at::kFloat), 0);
    first.add_(1);  // stays in this process
    COMPARE_TENSORS(SafetensorsFile::open(path("view.safetensors"))->tensor("a"), at::arange(6, at::kFloat), 0);
  }

  void every_dtype_returns() {
    NamedTensors tensors{{"bool", at::tensor({1, 0, 1}).to(at::kBool)}};
    const at::Tensor values = at::tensor({0., 1., 2., 100.});
    for (const auto dtype :
         {at::kByte, at::kChar, at::kUInt16, at::kShort, at::kUInt32, at::kInt, at::kUInt64, at::kLong, at::kHalf,
          at::kBFloat16, at::kFloat, at::kDouble, at::kFloat8_e4m3fn, at::kFloat8_e5m2}) {
      tensors.emplace_back(c10::toString(dtype), values.to(dtype));
    }
    tensors.emplace_back("scalar", at::scalar_tensor(2.5));
    tensors.emplace_back("empty", at::empty({3, 0, 2}));
    tensors.emplace_back("strided", at::arange(6, at::kFloat).view({2, 3}).t());
    save_safetensors(path("all.safetensors"), tensors, {{"made by", "a test"}});
    const auto file = SafetensorsFile::open(path("all.safetensors"));
    QCOMPARE(file->keys().size(), tensors.size());
    QCOMPARE(file->metadata().at("made by"), std::string("a test"));
    for (const auto& [name, tensor] : tensors) {
      QVERIFY2(file->tensor(name).scalar_type() == tensor.scalar_type(), name.c_str());
      COMPARE_TENSORS(file->tensor(name), tensor, 0);
    }
  }

  void unaligned_data_is_copied() {
    const std::string file = written(
        R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"b":{"dtype":"F32","shape":[2],"data_offsets":[1,9]}})",
        9);
    const at::Tensor b = SafetensorsFile::open(file)->tensor("b");
    QCOMPARE(reinterpret_cast<uintptr_t>(b.const_data_ptr()) % 4, uintptr_t{0});
    COMPARE_TENSORS(b, at::zeros({2}), 0);
  }

  void the_header_keeps_data_aligned() {
    save_safetensors(path("h.safetensors"),
                     {{"name", at::zeros({1}, at::kByte)}, {"wide", at::zeros({1}, at::kDouble)}});
    std::ifstream in(path("h.safetensors"), std::ios::binary);
    uint64_t length = 0;
    in.read(reinterpret_cast<char*>(&length), sizeof length);
    QCOMPARE(length % 8, uint64_t{0});
    const auto file = SafetensorsFile::open(path("h.safetensors"));
    QCOMPARE(reinterpret_cast<uintptr_t>(file->tensor("wide").const_data_ptr()) % 8, uintptr_t{0});
  }

  void bad_files_data() {
    QTest::addColumn<QByteArray>("header");
    QTest::addColumn<int>("bytes");
    QTest::addColumn<qulonglong>("claimed");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char* name, const char* header, int bytes, const char* says, qulonglong claimed = 0) {
      QTest::newRow(name) << QByteArray(header) << bytes << claimed << QByteArray(says);
    };
    row("huge length", "{}", 0, "claims", ~0ull);
    row("length past the end", "{}", 0, "claims 3 bytes", 3);
    row("not JSON", "hello", 0, "not valid JSON");
    row("not UTF-8", "{\"\xff\":{}}", 0, "not valid JSON");
    row("not an object", "[]", 0, "not a JSON object");
    row("duplicate",
        R"({"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}})",
        0, "[a]: the name is given twice");
    row("duplicate field", R"({"a":{"dtype":"U8","dtype":"I8","shape":[0],"data_offsets":[0,0]}})", 0, "given twice");
    row("dtype", R"({"a":{"dtype":"F99","shape":[1],"data_offsets":[0,1]}})", 1, "[a]: unknown dtype \"F99\"");
    row("no dtype", R"({"a":{"shape":[1],"data_offsets":[0,1]}})", 1, "[a]: the header has no \"dtype\"");
    row("negative size", R"({"a":{"dtype":"U8","shape":[-1],"data_offsets":[0,1]}})", 1,
        "[a]: sizes must be whole numbers");
    row("product overflows", R"({"a":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0]}})", 0,
        "larger than any memory");
    row("shape", R"({"a":{"dtype":"U8","shape":4,"data_offsets":[0,1]}})", 1, "the shape must be a list");
    row("offsets", R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0]}})", 1, "data_offsets must be two numbers");
    row("negative offset", R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[-1,0]}})", 1,
        "data_offsets must be whole");
    row("backwards", R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[1,0]}})", 1, "ends before it begins");
    row("past the end", R"({"a":{"dtype":"U8","shape":[9],"data_offsets":[0,9]}})", 8,
        "[a]: its data (bytes 0 to 9) reaches past");
    row("overlap",
        R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"b":{"dtype":"U8","shape":[4],"data_offsets":[3,7]}})",
        7, "[b]: its data (bytes 3 to 7) overlaps");
    row("hole",
        R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"b":{"dtype":"U8","shape":[4],"data_offsets":[5,9]}})",
        9, "bytes 4 to 5 before its data belong to no tensor");
    row("size", R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", 4,
        "has 4 bytes, its shape and dtype need 8");
    row("left over", R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", 3,
        "the last 2 bytes belong to no tensor");
    row("metadata", R"({"__metadata__":{"a":1}})", 0, "is not text");
  }

  void bad_files() {
    QFETCH(QByteArray, header);
    QFETCH(int, bytes);
    QFETCH(qulonglong, claimed);
    QFETCH(QByteArray, says);
    const std::string file = written(header.toStdString(), static_cast<std::size_t>(bytes), claimed);
    VERIFY_THROWS(LoadError, SafetensorsFile::open(file), file, says.toStdString());
  }

  void bad_paths() {
    VERIFY_THROWS(LoadError, SafetensorsFile::open(path("none.safetensors")), "none.safetensors", "no such file");
    VERIFY_THROWS(LoadError, SafetensorsFile::open(folder_.path().toStdString()), "is a folder");
    write_file_atomic(path("short.safetensors"), "abc");
    VERIFY_THROWS(LoadError, SafetensorsFile::open(path("short.safetensors")), "too short");
    write_file_atomic(path("empty.safetensors"), "");
    VERIFY_THROWS(LoadError, SafetensorsFile::open(path("empty.safetensors")), "too short");
    save_safetensors(path("one.safetensors"), {{"to_q.weight", at::zeros({1})}});
    VERIFY_THROWS(LoadError, SafetensorsFile::open(path("one.safetensors"))->tensor("to_k.weight"), "one.safetensors",
                  "to_k.weight", "no such tensor", "Did you mean to_q.weight?");
  }

  void a_deeply_nested_header_is_refused() {
    VERIFY_THROWS(LoadError, SafetensorsFile::open(written("{\"a\":" + std::string(1'000'000, '['), 0)),
                  "not valid JSON");
  }

  void cannot_be_written() {
    const at::Tensor one = at::zeros({1});
    VERIFY_THROWS(WriteError, save_safetensors("/dev/full", {{"a", one}}), "/dev/full", "disk full");
    VERIFY_THROWS(WriteError, save_safetensors(path("no/such.safetensors"), {{"a", one}}), "folder does not exist");
    VERIFY_THROWS(WriteError, save_safetensors(path("x.safetensors"), {{"a", one}, {"a", one}}),
                  "a cannot be used twice");
    VERIFY_THROWS(WriteError, save_safetensors(path("x.safetensors"), {{"a", at::Tensor()}}), "a has no value");
    VERIFY_THROWS(WriteError, save_safetensors(path("x.safetensors"), {{"a", at::zeros({1}, at::kComplexFloat)}}),
                  "cannot hold ComplexFloat");
    QVERIFY(!QFile::exists(folder_.filePath("x.safetensors")));
  }

  void compare_notices() {
    const at::Tensor one = at::tensor({1., 2.}), nan = at::tensor({std::numeric_limits<double>::quiet_NaN(), 2.});
    QVERIFY(testing::compare(one, one).empty());
    QVERIFY(!testing::compare(one, at::tensor({1., 2.1})).empty());
    QVERIFY(!testing::compare(nan, one).empty());
    QVERIFY(!testing::compare(one, nan).empty());
    QVERIFY(!testing::compare(one, one.view({2, 1})).empty());
    QVERIFY(!testing::compare(one, {}).empty());
  }
};

QTEST_APPLESS_MAIN(TestSafetensors)
#include "tst_safetensors.moc"
