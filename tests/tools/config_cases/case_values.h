#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "config/node.h"

namespace attnscope {

using Json = nlohmann::ordered_json;

// Values as case files spell them: {"$int": "…"} for large whole numbers, {"$float": "nan"}, {"$bytes": base64},
// {"$map": [[key, value], …]} for keys that are no text.
ConfigNode node_of_json(const Json& json);
Json json_of_node(const ConfigNode& node);

// The type of every leaf by its path: int, float, bool, str, bytes, null, and map or seq for empty containers.
Json types_of(const ConfigNode& node, const std::string& path = {});

// Equal, with the order of maps; "" or what differs first.
std::string difference(const Json& want, const Json& got, const std::string& path = {});

}  // namespace attnscope
