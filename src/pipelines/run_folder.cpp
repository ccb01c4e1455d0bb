#include "pipelines/run_folder.h"

#include <ATen/ATen.h>

#include <filesystem>

#include "base/error.h"
#include "io/json_file.h"
#include "io/safetensors.h"
#include "pipelines/manifest_reader.h"
#include "video/frame_reader.h"

namespace attnscope {
namespace {

namespace fs = std::filesystem;

constexpr std::pair<RunStatus, const char*> status_names[] = {{RunStatus::complete, "complete"},
                                                              {RunStatus::cancelled, "cancelled"},
                                                              {RunStatus::failed, "failed"},
                                                              {RunStatus::incomplete, "incomplete"}};

RunStatus status_from(const ManifestReader& manifest) {
  const std::string name = manifest.text("status");
  for (const auto& [status, known] : status_names)
    if (name == known) return status;
  manifest.fail("status", "is '" + name + "', not complete, cancelled, failed or incomplete");
}

RunWord word_from(const ManifestReader& entry) {
  RunWord word{entry.text("text"), {}, entry.text("folder", "")};
  for (const ManifestReader& token : entry.list("tokens")) word.tokens.push_back(static_cast<int>(token.whole()));
  if (word.folder.find('/') != std::string::npos || word.folder == "." || word.folder == "..")
    entry.fail("folder", "must name a folder below heatmaps/");
  return word;
}

RunLayer layer_from(const ManifestReader& entry) {
  RunLayer layer;
  layer.key = entry.text("key");
  layer.place = entry.text("place", "");
  layer.processor = entry.text("processor", "");
  const auto size = [&](const char* key) { return static_cast<int>(entry.whole(key, 0)); };
  layer.height = size("height");
  layer.width = size("width");
  layer.heads = size("heads");
  layer.head_dim = size("head_dim");
  layer.cross_dim = size("cross_dim");
  layer.calls = entry.whole("calls", 0);
  layer.captured = entry.flag("captured", false);
  return layer;
}

int latent_side(const SafetensorsFile& file, const std::string& key) {
  const auto found = file.metadata().find(key);
  int value = 0;
  if (found != file.metadata().end()) {
    try {
      value = std::stoi(found->second);
    } catch (const std::exception&) {
    }
  }
  if (value <= 0) throw LoadError("metadata must hold a whole number over 0", file.path(), key);
  return value;
}

Image read_frame(const std::string& path, int index, int frames) {
  if (index < 0 || index >= frames)
    throw LoadError("the run has " + std::to_string(frames) + " frames, there is no frame " + std::to_string(index),
                    path);
  return read_picture(path);
}

bool exists(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error);
}

}  // namespace

std::string to_string(RunStatus status) {
  for (const auto& [known, name] : status_names)
    if (known == status) return name;
  return {};
}

nlohmann::ordered_json to_json(const RunWord& word) {
  nlohmann::ordered_json entry = {{"text", word.text}, {"tokens", word.tokens}};
  if (!word.folder.empty()) entry["folder"] = word.folder;
  return entry;
}

nlohmann::ordered_json to_json(const RunLayer& layer) {
  return {{"key", layer.key},           {"place", layer.place},         {"processor", layer.processor},
          {"height", layer.height},     {"width", layer.width},         {"heads", layer.heads},
          {"head_dim", layer.head_dim}, {"cross_dim", layer.cross_dim}, {"calls", layer.calls},
          {"captured", layer.captured}};
}

RunFolder RunFolder::open(const std::string& path) {
  std::error_code error;
  if (!fs::exists(path, error)) throw LoadError("run folder not found", path);
  if (!fs::is_directory(path, error)) throw LoadError("is a file, not a run folder", path);
  const std::string file = run_files::manifest(path);
  const std::string hint = "A run folder is what `attnscope-cli run` writes.";
  if (!exists(file)) throw LoadError("not a run folder: it holds no manifest.json", path, {}, hint);

  RunFolder run;
  run.path_ = path;
  run.manifest_ = read_ordered_json_file(file);
  const ManifestReader manifest(run.manifest_, file);
  if (!run.manifest_.is_object() || !run.manifest_.contains("format") || !run.manifest_.contains("status"))
    throw LoadError("not the manifest of a run", file, {}, hint);
  const int64_t format = manifest.whole("format");
  if (format > run_folder_format)
    throw LoadError("written by a newer version: run folder format " + std::to_string(format) +
                        ", this version reads " + std::to_string(run_folder_format),
                    file, {}, "Open it with a newer AttnScope.");
  if (format < 1) manifest.fail("format", "must be 1 or more");
  run.status_ = status_from(manifest);
  run.error_ = manifest.text("error", "");
  run.prompt_ = manifest.text("maps_prompt", "");
  for (const ManifestReader& token : manifest.list("tokens")) run.tokens_.push_back(token.text());
  for (const ManifestReader& entry : manifest.list("words")) run.words_.push_back(word_from(entry));
  for (const ManifestReader& entry : manifest.list("layers")) run.layers_.push_back(layer_from(entry));
  for (const ManifestReader& warning : manifest.list("warnings")) run.warnings_.push_back(warning.text());
  const ManifestReader frames = manifest.object("frames");
  run.frames_ = static_cast<int>(frames.whole("count", 0));
  run.fps_ = frames.number("fps", 0);
  return run;
}

bool RunFolder::has_source_frames() const { return exists(run_files::source_frame(path_, 0)); }
bool RunFolder::has_output_frames() const { return exists(run_files::output_frame(path_, 0)); }
bool RunFolder::has_maps() const { return exists(run_files::maps(path_)); }

Image RunFolder::source_frame(int index) const {
  return read_frame(run_files::source_frame(path_, index), index, frames_);
}

Image RunFolder::output_frame(int index) const {
  return read_frame(run_files::output_frame(path_, index), index, frames_);
}

CrossMaps RunFolder::maps() const {
  const auto file = SafetensorsFile::open(run_files::maps(path_));
  CrossMaps maps;
  maps.latent_height = latent_side(*file, "latent_height");
  maps.latent_width = latent_side(*file, "latent_width");
  for (const std::string& key : file->keys()) {
    const TensorInfo& info = file->info(key);
    if (info.dtype != c10::ScalarType::Float || info.sizes.size() != 4)
      throw LoadError("must be float32 [frames, tokens, h, w]", file->path(), key);
    if (info.sizes[0] != frames_)
      throw LoadError(
          "holds " + std::to_string(info.sizes[0]) + " frames, the manifest says " + std::to_string(frames_),
          file->path(), key);
    if (!maps.layers.empty() && info.sizes[1] != maps.tokens())
      throw LoadError(
          "holds " + std::to_string(info.sizes[1]) + " tokens, the layer before it " + std::to_string(maps.tokens()),
          file->path(), key);
    if (info.bytes == 0) throw LoadError("is empty", file->path(), key);
    maps.layers.push_back({key, file->tensor(key), {}, {}});
  }
  return maps;
}

}  // namespace attnscope
