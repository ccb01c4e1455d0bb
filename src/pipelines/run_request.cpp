#include "pipelines/run_request.h"

#include <algorithm>
#include <filesystem>
#include <regex>

#include "attention/recipes.h"
#include "base/error.h"
#include "config/interpolation.h"
#include "config/override.h"
#include "config/reader.h"
#include "config/yaml_loader.h"
#include "io/mapped_file.h"
#include "pipelines/request_names.h"
#include "schedulers/scheduler.h"

namespace attnscope {
namespace {

namespace fs = std::filesystem;

constexpr Range whole_pixels{8, 8192};

std::string list_text(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

bool blank(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return c <= ' '; });
}

// The path of a file or folder that exists: as it stands, or below the config's folder, or below the working folder.
std::string existing_path(ConfigReader& reader, const std::string& key, const fs::path& config_folder) {
  const std::string given = reader.get_string(key, "");
  if (given.empty()) reader.fail(key, "must be a path, not empty text");
  std::vector<fs::path> tried = {(config_folder / given).lexically_normal()};  // `given` itself when absolute
  if (const fs::path other = fs::absolute(given).lexically_normal(); other != tried[0]) tried.push_back(other);
  std::error_code ignored;
  for (const fs::path& path : tried)
    if (fs::exists(path, ignored)) return path.string();
  std::string text = "no such file or folder: " + tried[0].string();
  if (tried.size() > 1) text += ", nor " + tried[1].string();
  reader.fail(key, text, "Paths are relative to the config's folder, else to the working folder.");
}

void read_model(ConfigReader& reader, const fs::path& folder, ModelOptions& model) {
  if (reader.has("path")) model.path = existing_path(reader, "path", folder);
  model.dtype = reader.get_enum("dtype", model.dtype, request_names::dtypes);
  model.device = reader.get_string("device", model.device);
  static const std::regex devices("auto|cpu|cuda(:[0-9]{1,3})?");
  if (!std::regex_match(model.device, devices))
    reader.fail("device", "must be auto, cpu, cuda or cuda:N, not '" + model.device + "'");
  model.vae_tiling = reader.get_bool("vae_tiling", model.vae_tiling);
}

void read_input(ConfigReader& reader, const fs::path& folder, InputOptions& input) {
  std::string chosen;
  for (const auto& [kind, name] : request_names::input_kinds) {
    if (!reader.has(name)) continue;
    if (!chosen.empty()) reader.fail(name, "input takes one of video, image and frames; " + chosen + " is given too");
    chosen = name;
    input.kind = kind;
    input.path = existing_path(reader, name, folder);
  }
  input.start_frame = static_cast<int>(reader.get_int("start_frame", input.start_frame, {0, 1e9}));
  input.frame_stride = static_cast<int>(reader.get_int("frame_stride", input.frame_stride, {1, 1e6}));
  input.num_frames = static_cast<int>(reader.get_int("num_frames", input.num_frames, {0, 1e6}));
  const auto side = [&](const char* key) {  // 0 stands for the input's own size
    const int64_t pixels = reader.get_int(key, 0, {0, whole_pixels.high});
    if (pixels > 0 && pixels < whole_pixels.low) reader.fail(key, "must be 0 or at least 8 pixels");
    return static_cast<int>(pixels);
  };
  input.height = side("height");
  input.width = side("width");
  input.fit = request_names::value_of(request_names::fits,
                                      reader.get_enum("fit", "crop", request_names::all(request_names::fits)));
}

void read_output_size(ConfigReader& reader, RunRequest& request) {
  const ConfigNode* value = reader.find("output_size");
  if (!value) return;
  const auto sides = *reader.find_int_list("output_size", whole_pixels);
  if (sides.empty() || sides.size() > 2) reader.fail("output_size", "must be one number or [height, width]");
  request.output_height = static_cast<int>(sides.front());
  request.output_width = static_cast<int>(sides.back());
}

nlohmann::json json_of(const ConfigNode& node) {
  switch (node.kind()) {
    case ConfigNode::Kind::null: return nullptr;
    case ConfigNode::Kind::boolean: return node.as_bool();
    case ConfigNode::Kind::integer: return node.as_int();
    case ConfigNode::Kind::floating: return node.as_float();
    case ConfigNode::Kind::string: return node.as_string();
    case ConfigNode::Kind::bytes: break;  // JSON has none
    case ConfigNode::Kind::list: {
      nlohmann::json list = nlohmann::json::array();
      for (const ConfigNode& item : node.items()) list.push_back(json_of(item));
      return list;
    }
    case ConfigNode::Kind::dict: {
      nlohmann::json dict = nlohmann::json::object();
      for (const auto& [key, member] : node.members()) dict[key.text()] = json_of(member);
      return dict;
    }
  }
  return nullptr;
}

std::string scheduler_class(const ConfigNode& value) {
  const std::vector<std::string>& names = scheduler_names();
  const std::string given = value.as_string();
  for (const std::string& name : {given, given + "Scheduler"})
    if (std::find(names.begin(), names.end(), name) != names.end()) return name;
  const std::string near = nearest_name(given, names);
  throw ConfigError(
      "unknown scheduler '" + given + "'", value.place(),
      (near.empty() ? "" : "Did you mean " + near + "? ") + std::string("Known: ") + list_text(names) + ".");
}

nlohmann::json read_scheduler(ConfigReader& reader) {
  const ConfigNode* value = reader.find("scheduler");
  if (!value) return nullptr;
  if (value->kind() == ConfigNode::Kind::string) return {{"type", scheduler_class(*value)}};
  if (!value->is_dict())
    throw ConfigError("must be a class name or a dict with `type` and fields, not " + describe(*value), value->place());
  nlohmann::json scheduler = json_of(*value);
  const ConfigNode* type = value->find("type");
  if (!type || type->is_null()) {
    scheduler.erase("type");
    return scheduler;
  }
  scheduler["type"] = scheduler_class(*type);
  const std::vector<std::string>& fields = scheduler_fields(scheduler["type"]);
  for (const auto& [key, member] : value->members()) {
    if (key == "type" || std::find(fields.begin(), fields.end(), key) != fields.end()) continue;
    const std::string near = nearest_name(key, fields);
    throw ConfigError(scheduler["type"].get<std::string>() + " has no field '" + key.text() + "'", member.place(),
                      near.empty() ? "Its fields: " + list_text(fields) + "." : "Did you mean '" + near + "'?");
  }
  return scheduler;
}

void read_processors(ConfigReader& reader, RunRequest& request) {
  const ConfigNode* value = reader.find("processors");
  if (!value) return;
  if (!value->is_dict())
    throw ConfigError("must be a dict of patterns and processor names, not " + describe(*value), value->place(),
                      "For example {\"*attn1*\": fused}.");
  for (const auto& [pattern, name] : value->members()) {
    const std::vector<std::string>& known = request_names::processors;
    if (name.kind() != ConfigNode::Kind::string ||
        std::find(known.begin(), known.end(), name.as_string()) == known.end())
      throw ConfigError("must be one of " + list_text(known) + ", not " + describe(name), name.place());
    request.processors.emplace_back(pattern, name.as_string());
  }
}

void read_capture(ConfigReader& attention, CaptureOptions& capture) {
  const ConfigNode* value = attention.find("capture");
  if (!value) return;
  if (value->kind() == ConfigNode::Kind::boolean) {
    capture.enabled = value->as_bool();
    return;
  }
  if (!value->is_dict())
    throw ConfigError(
        "must be true, false, or a dict of layers, steps, heads, step_buckets and words, not " + describe(*value),
        value->place());
  ConfigReader& reader = attention.child("capture");
  capture.layers = reader.get_string_list("layers");
  capture.heads = reader.get_bool("heads", capture.heads);
  capture.step_buckets = static_cast<int>(reader.get_int("step_buckets", capture.step_buckets, {1, 1000}));
  capture.words = reader.get_string_list("words");
  if (const auto steps = reader.find_int_list("steps", {0, 1e6})) {
    if (steps->size() != 2) reader.fail("steps", "must be [first, last], both counted from 0");
    if (steps->front() > steps->back()) reader.fail("steps", "the first step must not come after the last");
    capture.steps = {static_cast<int>(steps->front()), static_cast<int>(steps->back())};
  }
}

void read_heatmaps(ConfigReader& reader, HeatmapOptions& heatmaps) {
  std::vector<std::string> recipe_names;
  for (const Recipe& recipe : recipes()) recipe_names.push_back(recipe.name);
  heatmaps.words = reader.get_string_list("words");
  heatmaps.recipe = reader.get_enum("recipe", heatmaps.recipe, recipe_names);
  heatmaps.colormap = reader.get_enum("colormap", heatmaps.colormap, color_map_names());
  heatmaps.alpha = reader.get_float("alpha", heatmaps.alpha, {0, 1});
  heatmaps.range = request_names::value_of(
      request_names::ranges, reader.get_enum("range", "shared", request_names::all(request_names::ranges)));
}

// What only several keys together can get wrong.
void check_together(ConfigReader& reader, const RunRequest& request) {
  if (request.model.path.empty()) reader.child("model").fail("path", "is required", "Give a diffusers folder.");
  const bool reads = request.input.kind != InputKind::none;
  const std::string mode = "mode " + to_string(request.mode);
  if (!reads && reader.has("input"))
    reader.fail("input", "says nothing to read", "Give one of input.video, input.image and input.frames.");
  if (request.mode == RunMode::generate) {
    if (reads)
      reader.fail("input", "mode generate reads no input", "Remove it, or use mode inspect, reconstruct or edit.");
    if (blank(request.prompt)) reader.fail("prompt", "mode generate needs a prompt that is not empty");
  } else {
    if (!reads) reader.fail("input", mode + " needs one of input.video, input.image and input.frames");
    if (blank(request.source_prompt))
      reader.fail("source_prompt", mode + " needs a source_prompt that is not empty", "It says what the input shows.");
    if (request.output_height > 0)
      reader.fail("output_size", "is for mode generate", "Set input.height and input.width instead.");
    if (request.num_images > 1) reader.fail("num_images", "is for mode generate", "Use input.num_frames instead.");
  }
  if (request.mode == RunMode::edit && blank(request.prompt))
    reader.fail("prompt", "mode edit needs a prompt that is not empty", "It says what the result shall show.");
  if (request.strength <= 0) reader.fail("strength", "must be over 0, at most 1");
  if (request.capture.steps && (*request.capture.steps)[1] >= request.num_inference_steps)
    reader.child("attention")
        .child("capture")
        .fail("steps",
              "the last step must be below num_inference_steps (" + std::to_string(request.num_inference_steps) + ")");
}

}  // namespace

RunRequest parse_run_request(const std::string& text, const std::string& config_path,
                             const std::vector<std::string>& overrides) {
  RunRequest request;
  request.config_name = config_path;
  request.config_text = text;
  request.config = load_yaml_text(text, config_path);
  apply_overrides(request.config, overrides);
  resolve_interpolations(request.config);

  const fs::path folder = fs::absolute(config_path).parent_path();
  ConfigReader reader(request.config);
  read_model(reader.child("model"), folder, request.model);
  read_input(reader.child("input"), folder, request.input);
  request.prompt = reader.get_string("prompt", "");
  request.source_prompt = reader.get_string("source_prompt", "");
  request.negative_prompt = reader.get_string("negative_prompt", "");
  read_output_size(reader, request);
  request.num_images = static_cast<int>(reader.get_int("num_images", 1, {1, 10000}));
  request.mode = request_names::value_of(request_names::modes,
                                         reader.get_enum("mode", "generate", request_names::all(request_names::modes)));
  request.scheduler = read_scheduler(reader);
  request.num_inference_steps = static_cast<int>(reader.get_int("num_inference_steps", 30, {1, 10000}));
  // With guidance an inverted video does not come back: the way there had none.
  if (request.mode == RunMode::reconstruct) request.guidance_scale = 1;
  request.guidance_scale = reader.get_float("guidance_scale", request.guidance_scale, {0, 1000});
  request.strength = reader.get_float("strength", request.strength, {0, 1});
  request.eta = reader.get_float("eta", request.eta, {0, 1});
  request.seed = reader.get_seed("seed", request.seed);
  ConfigReader& attention = reader.child("attention");
  read_processors(attention, request);
  read_capture(attention, request.capture);
  read_heatmaps(reader.child("heatmaps"), request.heatmaps);
  ConfigReader& exports = reader.child("export");
  request.exports.png = exports.get_bool("png", request.exports.png);
  request.exports.png16 = exports.get_bool("png16", request.exports.png16);
  request.exports.video = exports.get_bool("video", request.exports.video);
  request.exports.npz = exports.get_bool("npz", request.exports.npz);
  reader.finish();  // before the rest: a mistyped key is the likeliest reason for a missing one
  check_together(reader, request);
  return request;
}

RunRequest load_run_request(const std::string& config_path, const std::vector<std::string>& overrides) {
  load_yaml_file(config_path);  // says best what is wrong with the file itself
  return parse_run_request(read_file(config_path), config_path, overrides);
}

std::string to_string(RunMode mode) { return request_names::name_of(request_names::modes, mode); }

std::string to_string(InputKind kind) {
  return kind == InputKind::none ? "none" : request_names::name_of(request_names::input_kinds, kind);
}

}  // namespace attnscope
