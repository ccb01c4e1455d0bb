#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "io/mapped_file.h"

namespace attnscope {

using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

struct TensorInfo {
  c10::ScalarType dtype;
  std::vector<int64_t> sizes;
  int64_t bytes = 0;
};

// A .safetensors file, memory-mapped (format: 8 bytes little-endian header length, JSON header, data).
// The header is checked in full when the file is opened: length, JSON, duplicate names, dtypes, shapes, and offsets
// that overlap, leave holes or do not end with the file are each a LoadError that names the file and the tensor.
class SafetensorsFile {
 public:
  static std::shared_ptr<SafetensorsFile> open(const std::string& path);

  const std::string& path() const { return file_->path(); }
  // In the order of their data in the file.
  const std::vector<std::string>& keys() const { return keys_; }
  bool contains(const std::string& key) const { return entries_.count(key) != 0; }
  // LoadError, with the nearest name, when there is no such tensor.
  const TensorInfo& info(const std::string& key) const;
  // A CPU tensor over the mapped bytes (no copy, keeps the file mapped). Writing into it does not change the file.
  // Data that is not aligned for its dtype is copied.
  at::Tensor tensor(const std::string& key) const;
  // Lets the system take back the memory of this tensor's pages. What was written into its views is lost with them.
  void release(const std::string& key) const;
  // All of them, in file order.
  NamedTensors tensors() const;
  const std::map<std::string, std::string>& metadata() const { return metadata_; }

 private:
  struct Entry {
    TensorInfo info;
    uint64_t begin = 0;
    uint64_t end = 0;
  };
  SafetensorsFile() = default;
  void parse_header();
  void check_layout(uint64_t data_bytes);
  const Entry& entry(const std::string& key) const;

  std::shared_ptr<MappedFile> file_;
  std::map<std::string, Entry> entries_;
  std::vector<std::string> keys_;
  std::map<std::string, std::string> metadata_;
  char* data_ = nullptr;
};

// Any dense tensors, on any device, any strides; written one by one, atomically. Wider dtypes come first in the file,
// so that all data is aligned; otherwise the order given. WriteError names the file; Error for a name given twice.
void save_safetensors(const std::string& path, const NamedTensors& tensors,
                      const std::map<std::string, std::string>& metadata = {});

// "F32", "BF16", …; "" for a dtype the format does not have.
std::string safetensors_dtype_name(c10::ScalarType dtype);

}  // namespace attnscope
