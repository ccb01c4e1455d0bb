#include "config/writer.h"
#include "pipelines/request_names.h"
#include "pipelines/run_request.h"

namespace attnscope {
namespace {

using Node = ConfigNode;
using Dict = ConfigNode::Dict;

Node list_of(const std::vector<std::string>& texts) {
  Node::List items;
  for (const std::string& text : texts) items.emplace_back(text);
  return items;
}

Node whole(uint64_t value) {
  if (value <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) return static_cast<int64_t>(value);
  return Node::BigInteger{std::to_string(value)};
}

Node node_of(const nlohmann::json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer()) return value.get<int64_t>();
  if (value.is_number()) return value.get<double>();
  if (value.is_string()) return value.get<std::string>();
  if (value.is_array()) {
    Node::List items;
    for (const auto& item : value) items.push_back(node_of(item));
    return items;
  }
  if (value.is_object()) {
    Dict members;
    for (const auto& [key, member] : value.items()) members.emplace_back(key, node_of(member));
    return members;
  }
  return {};
}

Node input_node(const InputOptions& input) {
  return Dict{{to_string(input.kind), input.path},
              {"start_frame", input.start_frame},
              {"frame_stride", input.frame_stride},
              {"num_frames", input.num_frames},
              {"height", input.height},
              {"width", input.width},
              {"fit", request_names::name_of(request_names::fits, input.fit)}};
}

Node attention_node(const RunRequest& request) {
  Dict processors;
  for (const auto& [pattern, name] : request.processors) processors.emplace_back(pattern, name);
  const CaptureOptions& capture = request.capture;
  Dict captured{{"layers", list_of(capture.layers)},
                {"heads", capture.heads},
                {"step_buckets", capture.step_buckets},
                {"words", list_of(capture.words)}};
  if (capture.steps) captured.emplace_back("steps", Node::List{(*capture.steps)[0], (*capture.steps)[1]});
  return Dict{{"processors", processors}, {"capture", capture.enabled ? Node(captured) : Node(false)}};
}

}  // namespace

std::string resolved_config(const RunRequest& request) {
  const ModelOptions& model = request.model;
  const HeatmapOptions& heatmaps = request.heatmaps;
  const ExportOptions& exports = request.exports;
  const bool reads = request.input.kind != InputKind::none;
  Dict root{
      {"mode", to_string(request.mode)},
      {"model",
       Dict{{"path", model.path}, {"dtype", model.dtype}, {"device", model.device}, {"vae_tiling", model.vae_tiling}}}};
  if (reads) root.emplace_back("input", input_node(request.input));
  root.emplace_back("prompt", request.prompt);
  root.emplace_back("source_prompt", request.source_prompt);
  root.emplace_back("negative_prompt", request.negative_prompt);
  if (request.output_height > 0)
    root.emplace_back("output_size", Node::List{request.output_height, request.output_width});
  root.emplace_back("num_images", request.num_images);
  if (!request.scheduler.is_null()) root.emplace_back("scheduler", node_of(request.scheduler));
  root.emplace_back("num_inference_steps", request.num_inference_steps);
  root.emplace_back("guidance_scale", request.guidance_scale);
  root.emplace_back("strength", request.strength);
  root.emplace_back("eta", request.eta);
  root.emplace_back("seed", whole(request.seed));
  root.emplace_back("attention", attention_node(request));
  root.emplace_back("heatmaps", Dict{{"words", list_of(heatmaps.words)},
                                     {"recipe", heatmaps.recipe},
                                     {"colormap", heatmaps.colormap},
                                     {"alpha", heatmaps.alpha},
                                     {"range", request_names::name_of(request_names::ranges, heatmaps.range)}});
  root.emplace_back(
      "export", Dict{{"png", exports.png}, {"png16", exports.png16}, {"video", exports.video}, {"npz", exports.npz}});
  return to_yaml(root);
}

}  // namespace attnscope
