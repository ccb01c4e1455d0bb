#include "io/safetensors.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <set>

#include "base/error.h"
#include "io/atomic_file.h"
#include "io/json_file.h"

namespace attnscope {
namespace {

static_assert(std::endian::native == std::endian::little, "tensor bytes are used as they lie in the file");

constexpr uint64_t kLengthBytes = 8;
constexpr uint64_t kMostHeaderBytes = 100'000'000;  // the format's own limit

struct DtypeName {
  const char* name;
  c10::ScalarType dtype;
};

constexpr DtypeName kDtypes[] = {
    {"BOOL", at::kBool},
    {"U8", at::kByte},
    {"I8", at::kChar},
    {"U16", at::kUInt16},
    {"I16", at::kShort},
    {"U32", at::kUInt32},
    {"I32", at::kInt},
    {"U64", at::kUInt64},
    {"I64", at::kLong},
    {"F16", at::kHalf},
    {"BF16", at::kBFloat16},
    {"F32", at::kFloat},
    {"F64", at::kDouble},
    {"F8_E4M3", at::kFloat8_e4m3fn},
    {"F8_E5M2", at::kFloat8_e5m2},
};

// Header numbers are unsigned; anything else (negative, fraction, text) is refused.
uint64_t read_unsigned(const nlohmann::json& value, const char* what, const std::string& file, const std::string& key) {
  if (!value.is_number_unsigned() || value.get<uint64_t>() > uint64_t{INT64_MAX}) {
    throw LoadError(std::string(what) + " must be whole numbers from 0, not " + value.dump(), file, key,
                    "The file is damaged; get it again.");
  }
  return value.get<uint64_t>();
}

const nlohmann::json& member(const nlohmann::json& entry, const char* name, const std::string& file,
                             const std::string& key) {
  const auto found = entry.find(name);
  if (found == entry.end()) throw LoadError("the header has no \"" + std::string(name) + "\" for it", file, key);
  return *found;
}

TensorInfo read_info(const nlohmann::json& entry, const std::string& file, const std::string& key) {
  TensorInfo info;
  const auto& dtype = member(entry, "dtype", file, key);
  const auto known = std::find_if(std::begin(kDtypes), std::end(kDtypes),
                                  [&](const DtypeName& candidate) { return dtype == candidate.name; });
  if (known == std::end(kDtypes)) throw LoadError("unknown dtype " + dtype.dump(), file, key);
  info.dtype = known->dtype;
  const auto& shape = member(entry, "shape", file, key);
  if (!shape.is_array()) throw LoadError("the shape must be a list, not " + shape.dump(), file, key);
  uint64_t bytes = c10::elementSize(info.dtype);
  for (const auto& size : shape) {
    info.sizes.push_back(static_cast<int64_t>(read_unsigned(size, "sizes", file, key)));
    if (__builtin_mul_overflow(bytes, static_cast<uint64_t>(info.sizes.back()), &bytes) || bytes > INT64_MAX) {
      throw LoadError("shape " + shape.dump() + " is larger than any memory", file, key);
    }
  }
  info.bytes = static_cast<int64_t>(bytes);
  return info;
}

}  // namespace

std::string safetensors_dtype_name(c10::ScalarType dtype) {
  for (const auto& known : kDtypes)
    if (known.dtype == dtype) return known.name;
  return {};
}

std::shared_ptr<SafetensorsFile> SafetensorsFile::open(const std::string& path) {
  std::shared_ptr<SafetensorsFile> file(new SafetensorsFile);
  file->file_ = MappedFile::open(path);
  file->parse_header();
  return file;
}

void SafetensorsFile::parse_header() {
  const std::string& path = file_->path();
  const std::string cut_hint = file_hint(file_->text());
  if (file_->size() < kLengthBytes) throw LoadError("too short for a safetensors header", path, {}, cut_hint);
  uint64_t length = 0;
  std::memcpy(&length, file_->data(), kLengthBytes);
  if (length > kMostHeaderBytes || length > file_->size() - kLengthBytes) {
    throw LoadError("the header claims " + std::to_string(length) + " bytes, the file has " +
                        std::to_string(file_->size() - kLengthBytes),
                    path, {}, cut_hint);
  }
  const auto header = parse_json(file_->text().substr(kLengthBytes, length), path);
  if (!header.is_object()) throw LoadError("the header is not a JSON object", path);
  data_ = file_->data() + kLengthBytes + length;

  for (const auto& [key, value] : header.items()) {
    if (!value.is_object()) throw LoadError("the header entry is not an object", path, key);
    if (key == "__metadata__") {
      for (const auto& [name, text] : value.items()) {
        if (!text.is_string()) throw LoadError("metadata \"" + name + "\" is not text", path, key);
        metadata_.emplace(name, text.get<std::string>());
      }
      continue;
    }
    Entry entry{read_info(value, path, key)};
    const auto& offsets = member(value, "data_offsets", path, key);
    if (!offsets.is_array() || offsets.size() != 2) {
      throw LoadError("data_offsets must be two numbers, not " + offsets.dump(), path, key);
    }
    entry.begin = read_unsigned(offsets[0], "data_offsets", path, key);
    entry.end = read_unsigned(offsets[1], "data_offsets", path, key);
    entries_.emplace(key, std::move(entry));
    keys_.push_back(key);
  }
  check_layout(file_->size() - kLengthBytes - length);
}

void SafetensorsFile::check_layout(uint64_t data_bytes) {
  std::stable_sort(keys_.begin(), keys_.end(), [&](const std::string& a, const std::string& b) {
    const Entry &first = entries_.at(a), &second = entries_.at(b);
    return std::pair(first.begin, first.end) < std::pair(second.begin, second.end);
  });
  const std::string& path = file_->path();
  const char* hint = "The file is damaged; get it again.";
  uint64_t expected = 0;
  for (const std::string& key : keys_) {
    const Entry& entry = entries_.at(key);
    const std::string range = std::to_string(entry.begin) + " to " + std::to_string(entry.end);
    if (entry.end < entry.begin) throw LoadError("its data ends before it begins: " + range, path, key, hint);
    if (entry.end > data_bytes) {
      throw LoadError("its data (bytes " + range + ") reaches past the end of the file, which has " +
                          std::to_string(data_bytes) + " bytes of data",
                      path, key, "The file is cut off; get it again.");
    }
    if (entry.begin < expected)
      throw LoadError("its data (bytes " + range + ") overlaps another tensor's", path, key, hint);
    if (entry.begin > expected) {
      throw LoadError("bytes " + std::to_string(expected) + " to " + std::to_string(entry.begin) +
                          " before its data belong to no tensor",
                      path, key, hint);
    }
    if (entry.end - entry.begin != static_cast<uint64_t>(entry.info.bytes)) {
      throw LoadError("its data has " + std::to_string(entry.end - entry.begin) + " bytes, its shape and dtype need " +
                          std::to_string(entry.info.bytes),
                      path, key, hint);
    }
    expected = entry.end;
  }
  if (expected != data_bytes) {
    throw LoadError("the last " + std::to_string(data_bytes - expected) + " bytes belong to no tensor", path, {}, hint);
  }
}

const SafetensorsFile::Entry& SafetensorsFile::entry(const std::string& key) const {
  const auto found = entries_.find(key);
  if (found != entries_.end()) return found->second;
  const std::string nearest = nearest_name(key, keys_);
  throw LoadError("no such tensor", path(), key, nearest.empty() ? "" : "Did you mean " + nearest + "?");
}

const TensorInfo& SafetensorsFile::info(const std::string& key) const { return entry(key).info; }

at::Tensor SafetensorsFile::tensor(const std::string& key) const {
  const Entry& found = entry(key);
  const auto options = at::TensorOptions().dtype(found.info.dtype);
  if (found.info.bytes == 0) return at::empty(found.info.sizes, options);
  char* bytes = data_ + found.begin;
  if (reinterpret_cast<uintptr_t>(bytes) % c10::elementSize(found.info.dtype) != 0) {
    at::Tensor copy = at::empty(found.info.sizes, options);
    std::memcpy(copy.mutable_data_ptr(), bytes, static_cast<std::size_t>(found.info.bytes));
    return copy;
  }
  return at::from_blob(
      bytes, found.info.sizes, [file = file_](void*) {}, options);
}

void SafetensorsFile::release(const std::string& key) const {
  const Entry& found = entry(key);
  file_->release(data_ + found.begin, static_cast<std::size_t>(found.info.bytes));
}

NamedTensors SafetensorsFile::tensors() const {
  NamedTensors all;
  for (const std::string& key : keys_) all.emplace_back(key, tensor(key));
  return all;
}

void save_safetensors(const std::string& path, const NamedTensors& tensors,
                      const std::map<std::string, std::string>& metadata) {
  std::vector<const NamedTensors::value_type*> ordered;
  std::set<std::string> names{"__metadata__"};
  for (const auto& named : tensors) {
    if (!names.insert(named.first).second)
      throw WriteError("the tensor name " + named.first + " cannot be used twice", path);
    if (!named.second.defined()) throw WriteError("the tensor " + named.first + " has no value", path);
    if (safetensors_dtype_name(named.second.scalar_type()).empty()) {
      throw WriteError("safetensors files cannot hold " + std::string(c10::toString(named.second.scalar_type())) +
                           " (" + named.first + ")",
                       path);
    }
    ordered.push_back(&named);
  }
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](auto* a, auto* b) { return a->second.element_size() > b->second.element_size(); });

  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  if (!metadata.empty()) header["__metadata__"] = metadata;
  uint64_t offset = 0;
  for (const auto* named : ordered) {
    const uint64_t end = offset + static_cast<uint64_t>(named->second.numel()) * named->second.element_size();
    // push_back, because [] searches from the start each time
    header.get_ref<nlohmann::ordered_json::object_t&>().push_back(
        {named->first,
         {{"dtype", safetensors_dtype_name(named->second.scalar_type())},
          {"shape", named->second.sizes().vec()},
          {"data_offsets", {offset, end}}}});
    offset = end;
  }
  std::string text = header.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  text.resize((text.size() + 7) / 8 * 8, ' ');

  AtomicFile file(path);
  const uint64_t length = text.size();
  file.write(&length, sizeof length);
  file.write(text);
  for (const auto* named : ordered) {
    const at::Tensor dense = named->second.detach().to(at::kCPU).contiguous();
    file.write(dense.const_data_ptr(), dense.nbytes());
  }
  file.commit();
}

}  // namespace attnscope
