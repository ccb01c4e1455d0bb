#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "attention/cross_maps.h"
#include "base/image.h"

namespace attnscope {

// The manifest's "format"; a reader refuses larger ones.
constexpr int run_folder_format = 1;

// A word of the prompt and the positions of its tokens (0 = BOS).
struct RunWord {
  std::string text;
  std::vector<int> tokens;
  std::string folder;  // below heatmaps/; "" when no heat maps of it were written
};

// One captured or plain attention layer as the manifest lists it.
struct RunLayer {
  std::string key;
  std::string place;  // down | mid | up
  std::string processor;
  int height = 0, width = 0, heads = 0, head_dim = 0, cross_dim = 0;  // cross_dim 0: self-attention
  int64_t calls = 0;
  bool captured = false;
};

enum class RunStatus { complete, cancelled, failed, incomplete };
std::string to_string(RunStatus status);

nlohmann::ordered_json to_json(const RunWord& word);
nlohmann::ordered_json to_json(const RunLayer& layer);

// A run folder read back, without the model. docs/run-folder.md describes the files.
class RunFolder {
 public:
  // Throws LoadError when `path` is not a run folder, was written by a newer version, or its manifest does not hold
  // what it should (names the field).
  static RunFolder open(const std::string& path);

  const std::string& path() const { return path_; }
  const nlohmann::ordered_json& manifest() const { return manifest_; }
  RunStatus status() const { return status_; }
  const std::string& error() const { return error_; }                 // why it failed; "" otherwise
  const std::string& prompt() const { return prompt_; }               // the one the maps belong to
  const std::vector<std::string>& tokens() const { return tokens_; }  // readable text of every token, BOS first
  const std::vector<RunWord>& words() const { return words_; }
  const std::vector<RunLayer>& layers() const { return layers_; }
  const std::vector<std::string>& warnings() const { return warnings_; }
  int frames() const { return frames_; }
  double fps() const { return fps_; }  // 0: the input has no rate

  bool has_source_frames() const;
  bool has_output_frames() const;
  // Throw LoadError when the picture is missing or unreadable.
  Image source_frame(int index) const;
  Image output_frame(int index) const;
  bool has_maps() const;
  // The tensors lie over the mapped file. Throws LoadError when the file is missing, damaged, or does not fit the
  // manifest.
  CrossMaps maps() const;

 private:
  std::string path_;
  nlohmann::ordered_json manifest_;
  RunStatus status_ = RunStatus::incomplete;
  std::string error_, prompt_;
  std::vector<std::string> tokens_, warnings_;
  std::vector<RunWord> words_;
  std::vector<RunLayer> layers_;
  int frames_ = 0;
  double fps_ = 0;
};

// Where things lie in a run folder, for its reader and its writer.
namespace run_files {
std::string manifest(const std::string& run);
std::string config(const std::string& run);
std::string resolved_config(const std::string& run);
std::string latents(const std::string& run);
std::string maps(const std::string& run);
std::string head_maps(const std::string& run);
std::string step_maps(const std::string& run);
std::string source_frame(const std::string& run, int index);
std::string output_frame(const std::string& run, int index);
std::string output_video(const std::string& run);
std::string heatmaps(const std::string& run);
std::string picture_name(int index);  // "0000.png"
}  // namespace run_files

// A name for the folder of a word that every file system takes (letters of any script are kept), and that differs,
// upper and lower case being one, from all of `taken`: a repeat of "a" is "a#2".
std::string word_folder_name(const std::string& word, const std::vector<std::string>& taken);

}  // namespace attnscope
