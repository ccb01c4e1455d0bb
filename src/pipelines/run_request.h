#pragma once
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/node.h"
#include "video/frame_reader.h"
#include "video/heatmap_overlay.h"

namespace attnscope {

enum class RunMode { generate, inspect, reconstruct, edit };

struct ModelOptions {
  std::string path;               // absolute
  std::string dtype = "float32";  // float32 | bfloat16 | float16
  std::string device = "auto";    // auto | cpu | cuda[:N]
  bool vae_tiling = false;        // code frames larger than the VAE's sample_size in tiles, which bounds memory
};

struct InputOptions : FrameSelection {
  InputKind kind = InputKind::none;
  std::string path;
};

struct CaptureOptions {
  bool enabled = true;
  std::vector<std::string> layers;          // glob patterns on processor keys; empty: every attn2
  std::optional<std::array<int, 2>> steps;  // [first, last], 0-based, inclusive; empty: all
  bool heads = false;                       // keep each head apart as well
  int step_buckets = 1;                     // keep that many parts of the steps apart as well
  std::vector<std::string> words;           // keep only these words' tokens; empty: all
};

struct HeatmapOptions {
  std::vector<std::string> words;  // empty: every word of the prompt
  std::string recipe = "daam";
  std::string colormap = "viridis";  // viridis | inferno | turbo
  double alpha = 0.6;                // 0..1
  MapRange range = MapRange::shared;
};

struct ExportOptions {
  bool png = true;
  bool png16 = false;
  bool video = true;
  bool npz = false;
};

// A run as a plain value: all that a config can say, checked. Paths in a config are relative to its folder, else to the
// working folder; here they are absolute.
struct RunRequest {
  std::string config_name;  // file the config came from, as given; for messages and the run folder
  std::string config_text;  // as given, byte for byte
  ConfigNode config;        // with overrides applied

  ModelOptions model;
  InputOptions input;
  std::string prompt, source_prompt, negative_prompt;
  int output_height = 0, output_width = 0;  // pixels, when nothing is read; 0: the model's own size
  int num_images = 1;                       // pictures when nothing is read
  RunMode mode = RunMode::generate;
  nlohmann::json scheduler;  // {"type": class name, overrides…}; null: the model's own; "type" may be missing
  int num_inference_steps = 30;
  double guidance_scale = 7.5;  // 1 where a config does not say it and the mode is reconstruct
  double strength = 1.0;
  double eta = 0.0;
  uint64_t seed = 0;
  std::vector<std::pair<std::string, std::string>> processors;  // glob on processor keys -> "default" | "fused"
  CaptureOptions capture;
  HeatmapOptions heatmaps;
  ExportOptions exports;
};

// Reads a config and checks every value. Throws ConfigError with file, line and key: unknown keys (with the nearest
// known one), wrong types, values out of range, paths that lead nowhere, an edit without source_prompt, and so on.
RunRequest load_run_request(const std::string& config_path, const std::vector<std::string>& overrides = {});
// The same for text that may not be saved yet; `config_path` is where it would be (paths are relative to it).
RunRequest parse_run_request(const std::string& text, const std::string& config_path,
                             const std::vector<std::string>& overrides = {});

// The request as a config with every key written out and absolute paths: YAML that loads as the same request.
std::string resolved_config(const RunRequest& request);

std::string to_string(RunMode mode);
std::string to_string(InputKind kind);

}  // namespace attnscope
