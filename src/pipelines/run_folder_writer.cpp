#include "pipelines/run_folder_writer.h"

#include <ATen/ATen.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <filesystem>

#include "base/error.h"
#include "io/atomic_file.h"
#include "io/json_file.h"
#include "io/npy.h"
#include "io/safetensors.h"
#include "pipelines/request_names.h"
#include "video/frame_writer.h"
#include "video/heatmap_overlay.h"

namespace attnscope {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr double default_fps = 8;

void make_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error || !fs::is_directory(path))
    throw WriteError("the folder cannot be made: " + (error ? error.message() : "a file is in the way"), path,
                     "Choose another --out, or check who may write there.");
}

bool is_run(const std::string& path) {
  try {
    const Json manifest = read_ordered_json_file(run_files::manifest(path));
    return manifest.is_object() && manifest.contains("format") && manifest.contains("status");
  } catch (const LoadError&) {
    return false;
  }
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

// The part of a manifest that is known before the run.
Json manifest_of(const RunRequest& request) {
  Json manifest;
  manifest["format"] = run_folder_format;
  manifest["status"] = to_string(RunStatus::incomplete);
  manifest["error"] = nullptr;
  manifest["versions"] = {{"attnscope", ATTNSCOPE_VERSION}};
  manifest["created"] = utc_now();
  manifest["config"] = request.config_name;
  manifest["mode"] = to_string(request.mode);
  manifest["prompt"] = request.prompt;
  manifest["source_prompt"] = request.source_prompt;
  manifest["negative_prompt"] = request.negative_prompt;
  manifest["maps_prompt"] = nullptr;
  manifest["tokens"] = Json::array();
  manifest["words"] = Json::array();
  manifest["model"] = {{"path", request.model.path}};
  manifest["seed"] = request.seed;
  manifest["frames"] = {{"count", 0}, {"width", 0}, {"height", 0}, {"fps", 0.0}, {"source", nullptr}};
  if (request.input.kind != InputKind::none) manifest["frames"]["source"] = request.input.path;
  manifest["layers"] = Json::array();
  manifest["capture"] = nullptr;
  manifest["heatmaps"] = {{"recipe", request.heatmaps.recipe},
                          {"colormap", request.heatmaps.colormap},
                          {"alpha", request.heatmaps.alpha},
                          {"range", request_names::name_of(request_names::ranges, request.heatmaps.range)},
                          {"max", Json::object()}};
  manifest["timings"] = Json::object();
  manifest["warnings"] = Json::array();
  return manifest;
}

at::Tensor stacked(const std::vector<HeatMap>& maps) {
  std::vector<at::Tensor> frames;
  for (const HeatMap& map : maps)
    frames.push_back(at::tensor(at::ArrayRef<float>(map.values)).view({map.height, map.width}));
  return at::stack(frames);
}

// Pictures and videos are renamed into place but not synced one by one; one call before the final status does for all.
void sync_file_system(const std::string& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  ::syncfs(fd);
  ::close(fd);
}

}  // namespace

RunFolderWriter::RunFolderWriter(const std::string& path, const RunRequest& request)
    : path_(path), request_(request), manifest_(manifest_of(request)) {
  std::error_code error;
  if (fs::exists(path, error) && !fs::is_directory(path, error))
    throw WriteError("is a file, not a folder for a run", path, "Choose another --out.");
  make_folder(path);
  const bool empty = fs::is_empty(path, error);
  if (error) throw WriteError("the folder cannot be read: " + error.message(), path);
  if (!empty && !is_run(path))
    throw WriteError("the folder is not empty and holds no earlier run", path,
                     "Choose another --out, so that nothing of yours is overwritten.");
  save();  // replaces an earlier run's status before its files go
  clear_earlier_run();
  write_file_atomic(run_files::config(path), request.config_text);
  write_file_atomic(run_files::resolved_config(path), resolved_config(request));
}

void RunFolderWriter::clear_earlier_run() {
  for (const char* name : {"frames", "heatmaps", "latents.safetensors", "maps.safetensors", "maps_heads.safetensors",
                           "maps_steps.safetensors", "output.mp4", "config.yaml", "config.resolved.yaml"}) {
    std::error_code error;
    fs::remove_all(fs::path(path_) / name, error);
    if (error)
      throw WriteError("an earlier run's file cannot be removed: " + error.message(),
                       (fs::path(path_) / name).string());
  }
}

void RunFolderWriter::set_words(const std::string& maps_prompt, const std::vector<std::string>& tokens,
                                const std::vector<RunWord>& words) {
  manifest_["maps_prompt"] = maps_prompt;
  manifest_["tokens"] = tokens;
  manifest_["words"] = Json::array();
  words_.clear();
  std::vector<std::string> taken;
  for (RunWord word : words) {
    word.folder.clear();
    manifest_["words"].push_back(to_json(word));
    word.folder = word_folder_name(word.text, taken);
    taken.push_back(word.folder);
    words_.push_back(std::move(word));
  }
}

void RunFolderWriter::set_layers(const std::vector<RunLayer>& layers) {
  manifest_["layers"] = Json::array();
  for (const RunLayer& layer : layers) manifest_["layers"].push_back(to_json(layer));
}

void RunFolderWriter::add_warning(const std::string& warning) { manifest_["warnings"].push_back(warning); }

void RunFolderWriter::write_frames(const std::string& folder, const std::vector<Image>& frames) {
  make_folder(folder);
  for (std::size_t i = 0; i < frames.size(); ++i)
    write_png((fs::path(folder) / run_files::picture_name(static_cast<int>(i))).string(), frames[i]);
}

void RunFolderWriter::write_source_frames(const std::vector<Image>& frames) {
  write_frames(fs::path(run_files::source_frame(path_, 0)).parent_path().string(), frames);
}

void RunFolderWriter::write_output_frames(const std::vector<Image>& frames, double fps) {
  write_frames(fs::path(run_files::output_frame(path_, 0)).parent_path().string(), frames);
  if (request_.exports.video && frames.size() > 1)
    write_video(run_files::output_video(path_), frames, fps > 0 ? fps : default_fps);
}

void RunFolderWriter::write_latents(const at::Tensor& initial, const at::Tensor& final) {
  NamedTensors tensors;
  if (initial.defined()) tensors.emplace_back("initial", initial.to(at::kFloat));
  if (final.defined()) tensors.emplace_back("final", final.to(at::kFloat));
  if (!tensors.empty()) save_safetensors(run_files::latents(path_), tensors);
}

void RunFolderWriter::write_maps(const CrossMaps& maps) {
  const auto save = [&](const std::string& path, at::Tensor LayerMaps::*part) {
    NamedTensors tensors;
    for (const LayerMaps& layer : maps.layers)
      if ((layer.*part).defined()) tensors.emplace_back(layer.key, layer.*part);
    if (tensors.empty()) return;
    save_safetensors(
        path, tensors,
        {{"latent_height", std::to_string(maps.latent_height)}, {"latent_width", std::to_string(maps.latent_width)}});
  };
  save(run_files::maps(path_), &LayerMaps::maps);
  save(run_files::head_maps(path_), &LayerMaps::heads);
  save(run_files::step_maps(path_), &LayerMaps::steps);
}

void RunFolderWriter::write_heatmaps(const RunWord& word, const std::vector<HeatMap>& maps,
                                     const std::vector<Image>& frames, double fps) {
  const auto found = std::find_if(words_.begin(), words_.end(), [&](const RunWord& known) {
    return known.text == word.text && known.tokens == word.tokens;
  });
  if (found == words_.end()) throw Error("no such word in the prompt of this run: '" + word.text + "'");
  if (maps.empty() || maps.size() != frames.size())
    throw ShapeError(std::to_string(maps.size()) + " heat maps of '" + word.text + "' for " +
                     std::to_string(frames.size()) + " frames");
  const std::vector<ValueRange> ranges = value_ranges(maps, request_.heatmaps.range);
  const fs::path folder = fs::path(run_files::heatmaps(path_)) / found->folder;
  const auto beside = [&](const char* extension) { return folder.string() + extension; };
  const ExportOptions& exports = request_.exports;
  make_folder(folder.string());

  std::vector<Image> overlays;
  if (exports.png || exports.video)
    for (std::size_t i = 0; i < maps.size(); ++i)
      overlays.push_back(
          overlay(frames[i], maps[i], ranges[i], request_.heatmaps.alpha, color_map(request_.heatmaps.colormap)));
  if (exports.png) write_frames(folder.string(), overlays);
  if (exports.video && overlays.size() > 1) write_video(beside(".mp4"), overlays, fps > 0 ? fps : default_fps);
  if (exports.png16) {
    make_folder((folder / "values").string());
    for (std::size_t i = 0; i < maps.size(); ++i)
      write_png16((folder / "values" / run_files::picture_name(static_cast<int>(i))).string(),
                  to_u16(maps[i], ranges[i]));
  }
  if (exports.npz) save_npz(beside(".npz"), {{"maps", stacked(maps)}});

  manifest_["words"][static_cast<std::size_t>(found - words_.begin())] = to_json(*found);
  Json& maxima = manifest_["heatmaps"]["max"][found->folder] = Json::array();
  for (const ValueRange& range : ranges) maxima.push_back(range.max);
}

void RunFolderWriter::save() { write_json_file(run_files::manifest(path_), manifest_); }

void RunFolderWriter::finish(RunStatus status, const std::string& error) {
  save();
  sync_file_system(path_);
  manifest_["status"] = to_string(status);
  if (!error.empty()) manifest_["error"] = error;
  save();
}

}  // namespace attnscope
