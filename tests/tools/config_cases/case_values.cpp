#include "case_values.h"

#include <cmath>

#include "config/dump.h"
#include "config/scalar.h"
#include "config/yaml_loader.h"

namespace attnscope {
namespace {

constexpr int64_t kLargestPlainInteger = int64_t{1} << 53;

ConfigKey key_of_json(const Json& json) {
  if (json.is_string()) return json.get<std::string>();
  if (json.is_boolean()) return ConfigKey::boolean(json.get<bool>());
  if (json.is_number_float()) return ConfigKey::floating(json.get<double>());
  if (json.is_null()) return ConfigKey::null();
  return ConfigKey::integer(node_of_json(json).digits());
}

Json json_of_key(const ConfigKey& key) {
  switch (key.kind()) {
    case ConfigKey::Kind::integer: return json_of_node(*parse_integer(key.text()));
    case ConfigKey::Kind::floating: return json_of_node(key.number());
    case ConfigKey::Kind::boolean: return key.number() != 0;
    case ConfigKey::Kind::bytes: return Json{{"$bytes", encode_base64(key.text())}};
    case ConfigKey::Kind::null: return nullptr;
    default: return key.text();
  }
}

Json json_of_float(double value) {
  if (std::isnan(value)) return Json{{"$float", "nan"}};
  if (std::isinf(value)) return Json{{"$float", value < 0 ? "-inf" : "inf"}};
  return value;
}

bool same_number(const Json& a, const Json& b) {
  return a.is_number() && b.is_number() && a.is_number_float() == b.is_number_float() && a == b;
}

}  // namespace

ConfigNode node_of_json(const Json& json) {
  if (json.is_null()) return {};
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_string()) return json.get<std::string>();
  if (json.is_number_float()) return json.get<double>();
  if (json.is_number_unsigned()) return *parse_integer(std::to_string(json.get<uint64_t>()));
  if (json.is_number()) return json.get<int64_t>();
  if (json.is_array()) {
    ConfigNode::List items;
    for (const Json& item : json) items.push_back(node_of_json(item));
    return items;
  }
  ConfigNode dict{ConfigNode::Dict{}};
  if (json.contains("$int")) return *parse_integer(json["$int"].get<std::string>());
  if (json.contains("$float")) return parse_python_float(json["$float"].get<std::string>());
  if (json.contains("$bytes"))
    return *load_yaml_text("!!binary " + json["$bytes"].get<std::string>(), "case").select("");
  if (json.contains("$map")) {
    for (const Json& member : json["$map"]) dict.set(key_of_json(member[0]), node_of_json(member[1]));
    return dict;
  }
  for (const auto& [key, value] : json.items()) dict.members().emplace_back(key, node_of_json(value));
  return dict;
}

Json json_of_node(const ConfigNode& node) {
  switch (node.kind()) {
    case ConfigNode::Kind::null: return nullptr;
    case ConfigNode::Kind::boolean: return node.as_bool();
    case ConfigNode::Kind::floating: return json_of_float(node.as_float());
    case ConfigNode::Kind::string: return node.as_string();
    case ConfigNode::Kind::bytes: return Json{{"$bytes", encode_base64(node.as_bytes())}};
    case ConfigNode::Kind::integer: {
      const std::string digits = node.digits();
      if (digits.size() > 18 || std::llabs(node.as_int()) >= kLargestPlainInteger) return Json{{"$int", digits}};
      return node.as_int();
    }
    case ConfigNode::Kind::list: {
      Json list = Json::array();
      for (const ConfigNode& item : node.items()) list.push_back(json_of_node(item));
      return list;
    }
    case ConfigNode::Kind::dict: break;
  }
  bool texts = true;
  for (const auto& [key, value] : node.members()) texts = texts && key.is_string();
  Json dict = Json::object();
  if (texts) {
    for (const auto& [key, value] : node.members()) dict[key.text()] = json_of_node(value);
    return dict;
  }
  dict["$map"] = Json::array();
  for (const auto& [key, value] : node.members()) dict["$map"].push_back({json_of_key(key), json_of_node(value)});
  return dict;
}

Json types_of(const ConfigNode& node, const std::string& path) {
  static constexpr const char* kNames[] = {"null", "bool", "int", "float", "str", "bytes", "seq", "map"};
  Json types = Json::object();
  const auto add = [&](const ConfigNode& child, const std::string& child_path) {
    const Json below = types_of(child, child_path);
    for (const auto& [key, type] : below.items()) types[key] = type;
  };
  if (node.is_list() && !node.items().empty()) {
    for (std::size_t i = 0; i < node.items().size(); ++i) add(node.items()[i], join_key(path, i));
  } else if (node.is_dict() && !node.members().empty()) {
    for (const auto& [key, value] : node.members()) add(value, join_key(path, key.text()));
  } else {
    types[path] = kNames[static_cast<int>(node.kind())];
  }
  return types;
}

std::string difference(const Json& want, const Json& got, const std::string& path) {
  const std::string at = path.empty() ? "" : " at " + path;
  const auto differs = [&] { return "want " + want.dump() + " got " + got.dump() + at; };
  if (want.is_number() || got.is_number()) return same_number(want, got) ? "" : differs();
  if (want.type() != got.type() || want.size() != got.size()) return differs();
  if (want.is_object()) {
    for (auto a = want.begin(), b = got.begin(); a != want.end(); ++a, ++b) {
      if (a.key() != b.key()) return "want key " + a.key() + " got key " + b.key() + at;
      if (std::string text = difference(a.value(), b.value(), join_key(path, a.key())); !text.empty()) return text;
    }
    return {};
  }
  if (want.is_array()) {
    for (std::size_t i = 0; i < want.size(); ++i)
      if (std::string text = difference(want[i], got[i], join_key(path, i)); !text.empty()) return text;
    return {};
  }
  return want == got ? "" : differs();
}

}  // namespace attnscope
