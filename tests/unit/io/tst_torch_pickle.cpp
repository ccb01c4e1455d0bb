#include "io/torch_pickle.h"

#include <ATen/ATen.h>
#include <caffe2/serialize/inline_container.h>

#include <QtTest>
#include <array>
#include <nlohmann/json.hpp>

#include "io/atomic_file.h"
#include "io/json_file.h"
#include "support/errors.h"
#include "support/golden.h"

using namespace attnscope;

namespace {

std::string integer(int64_t value) {  // BININT
  std::string out = "J";
  for (int i = 0; i < 4; ++i) out += static_cast<char>(static_cast<uint64_t>(value) >> (8 * i) & 0xFF);
  return out;
}

std::string text(const std::string& value) {  // BINUNICODE
  return "X" + integer(static_cast<int64_t>(value.size())).substr(1) + value;
}

// A float tensor of one axis over storage "0", which is said to hold `numel` values.
std::string tensor_ops(int64_t storage_offset, int64_t size, int64_t stride, int64_t numel) {
  return "ctorch._utils\n_rebuild_tensor_v2\n((" + text("storage") + "ctorch\nFloatStorage\n" + text("0") +
         text("cpu") + integer(numel) + "tQ" + integer(storage_offset) + integer(size) + "\x85" + integer(stride) +
         "\x85\x89" + "ccollections\nOrderedDict\n)RtR";
}

}  // namespace

class TestTorchPickle : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  static std::string golden(const std::string& name) { return std::string(ATTNSCOPE_GOLDEN_DIR) + "/" + name; }

  // A torch file with this pickle and a storage "0" of the values 0, 1, 2, 3.
  std::string written(const std::string& pickle) const {
    const float values[] = {0, 1, 2, 3};
    const std::string path = folder_.filePath("views.bin").toStdString();
    caffe2::serialize::PyTorchStreamWriter writer(path);
    writer.writeRecord("data.pkl", pickle.data(), pickle.size());
    writer.writeRecord("data/0", values, sizeof values);
    writer.writeEndOfFile();
    return path;
  }

  std::string pickle_with(int64_t storage_offset, int64_t size, int64_t stride, int64_t numel) const {
    return written("\x80\x02}" + text("w") + tensor_ops(storage_offset, size, stride, numel) + "s.");
  }

  void same_as_safetensors(const std::string& name) {
    const auto file = SafetensorsFile::open(golden("files_fp32/diffusion_pytorch_model.safetensors"));
    const NamedTensors read = read_torch_pickle(golden(name));
    QCOMPARE(read.size(), file->keys().size());
    for (const auto& [key, tensor] : read) COMPARE_TENSORS(tensor, file->tensor(key), 0);
  }

 private Q_SLOTS:
  void reads_a_state_dict() { same_as_safetensors("files_bin/diffusion_pytorch_model.bin"); }
  void reads_the_old_format() { same_as_safetensors("files_bin_legacy/diffusion_pytorch_model.bin"); }
  void reads_views() { same_as_safetensors("files_bin_views/diffusion_pytorch_model.bin"); }

  void integers_return_too() {
    const NamedTensors read = read_torch_pickle(golden("files_text_bin/pytorch_model.bin"));
    const auto ids = std::find_if(read.begin(), read.end(), [](const auto& named) {
      return named.first == "text_model.embeddings.position_ids";
    });
    QVERIFY(ids != read.end());
    COMPARE_TENSORS(ids->second, at::arange(77).unsqueeze(0), 0);
  }

  void hostile_files_are_refused_by_name() {
    const QString before = QDir::currentPath();
    QVERIFY(QDir::setCurrent(folder_.path()));
    const auto expected = read_json_file(golden("hostile/case.json")).at("refused");
    for (const auto& [name, global] : expected.items()) {
      VERIFY_THROWS(LoadError, read_torch_pickle(golden("hostile/" + name)), name,
                    "refused: " + global.get<std::string>());
    }
    QVERIFY(QDir(folder_.path()).entryList(QDir::Files).filter("pickle-was-run").isEmpty());
    QVERIFY(QDir::setCurrent(before));
  }

  void damaged_files() {
    const std::string path = folder_.filePath("a.bin").toStdString();
    QFile source(QString::fromStdString(golden("files_bin/diffusion_pytorch_model.bin")));
    QVERIFY(source.open(QIODevice::ReadOnly));
    const std::string whole = source.readAll().toStdString();
    write_file_atomic(path, whole.substr(0, whole.size() / 2));
    VERIFY_THROWS(LoadError, read_torch_pickle(path), path, "cannot be read");
    write_file_atomic(path, "hello");
    VERIFY_THROWS(LoadError, read_torch_pickle(path), path, "is not a torch file", "cut off or damaged");
    write_file_atomic(path, "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n");
    VERIFY_THROWS(LoadError, read_torch_pickle(path), "git lfs pull");
    write_file_atomic(path, "");
    VERIFY_THROWS(LoadError, read_torch_pickle(path), "is not a torch file");
    VERIFY_THROWS(LoadError, read_torch_pickle(path + "none"), "no such file");
    VERIFY_THROWS(LoadError, read_torch_pickle(folder_.path().toStdString()), "is a folder");
  }

  // As torch.save(model.state_dict()) writes it, with metadata.
  void an_ordered_dict_with_attributes() {
    const std::string items = text("w") + tensor_ops(0, 2, 1, 4) + text("b") + tensor_ops(2, 2, 1, 4);
    const std::string pickle =
        "\x80\x02"
        "ccollections\nOrderedDict\nq\x05)Rq\x01(" +
        items + "u}q\x02" + text("_metadata") + "h\x05)Rq\x03sb.";
    const NamedTensors read = read_torch_pickle(written(pickle));
    QCOMPARE(read.size(), std::size_t{2});
    COMPARE_TENSORS(read[0].second, at::tensor({0.f, 1.f}), 0);
    COMPARE_TENSORS(read[1].second, at::tensor({2.f, 3.f}), 0);
  }

  void a_dict_below_state_dict() {
    const std::string inner = "}" + text("w") + tensor_ops(0, 2, 1, 4) + "s";
    const NamedTensors read =
        read_torch_pickle(written("\x80\x02}(" + text("epoch") + integer(3) + text("state_dict") + inner + "u."));
    QCOMPARE(read.size(), std::size_t{1});
    QCOMPARE(read[0].first, std::string("w"));
  }

  void pickles_that_are_no_state_dicts_data() {
    QTest::addColumn<QByteArray>("pickle");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("number") << QByteArray("\x80\x02K\x01.") << QByteArray("holds no state dict but Int");
    QTest::newRow("cut off") << QByteArray("\x80\x02}") << QByteArray("is cut off");
    QTest::newRow("cut text") << QByteArray(
                                     "\x80\x02X\xff\xff\xff\x7f"
                                     "a.")
                              << QByteArray("is cut off");
    QTest::newRow("no newline") << QByteArray(
                                       "\x80\x02"
                                       "cposix")
                                << QByteArray("is cut off");
    QTest::newRow("empty stack") << QByteArray("\x80\x02s.") << QByteArray("cannot be read");
    QTest::newRow("call of nothing") << QByteArray("\x80\x02)R.") << QByteArray("cannot be read");
    QTest::newRow("protocol 0") << QByteArray("(dp0\n.") << QByteArray("the opcode 0x70");
    QTest::newRow("protocol 4") << QByteArray("\x80\x04\x95") << QByteArray("the opcode 0x95");
    QTest::newRow("huge memo") << QByteArray("\x80\x02}r\xff\xff\xff\x7f.") << QByteArray("impossible memo number");
    QTest::newRow("filled OrderedDict") << QByteArray(
                                               "\x80\x02"
                                               "ccollections\nOrderedDict\n]\x85R.")
                                        << QByteArray("OrderedDict that is not made empty");
    QTest::newRow("eval") << QByteArray(
                                 "\x80\x02"
                                 "c__builtin__\neval\nX\x01\x00\x00\x00"
                                 "1\x85R.",
                                 29)
                          << QByteArray("refused: __builtin__.eval");
  }

  void pickles_that_are_no_state_dicts() {
    QFETCH(QByteArray, pickle);
    QFETCH(QByteArray, says);
    VERIFY_THROWS(LoadError, read_torch_pickle(written(pickle.toStdString())), "views.bin", says.toStdString());
  }

  void cut_anywhere_an_old_file_is_refused() {
    QFile source(QString::fromStdString(golden("files_bin_legacy/diffusion_pytorch_model.bin")));
    QVERIFY(source.open(QIODevice::ReadOnly));
    const std::string whole = source.readAll().toStdString(), path = folder_.filePath("old.bin").toStdString();
    for (std::size_t i = 1; i < 40; ++i) {
      write_file_atomic(path, whole.substr(0, whole.size() * i / 40));
      VERIFY_THROWS(LoadError, read_torch_pickle(path), path);
    }
  }

  void a_tensor_must_lie_in_its_storage() {
    const NamedTensors good = read_torch_pickle(pickle_with(1, 3, 1, 4));
    COMPARE_TENSORS(good.at(0).second, at::tensor({1.f, 2.f, 3.f}), 0);
    // The storage is larger in the pickle than in the file.
    for (const auto& [offset, size, stride, numel] : std::vector<std::array<int64_t, 4>>{
             {2, 3, 1, 1000}, {1000, 3, 1, 2000}, {0, 1 << 30, 1, 1 << 30}, {0, 3, 500, 5000}}) {
      VERIFY_THROWS(LoadError, read_torch_pickle(pickle_with(offset, size, stride, numel)), "[w]",
                    "reaches outside its storage");
    }
    for (const auto& [offset, size, stride, numel] :
         std::vector<std::array<int64_t, 4>>{{2, 3, 1, 4}, {0, 3, 2, 4}, {0, 1 << 30, 1 << 30, 4}}) {
      VERIFY_THROWS(LoadError, read_torch_pickle(pickle_with(offset, size, stride, numel)), "views.bin");
    }
    VERIFY_THROWS(LoadError, read_torch_pickle(pickle_with(-1, 1, 1, 4)), "views.bin");
    VERIFY_THROWS(LoadError, read_torch_pickle(pickle_with(0, -1, 1, 4)), "views.bin");
    VERIFY_THROWS(LoadError, read_torch_pickle(pickle_with(3, 2, -1, 4)), "views.bin");
  }
};

QTEST_APPLESS_MAIN(TestTorchPickle)
#include "tst_torch_pickle.moc"
