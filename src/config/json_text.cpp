#include "config/json_text.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "config/dump.h"
#include "config/writer.h"

namespace attnscope {
namespace {

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string key_text(const ConfigKey& key) {
  switch (key.kind()) {
    case ConfigKey::Kind::boolean: return key.number() != 0 ? "true" : "false";
    case ConfigKey::Kind::null: return "null";
    case ConfigKey::Kind::bytes: return encode_base64(key.text());
    default: return key.text();
  }
}

std::string scalar(const ConfigNode& node) {
  switch (node.kind()) {
    case ConfigNode::Kind::null: return "null";
    case ConfigNode::Kind::boolean: return node.as_bool() ? "true" : "false";
    case ConfigNode::Kind::integer: return node.digits();
    case ConfigNode::Kind::floating: {
      const std::string text = scalar_to_yaml(ConfigNode(node.as_float()));
      return std::isfinite(node.as_float()) ? text : quoted(text);
    }
    case ConfigNode::Kind::bytes: return quoted(encode_base64(node.as_bytes()));
    default: return quoted(node.as_string());
  }
}

void write(std::string& out, const ConfigNode& node, const std::string& indent) {
  if (node.is_scalar()) {
    out += scalar(node);
    return;
  }
  const std::string inner = indent + "  ";
  const char* separator = "\n";
  const auto next = [&] {
    out += separator + inner;
    separator = ",\n";
  };
  out += node.is_list() ? "[" : "{";
  if (node.is_list()) {
    for (const ConfigNode& item : node.items()) {
      next();
      write(out, item, inner);
    }
  } else {
    for (const auto& [key, value] : node.members()) {
      next();
      out += quoted(key_text(key)) + ": ";
      write(out, value, inner);
    }
  }
  if (separator[0] == ',') out += "\n" + indent;
  out += node.is_list() ? "]" : "}";
}

}  // namespace

std::string to_json(const ConfigNode& node) {
  std::string out;
  write(out, node, {});
  return out + "\n";
}

}  // namespace attnscope
