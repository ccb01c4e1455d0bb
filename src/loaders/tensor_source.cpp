#include "loaders/tensor_source.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/error.h"
#include "io/json_file.h"
#include "io/torch_pickle.h"

namespace attnscope {
namespace fs = std::filesystem;
namespace {

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// File names in the order of preference. diffusers looks for shards first, transformers for the whole file.
std::vector<std::string> candidates(const std::string& variant) {
  const std::string dot = variant.empty() ? "" : "." + variant;
  std::vector<std::string> names;
  const auto add = [&](const std::string& stem, const std::string& extension, bool shards_first) {
    const std::string whole = stem + dot + extension;
    std::vector<std::string> shards{stem + extension + ".index" + dot + ".json"};
    // The place of the variant in an index's name has changed over time.
    if (!dot.empty()) shards.push_back(stem + dot + extension + ".index.json");
    if (!shards_first) names.push_back(whole);
    names.insert(names.end(), shards.begin(), shards.end());
    if (shards_first) names.push_back(whole);
  };
  add("diffusion_pytorch_model", ".safetensors", true);
  add("model", ".safetensors", false);
  add("diffusion_pytorch_model", ".bin", true);
  add("pytorch_model", ".bin", false);
  return names;
}

// The path of the first candidate that is there, or "".
std::string find_weights(const std::string& folder, const std::string& variant) {
  std::error_code error;
  for (const std::string& name : candidates(variant)) {
    const fs::path path = fs::path(folder) / name;
    if (fs::exists(path, error)) return path.string();
  }
  return {};
}

}  // namespace

bool TensorSource::exists(const std::string& folder, const std::string& variant) {
  return !find_weights(folder, variant).empty();
}

TensorSource TensorSource::open(const std::string& folder, const std::string& variant) {
  std::error_code error;
  if (!fs::exists(folder, error)) throw LoadError("no such folder", folder, {}, "Check the path.");
  if (!fs::is_directory(folder, error)) throw LoadError("is a file, not a model folder", folder);
  if (variant.find_first_of("/\\") != std::string::npos)
    throw LoadError("\"" + variant + "\" is not a variant", folder);
  const std::string path = find_weights(folder, variant);
  if (path.empty()) {
    std::string looked_for;
    for (const std::string& name : candidates(variant)) looked_for += (looked_for.empty() ? "" : ", ") + name;
    const std::string plain = variant.empty() ? "" : find_weights(folder, "");
    throw LoadError(
        variant.empty() ? "holds no weights" : "holds no weights of the variant " + variant, folder, {},
        "Looked for " + looked_for + "." +
            (plain.empty() ? "" : " Without a variant there is " + fs::path(plain).filename().string() + "."));
  }
  if (!ends_with(path, ".json")) return open_file(path);
  TensorSource source;
  source.name_ = path;
  source.add_shards(path);
  return source;
}

TensorSource TensorSource::open_file(const std::string& path) {
  TensorSource source;
  source.name_ = path;
  source.add_file(path);
  return source;
}

TensorSource TensorSource::from(const NamedTensors& tensors, const std::string& name) {
  TensorSource source;
  source.name_ = name;
  for (const auto& [key, tensor] : tensors) source.add(key, {name, nullptr, tensor});
  return source;
}

void TensorSource::add(const std::string& key, Entry entry) {
  const std::string file = entry.file;
  const auto [place, added] = entries_.emplace(key, std::move(entry));
  if (!added) throw LoadError("the tensor is also in " + place->second.file, file, key);
  keys_.push_back(key);
}

void TensorSource::add_file(const std::string& path) {
  files_.push_back(path);
  const std::string extension = fs::path(path).extension().string();
  if (extension == ".bin" || extension == ".pt" || extension == ".pth") {
    for (auto& [key, tensor] : read_torch_pickle(path)) add(key, {path, nullptr, tensor});
    return;
  }
  const auto file = SafetensorsFile::open(path);
  for (const std::string& key : file->keys()) add(key, {path, file, {}});
}

void TensorSource::add_shards(const std::string& index_path) {
  const auto index = read_json_file(index_path);
  const auto map = index.is_object() ? index.find("weight_map") : index.end();
  if (!index.is_object() || map == index.end() || !map->is_object() || map->empty()) {
    throw LoadError("is no index of shards: it has no weight_map", index_path);
  }
  std::set<std::string> shards;
  for (const auto& [key, value] : map->items()) {
    const std::string name = value.is_string() ? value.get<std::string>() : std::string();
    // An index from the net must not reach into other folders.
    if (name.empty() || name == "." || name == ".." || name.find_first_of("/\\") != std::string::npos) {
      throw LoadError("the shard must be a file name, not " + value.dump(), index_path, key);
    }
    shards.insert(name);
  }
  files_.push_back(index_path);
  const fs::path folder = fs::path(index_path).parent_path();
  for (const std::string& name : shards) {
    const std::string path = (folder / name).string();
    if (!fs::exists(path)) {
      throw LoadError("the shard " + name + " is missing", index_path, {}, "Get it into the same folder.");
    }
    add_file(path);
  }
  for (const auto& [key, value] : map->items()) {
    const std::string name = value.get<std::string>();
    const auto found = entries_.find(key);
    if (found == entries_.end() || fs::path(found->second.file).filename() != name) {
      throw LoadError("the shard " + name + " does not hold this tensor", index_path, key,
                      "Index and shards do not belong together; get them again.");
    }
  }
}

const TensorSource::Entry& TensorSource::entry(const std::string& key) const {
  const auto found = entries_.find(key);
  if (found != entries_.end()) return found->second;
  const std::string nearest = nearest_name(key, keys_);
  throw LoadError("no such tensor", name_, key, nearest.empty() ? "" : "Did you mean " + nearest + "?");
}

const std::string& TensorSource::file_of(const std::string& key) const { return entry(key).file; }

TensorInfo TensorSource::info(const std::string& key) const {
  const Entry& found = entry(key);
  if (found.safetensors) return found.safetensors->info(key);
  return {found.tensor.scalar_type(), found.tensor.sizes().vec(), static_cast<int64_t>(found.tensor.nbytes())};
}

at::Tensor TensorSource::tensor(const std::string& key) const {
  const Entry& found = entry(key);
  return found.safetensors ? found.safetensors->tensor(key) : found.tensor;
}

void TensorSource::release(const std::string& key) const {
  const Entry& found = entry(key);
  if (found.safetensors) found.safetensors->release(key);
}

int64_t TensorSource::bytes() const {
  int64_t total = 0;
  for (const std::string& key : keys_) total += info(key).bytes;
  return total;
}

}  // namespace attnscope
