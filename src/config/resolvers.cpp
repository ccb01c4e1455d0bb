#include "config/resolvers.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/log.h"
#include "config/python_text.h"
#include "config/resolve.h"
#include "config/scalar.h"
#include "config/yaml_constructor.h"
#include "config/yaml_loader.h"

namespace attnscope {
namespace {

using Kind = ConfigNode::Kind;

// "str", "ListConfig", … of an argument.
std::string type_of(const ResolvedValue& value) {
  if (value.is_node() && value.cursor.is_container()) return value.node().is_dict() ? "DictConfig" : "ListConfig";
  return python_type(value.node());
}

void require_arguments(const ResolverCall& call, std::size_t least, std::size_t most, const char* name) {
  const std::size_t count = call.arguments.size();
  if (count >= least && count <= most) return;
  const std::string allowed =
      least == most ? std::to_string(least) + " positional argument" + (least == 1 ? "" : "s")
                    : "from " + std::to_string(least) + " to " + std::to_string(most) + " positional arguments";
  throw ConfigKindError("TypeError", std::string(name) + "() takes " + allowed + " but " + std::to_string(count) +
                                         (count == 1 ? " was" : " were") + " given");
}

const std::string& text_argument(const ResolverCall& call, std::size_t i, const std::string& complaint) {
  if (call.arguments[i].node().kind() != Kind::string) throw ConfigKindError("TypeError", complaint);
  return call.arguments[i].node().as_string();
}

ResolvedValue env(const ResolverCall& call) {
  require_arguments(call, 1, 2, "env");
  const std::string& name = text_argument(call, 0, "str expected, not " + type_of(call.arguments[0]));
  if (const char* value = std::getenv(name.c_str())) return ConfigNode(value);
  if (call.arguments.size() < 2) {
    throw ConfigKindError("KeyError", python_quoted("Environment variable '" + name + "' not found"));
  }
  const ConfigNode& fallback = call.arguments[1].node();
  if (fallback.is_null() || fallback.is_literal()) return fallback;
  return ConfigNode(python_str(fallback));
}

ResolvedValue select(const ResolverCall& call) {
  require_arguments(call, 1, 2, "select");
  const std::string& key =
      text_argument(call, 0, "'" + type_of(call.arguments[0]) + "' object has no attribute 'startswith'");
  const ConfigCursor found = call.resolver.select_node(call.parent, key, {.absolute = true});
  if (found && !found->is_missing()) return found;
  return call.arguments.size() > 1 ? call.arguments[1] : ResolvedValue(ConfigNode());
}

ResolvedValue decode(const ResolverCall& call) {
  require_arguments(call, 1, 1, "decode");
  const ConfigNode& value = call.arguments[0].node();
  if (value.is_null() || value.is_literal()) return value;
  const std::string& text = text_argument(call, 0,
                                          "`oc.decode` can only take strings or None as input, but `" +
                                              python_str(value) + "` is of type " + type_of(call.arguments[0]));
  return call.resolver.evaluate_element(parse_grammar_element(text), call.parent, call.node);
}

ResolvedValue create(const ResolverCall& call) {
  require_arguments(call, 1, 1, "create");
  const ResolvedValue& argument = call.arguments[0];
  ConfigNode tree = argument.node();
  if (tree.kind() == Kind::string) {
    tree = load_yaml_text(tree.as_string(), "oc.create", YamlLimits::reference());
    if (tree.is_null()) tree = ConfigNode(ConfigNode::Dict{});
    if (tree.kind() == Kind::string) tree = ConfigNode(ConfigNode::Dict{{tree.as_string(), ConfigNode()}});
  }
  if (tree.is_scalar()) {
    throw ConfigKindError("ValidationError", std::string("Object of unsupported type: '") + python_type(tree) + "'");
  }
  check_tree(tree);
  return call.parent.made(std::nullopt, std::move(tree), false);
}

ResolvedValue deprecated(const ResolverCall& call) {
  require_arguments(call, 1, 2, "deprecated");
  const std::string& key = text_argument(
      call, 0, "oc.deprecated: interpolation key type is not a string (" + type_of(call.arguments[0]) + ")");
  std::string message = "'$OLD_KEY' is deprecated. Change your code and config to use '$NEW_KEY'";
  if (call.arguments.size() > 1) {
    message = text_argument(
        call, 1, "oc.deprecated: interpolation message type is not a string (" + type_of(call.arguments[1]) + ")");
  }
  const std::string old_key = call.node.full_key();
  const ConfigCursor found = call.resolver.select_node(call.parent, key, {.absolute = true});
  if (!found) {
    throw ConfigKindError("ConfigKeyError",
                          "In oc.deprecated resolver at '" + old_key + "': Key not found: '" + key + "'");
  }
  const auto fill_in = [&](const std::string& name, const std::string& value) {
    for (auto at = message.find(name); at != std::string::npos; at = message.find(name, at + value.size()))
      message.replace(at, name.size(), value);
  };
  fill_in("$OLD_KEY", old_key);
  fill_in("$NEW_KEY", found.full_key());
  log(LogLevel::warning, message);
  return found;
}

// The dict that oc.dict.keys and oc.dict.values are asked for.
ConfigCursor dict_argument(const ResolverCall& call, const std::string& name) {
  require_arguments(call, 1, 1, name.c_str());
  const std::string& key =
      text_argument(call, 0,
                    "`" + name + "` requires a string as input, but obtained `" + python_str(call.arguments[0].node()) +
                        "` of type: " + type_of(call.arguments[0]));
  const ConfigCursor found = call.resolver.select_node(call.parent, key, {.throw_on_missing = true, .absolute = true});
  if (!found || found->is_missing()) throw ConfigKindError("ConfigKeyError", "Key not found: '" + key + "'");
  if (!found.is_container() || !found->is_dict()) {
    throw ConfigKindError("TypeError",
                          "`" + name + "` cannot be applied to objects of type: " + type_of(ResolvedValue(found)));
  }
  return found;
}

ConfigNode node_of(const ConfigKey& key) {
  switch (key.kind()) {
    case ConfigKey::Kind::integer: return *parse_integer(key.text());
    case ConfigKey::Kind::floating: return key.number();
    case ConfigKey::Kind::boolean: return key.number() != 0;
    case ConfigKey::Kind::bytes: return ConfigNode::Bytes{key.text()};
    default: return key.text();
  }
}

ResolvedValue dict_keys(const ResolverCall& call) {
  ConfigNode::List keys;
  for (const auto& [key, value] : dict_argument(call, "oc.dict.keys")->members()) keys.push_back(node_of(key));
  return call.parent.made(std::nullopt, ConfigNode(std::move(keys)), false);
}

ResolvedValue dict_values(const ResolverCall& call) {
  const ConfigCursor dict = dict_argument(call, "oc.dict.values");
  std::string key = call.arguments[0].node().as_string();
  if (key.starts_with('.')) key = "." + key;  // the references stand a level deeper, in the list
  ConfigNode::List references;
  for (const auto& [name, value] : dict->members()) references.emplace_back("${" + key + "." + name.text() + "}");
  return call.parent.made(std::nullopt, ConfigNode(std::move(references)), false);
}

std::optional<bool> coerced_bool(const ConfigNode& value) {
  if (value.kind() == Kind::boolean) return value.as_bool();
  if (value.kind() == Kind::integer) return value.digits() != "0";
  if (value.kind() != Kind::string) return std::nullopt;
  if (const auto digits = python_int(value.as_string())) return *digits != "0";
  std::string lower = value.as_string();
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  if (lower == "y" || lower == "yes" || lower == "on" || lower == "true") return true;
  if (lower == "n" || lower == "no" || lower == "off" || lower == "false") return false;
  return std::nullopt;
}

std::optional<ConfigNode> coerced(const std::string& type, const ConfigNode& value) {
  const Kind kind = value.kind();
  if (type == "int") {
    if (kind == Kind::integer) return value;
    const auto digits = kind == Kind::string ? python_int(value.as_string()) : std::nullopt;
    return digits ? parse_integer(*digits) : std::nullopt;
  }
  if (type == "float") {
    if (kind == Kind::integer || kind == Kind::floating) return value.as_float();
    if (kind == Kind::string && python_is_float(value.as_string())) return parse_python_float(value.as_string());
    return std::nullopt;
  }
  if (type == "bool") return coerced_bool(value);
  if (type == "bytes") return kind == Kind::bytes ? std::optional(value) : std::nullopt;
  return value.is_scalar() && kind != Kind::null && kind != Kind::bytes ? std::optional<ConfigNode>(python_str(value))
                                                                        : std::nullopt;
}

ResolvedValue coerce(const ResolverCall& call) {
  require_arguments(call, 2, 2, "coerce");
  const std::string& type = text_argument(call, 0, "oc.coerce type must be a string");
  static constexpr std::array<std::string_view, 5> kTypes{"int", "float", "bool", "str", "bytes"};
  if (std::find(kTypes.begin(), kTypes.end(), type) == kTypes.end()) {
    throw ConfigKindError("ValueError", "Invalid oc.coerce type: " + python_quoted(type));
  }
  const ConfigNode& value = call.arguments[1].node();
  if (auto result = coerced(type, value)) return std::move(*result);
  throw ConfigKindError("ValidationError", "Value " + python_repr(value) + " of type '" + type_of(call.arguments[1]) +
                                               "' could not be converted to " + type);
}

}  // namespace

ResolverRegistry::ResolverRegistry() {
  add("oc.env", env);
  add("oc.select", select);
  add("oc.decode", decode);
  add("oc.create", create);
  add("oc.coerce", coerce);
  add("oc.deprecated", deprecated);
  add("oc.dict.keys", dict_keys);
  add("oc.dict.values", dict_values);
}

void ResolverRegistry::add(const std::string& name, ResolverFunction function, bool uses_cache) {
  entries_[name] = {std::move(function), uses_cache};
}

const ResolverRegistry::Entry* ResolverRegistry::find(const std::string& name) const {
  const auto found = entries_.find(name);
  return found == entries_.end() ? nullptr : &found->second;
}

}  // namespace attnscope
