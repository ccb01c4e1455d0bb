#include "io/torch_pickle.h"

#include <ATen/ATen.h>
#include <caffe2/serialize/inline_container.h>
#include <torch/csrc/jit/serialization/unpickler.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>

#include "base/error.h"
#include "base/log.h"
#include "io/mapped_file.h"
#include "io/pickle_stream.h"

namespace attnscope {
namespace {

using caffe2::serialize::PyTorchStreamReader;
using StorageReader = std::function<at::DataPtr(const std::string& key)>;

constexpr std::size_t kZipHeaderBytes = 30;
constexpr const char* kDamaged = "The file is damaged or is not a state dict.";
// The pickled long that a file of the old format begins with.
constexpr std::string_view kOldMagic("\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19", 12);

// A pickle's tensors with the names of the dict they lie in, not yet looked at.
NamedTensors named_tensors(const at::IValue& root, const std::string& path) {
  // A dict with attributes; see plain_dicts().
  if (root.isTuple() && root.toTupleRef().elements().size() == 2 && root.toTupleRef().elements()[0].isGenericDict()) {
    return named_tensors(root.toTupleRef().elements()[0], path);
  }
  if (!root.isGenericDict()) throw LoadError("holds no state dict but " + root.tagKind(), path);
  const auto dict = root.toGenericDict();
  for (const auto& entry : dict) {
    if (entry.key().isString() && entry.key().toStringRef() == "state_dict" && !entry.value().isTensor()) {
      return named_tensors(entry.value(), path);
    }
  }
  NamedTensors all;
  for (const auto& entry : dict) {
    const std::string name = entry.key().isString() ? entry.key().toStringRef() : "a key that is no text";
    if (entry.key().isString() && entry.value().isTensor()) {
      all.emplace_back(name, entry.value().toTensor().detach());
    } else {
      log(LogLevel::warning, path + ": " + name + " is not a tensor and is left out");
    }
  }
  return all;
}

// Values up to the last one that the tensor reaches in its storage. The unpickler believes the sizes in the pickle,
// which may be anything.
int64_t values_reached(const at::Tensor& tensor, const std::string& path, const std::string& name) {
  if (tensor.layout() != at::kStrided || tensor.is_quantized() || !tensor.is_cpu()) {
    throw LoadError("is not a dense tensor", path, name);
  }
  int64_t last = tensor.storage_offset();
  bool valid = last >= 0, empty = false;
  for (int64_t d = 0; d < tensor.dim(); ++d) {
    const int64_t size = tensor.size(d), stride = tensor.stride(d);
    int64_t span = 0;
    empty = empty || size == 0;
    valid = valid && size >= 0 && stride >= 0 && !__builtin_mul_overflow(size - 1, stride, &span) &&
            !__builtin_add_overflow(last, span, &last);
  }
  if (!valid || last == INT64_MAX) throw LoadError("has impossible sizes", path, name, kDamaged);
  return empty ? 0 : last + 1;
}

// `stored`, seen with the sizes of `tensor`, after checking that it holds as many values as those reach.
at::Tensor view_of(const at::Tensor& stored, const at::Tensor& tensor, const std::string& path,
                   const std::string& name) {
  const int64_t needed = values_reached(tensor, path, name);
  if (needed == 0) return at::empty(tensor.sizes(), tensor.options());
  if (needed > stored.numel()) {
    throw LoadError("reaches outside its storage of " + std::to_string(stored.numel()) + " values", path, name,
                    "The file is damaged; get it again.");
  }
  return stored.as_strided(tensor.sizes(), tensor.strides(), tensor.storage_offset());
}

// Bytes as values of a dtype; copied when they do not lie where such values may.
at::Tensor values(char* bytes, std::size_t size, c10::ScalarType dtype, std::function<void(void*)> release) {
  const std::size_t item = c10::elementSize(dtype);
  const auto count = static_cast<int64_t>(size / item);
  if (reinterpret_cast<uintptr_t>(bytes) % item == 0) return at::from_blob(bytes, {count}, std::move(release), dtype);
  at::Tensor copy = at::empty({count}, dtype);
  std::memcpy(copy.mutable_data_ptr(), bytes, copy.nbytes());
  return copy;
}

class StateDictReader {
 public:
  explicit StateDictReader(const std::string& path) : file_(MappedFile::open(path)) {}

  NamedTensors read() {
    const std::string_view text = file_->text();
    if (text.substr(0, 4) == std::string_view("PK\x03\x04")) return read_zip();
    if (text.size() > 2 && text[0] == '\x80' && text.substr(2, kOldMagic.size()) == kOldMagic) return read_old();
    if (!text.empty() && text[0] == '\x80') {
      throw LoadError("refused: a pickle that torch did not write", path(), {}, "Save the weights as safetensors.");
    }
    throw LoadError("is not a torch file", path(), {}, file_hint(text));
  }

 private:
  const std::string& path() const { return file_->path(); }

  at::IValue unpickle(const std::string& pickle, StorageReader read_storage) const {
    std::size_t at = 0;
    const auto next = [&](char* out, std::size_t bytes) {
      const std::size_t given = std::min(bytes, pickle.size() - at);
      std::memcpy(out, pickle.data() + at, given);
      at += given;
      return given;
    };
    const auto refuse_class = [this](const c10::QualifiedName& name) -> c10::StrongTypePtr {
      throw LoadError(
          "refused: " + name.qualifiedName() + " (only tensors and plain containers are read from a pickle)", path(),
          {}, "Convert the weights to safetensors, where you trust this file.");
    };
    torch::jit::Unpickler unpickler(
        next, refuse_class, nullptr, std::move(read_storage), at::kCPU, false,
        [](const std::string& type) -> c10::TypePtr { throw Error("refused: the type " + type); });
    return unpickler.parse_ivalue();
  }

  struct Storage {
    char* bytes;
    std::size_t size;
    std::shared_ptr<void> owner;
  };

  NamedTensors read_zip() {
    PyTorchStreamReader zip(path());
    if (zip.hasRecord("constants.pkl")) {
      throw LoadError("is a TorchScript program, not a state dict", path(), {}, "Save model.state_dict() instead.");
    }
    if (!zip.hasRecord("data.pkl")) throw LoadError("is a zip file without data.pkl, not a torch file", path());
    if (zip.hasRecord("byteorder")) {
      const auto [bytes, size] = zip.getRecord("byteorder");
      refuse_big_endian(std::string_view(static_cast<const char*>(bytes.get()), size) == "little");
    }
    const auto [pickle, size] = zip.getRecord("data.pkl");
    const PickleStream stream = plain_dicts({static_cast<const char*>(pickle.get()), size}, path());
    std::map<const void*, Storage> storages;
    const at::IValue root = unpickle(stream.bytes, [&](const std::string& key) {
      const Storage storage = zip_record(zip, "data/" + key);
      storages.emplace(storage.bytes, storage);
      return at::DataPtr(storage.bytes, at::kCPU);
    });
    NamedTensors tensors = named_tensors(root, path());
    for (auto& [name, tensor] : tensors) {
      at::Tensor stored = at::empty({0}, tensor.options());
      if (const auto found = storages.find(tensor.storage().data()); found != storages.end()) {
        const Storage& storage = found->second;
        stored = values(storage.bytes, storage.size, tensor.scalar_type(), [owner = storage.owner](void*) {});
      }
      tensor = view_of(stored, tensor, path(), name);
    }
    return tensors;
  }

  // Whether the record whose data begins there is neither compressed nor encrypted, by the local header before it.
  // (Only newer versions of libtorch tell where that begins; its name and extra field have two bytes for their
  // lengths.)
  bool stored_plainly(std::size_t begin) const {
    const auto number = [&](std::size_t at) {
      uint16_t value = 0;
      std::memcpy(&value, file_->data() + at, sizeof value);
      return std::size_t{value};
    };
    for (std::size_t length = 0; length <= 2 * 0xffff && length + kZipHeaderBytes <= begin; ++length) {
      const std::size_t header = begin - kZipHeaderBytes - length;
      if (std::memcmp(file_->data() + header, "PK\3\4", 4) == 0 && number(header + 26) + number(header + 28) == length)
        return number(header + 8) == 0 && (number(header + 6) & 1) == 0;
    }
    return false;
  }

  // A record's bytes: those of the mapped file when they lie in it as they are.
  Storage zip_record(PyTorchStreamReader& zip, const std::string& name) const {
    const std::size_t size = zip.getRecordSize(name), begin = zip.getRecordOffset(name);
    if (size == 0) return {nullptr, 0, nullptr};
    if (begin > file_->size()) throw LoadError("the zip file is damaged", path(), name);
    if (stored_plainly(begin)) {
      if (size > file_->size() - begin) throw LoadError("the file is cut off", path(), name);
      return {file_->data() + begin, size, file_};
    }
    auto bytes = std::make_shared<at::DataPtr>(std::get<0>(zip.getRecord(name)));
    return {static_cast<char*>(bytes->get()), size, bytes};
  }

  void refuse_big_endian(bool little) const {
    if (!little) throw LoadError("was written on a big-endian machine", path(), {}, "Save it as safetensors there.");
  }

  // Pickles one after the other: magic number, version, facts about the machine, the dict, the storages' keys; then
  // each storage as a count (int64) and its values.
  NamedTensors read_old() {
    std::size_t at = 0;
    const auto next = [&] {
      PickleStream stream = plain_dicts(file_->text().substr(at), path());
      at += stream.length;
      return std::move(stream.bytes);
    };
    const auto no_storage = [](const std::string&) -> at::DataPtr { throw Error("a tensor stands where none may"); };
    next();
    next();
    const at::IValue machine = unpickle(next(), no_storage);
    if (machine.isGenericDict()) {
      for (const auto& fact : machine.toGenericDict()) {
        if (fact.key().isString() && fact.key().toStringRef() == "little_endian" && fact.value().isBool()) {
          refuse_big_endian(fact.value().toBool());
        }
      }
    }
    // Where a storage's values lie depends on the sizes of those before it, so tensors first get a byte that stands for
    // their storage.
    std::map<std::string, std::unique_ptr<char>> stand_ins;
    const at::IValue root = unpickle(next(), [&](const std::string& key) {
      auto& byte = stand_ins[key];
      if (!byte) byte = std::make_unique<char>();
      return at::DataPtr(byte.get(), at::kCPU);
    });
    NamedTensors tensors = named_tensors(root, path());
    std::map<const void*, at::Tensor> stored;
    for (const auto& [name, tensor] : tensors)
      stored.emplace(tensor.storage().data(), at::empty({0}, tensor.options()));
    const at::IValue keys = unpickle(next(), no_storage);
    for (const at::IValue& key : keys.toListRef()) {
      const auto stand_in = stand_ins.find(key.toStringRef());
      const auto user = stand_in == stand_ins.end() ? stored.end() : stored.find(stand_in->second.get());
      if (user == stored.end())
        throw LoadError("a storage belongs to no tensor of the state dict", path(), key.toStringRef());
      user->second = old_storage(at, user->second.scalar_type(), key.toStringRef());
    }
    for (auto& [name, tensor] : tensors) tensor = view_of(stored.at(tensor.storage().data()), tensor, path(), name);
    return tensors;
  }

  at::Tensor old_storage(std::size_t& at, c10::ScalarType dtype, const std::string& key) const {
    int64_t count = 0;
    const std::size_t item = c10::elementSize(dtype), left = file_->size() - at;
    if (left >= sizeof count) std::memcpy(&count, file_->data() + at, sizeof count);
    if (left < sizeof count || count < 0 || static_cast<uint64_t>(count) > (left - sizeof count) / item) {
      throw LoadError("the file is cut off", path(), key, "Get it again.");
    }
    char* bytes = file_->data() + at + sizeof count;
    const std::size_t size = static_cast<std::size_t>(count) * item;
    at += sizeof count + size;
    return values(bytes, size, dtype, [file = file_](void*) {});
  }

  std::shared_ptr<MappedFile> file_;
};

// The first line: the rest is a stack trace.
std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

NamedTensors read_torch_pickle(const std::string& path) {
  try {
    return StateDictReader(path).read();
  } catch (const LoadError&) {
    throw;
  } catch (const Error& error) {
    throw LoadError(error.message(), path);
  } catch (const c10::Error& error) {
    throw LoadError("cannot be read: " + first_line(error.what_without_backtrace()), path, {}, kDamaged);
  } catch (const std::exception& error) {
    throw LoadError("cannot be read: " + first_line(error.what()), path, {}, kDamaged);
  }
}

}  // namespace attnscope
