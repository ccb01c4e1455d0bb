#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "io/safetensors.h"

namespace attnscope {

// The tensors of one component, whatever kind of files hold them. Opening reads headers only, but for .bin pickles.
class TensorSource {
 public:
  // The weights in a component's folder: safetensors before .bin, whole or in shards. `variant` "fp16" reads
  // diffusion_pytorch_model.fp16.safetensors and the like, and nothing else. LoadError lists what was looked for; also
  // for an index whose shards are missing or do not hold what it says.
  static TensorSource open(const std::string& folder, const std::string& variant = {});
  // One .safetensors, .bin, .pt or .pth file.
  static TensorSource open_file(const std::string& path);
  // Tensors from elsewhere; `name` stands for the file in messages.
  static TensorSource from(const NamedTensors& tensors, const std::string& name);

  // Whether open() would find files.
  static bool exists(const std::string& folder, const std::string& variant = {});

  // The file, or for shards their index.
  const std::string& name() const { return name_; }
  // All files read, for hashing.
  const std::vector<std::string>& files() const { return files_; }
  const std::vector<std::string>& keys() const { return keys_; }
  bool contains(const std::string& key) const { return entries_.count(key) != 0; }
  // The file that holds a tensor.
  const std::string& file_of(const std::string& key) const;
  TensorInfo info(const std::string& key) const;
  // See SafetensorsFile::tensor(): a view of the mapped file.
  at::Tensor tensor(const std::string& key) const;
  // Lets the system take back the memory of a tensor's pages that were read and copied elsewhere.
  void release(const std::string& key) const;
  int64_t bytes() const;

 private:
  struct Entry {
    std::string file;
    std::shared_ptr<SafetensorsFile> safetensors;  // null: `tensor` holds it
    at::Tensor tensor;
  };
  const Entry& entry(const std::string& key) const;
  void add_file(const std::string& path);
  void add(const std::string& key, Entry entry);
  void add_shards(const std::string& index_path);

  std::string name_;
  std::vector<std::string> files_, keys_;
  std::map<std::string, Entry> entries_;
};

}  // namespace attnscope
