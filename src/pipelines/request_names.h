#pragma once
#include <string>
#include <utility>
#include <vector>

#include "pipelines/run_request.h"

// The words that stand for a request's choices in a config.
namespace attnscope::request_names {

template <class Value>
using Names = std::vector<std::pair<Value, std::string>>;

inline const Names<RunMode> modes = {{RunMode::generate, "generate"},
                                     {RunMode::inspect, "inspect"},
                                     {RunMode::reconstruct, "reconstruct"},
                                     {RunMode::edit, "edit"}};
inline const Names<InputKind> input_kinds = {
    {InputKind::video, "video"}, {InputKind::image, "image"}, {InputKind::frames, "frames"}};
inline const Names<Fit> fits = {{Fit::crop, "crop"}, {Fit::pad, "pad"}, {Fit::stretch, "stretch"}};
inline const Names<MapRange> ranges = {{MapRange::frame, "frame"}, {MapRange::shared, "shared"}};
inline const std::vector<std::string> dtypes = {"float32", "bfloat16", "float16"};
inline const std::vector<std::string> processors = {"default", "fused"};

template <class Value>
std::vector<std::string> all(const Names<Value>& names) {
  std::vector<std::string> out;
  for (const auto& [value, name] : names) out.push_back(name);
  return out;
}

// Both want a member of the table.
template <class Value>
Value value_of(const Names<Value>& names, const std::string& name) {
  for (const auto& [value, known] : names)
    if (known == name) return value;
  return names.front().first;
}

template <class Value>
std::string name_of(const Names<Value>& names, Value value) {
  for (const auto& [known, name] : names)
    if (known == value) return name;
  return {};
}

}  // namespace attnscope::request_names
