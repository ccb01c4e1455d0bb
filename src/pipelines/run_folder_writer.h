#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "attention/cross_maps.h"
#include "base/image.h"
#include "pipelines/run_folder.h"
#include "pipelines/run_request.h"

namespace attnscope {

// Writes a run folder. manifest.json says "incomplete" from the first moment and gets its final status last, so a
// crash leaves a folder that is either complete or marked. Every write is checked; errors are WriteError.
class RunFolderWriter {
 public:
  // Creates the folder (parents too). An earlier run in it is removed first, and nothing but the files of a run; any
  // other non-empty folder is refused. Fails before anything is computed when the folder cannot be written.
  RunFolderWriter(const std::string& path, const RunRequest& request);

  const std::string& path() const { return path_; }
  // What the manifest will hold. The request's part is there from the start; the caller fills in what it learns
  // (docs/run-folder.md lists the keys). It reaches the disk with save() and finish().
  nlohmann::ordered_json& manifest() { return manifest_; }

  // The words of the prompt that the maps belong to, all of them and in order; gives each its folder name.
  void set_words(const std::string& maps_prompt, const std::vector<std::string>& tokens,
                 const std::vector<RunWord>& words);
  void set_layers(const std::vector<RunLayer>& layers);
  void add_warning(const std::string& warning);

  void write_source_frames(const std::vector<Image>& frames);
  // The pictures, and output.mp4 when there are several and `request.exports` asks for video. fps 0: 8.
  void write_output_frames(const std::vector<Image>& frames, double fps);
  // [frames, 4, h, w]; either may be undefined.
  void write_latents(const at::Tensor& initial, const at::Tensor& final);
  void write_maps(const CrossMaps& maps);
  // heatmaps/<word>: overlays over `frames` (one each), video, bare 16-bit PNG and NPZ as `request.exports` asks.
  // `word` is one of set_words().
  void write_heatmaps(const RunWord& word, const std::vector<HeatMap>& maps, const std::vector<Image>& frames,
                      double fps);

  // The manifest as it is now, still "incomplete".
  void save();
  // Once, last. Everything is on the disk before the status is.
  void finish(RunStatus status, const std::string& error = {});

 private:
  void clear_earlier_run();
  void write_frames(const std::string& folder, const std::vector<Image>& frames);

  std::string path_;
  RunRequest request_;
  nlohmann::ordered_json manifest_;
  std::vector<RunWord> words_;
};

}  // namespace attnscope
