#include "config/node.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "config/writer.h"

namespace attnscope {

const char* kind_name(ConfigNode::Kind kind) {
  static constexpr const char* kNames[] = {"null", "a boolean", "a whole number", "a number",
                                           "text", "a list",    "a dict"};
  return kNames[static_cast<int>(kind)];
}

std::string describe(const ConfigNode& node) {
  switch (node.kind()) {
    case ConfigNode::Kind::null: return "null";
    case ConfigNode::Kind::boolean: return "the boolean " + node.text();
    case ConfigNode::Kind::integer:
    case ConfigNode::Kind::floating: return "the number " + node.text();
    case ConfigNode::Kind::string: return "text \"" + node.as_string() + "\"";
    case ConfigNode::Kind::list: return "a list of " + std::to_string(node.items().size());
    case ConfigNode::Kind::dict: return "a dict of " + std::to_string(node.members().size());
  }
  return {};
}

void ConfigNode::wrong_kind(const char* expected) const {
  throw ConfigError("must be " + std::string(expected) + ", not " + describe(*this), place_);
}

bool ConfigNode::as_bool() const {
  if (kind_ != Kind::boolean) wrong_kind("true or false");
  return integer_ != 0;
}

int64_t ConfigNode::as_int() const {
  if (kind_ != Kind::integer) wrong_kind("a whole number");
  if (!string_.empty()) throw ConfigError(string_ + " is too large", place_);
  return integer_;
}

double ConfigNode::as_float() const {
  if (kind_ == Kind::floating) return floating_;
  if (kind_ != Kind::integer) wrong_kind("a number");
  return string_.empty() ? static_cast<double>(integer_) : std::strtod(string_.c_str(), nullptr);
}

std::string ConfigNode::digits() const {
  if (kind_ != Kind::integer) wrong_kind("a whole number");
  return string_.empty() ? std::to_string(integer_) : string_;
}

const std::string& ConfigNode::as_string() const {
  if (kind_ != Kind::string) wrong_kind("text");
  return string_;
}

const ConfigNode::List& ConfigNode::items() const {
  if (kind_ != Kind::list) wrong_kind("a list");
  return list_;
}

ConfigNode::List& ConfigNode::items() { return const_cast<List&>(std::as_const(*this).items()); }

const ConfigNode::Dict& ConfigNode::members() const {
  if (kind_ != Kind::dict) wrong_kind("a dict");
  return dict_;
}

ConfigNode::Dict& ConfigNode::members() { return const_cast<Dict&>(std::as_const(*this).members()); }

std::string ConfigNode::text() const {
  if (!is_scalar() || !text_.empty()) return text_;
  if (kind_ == Kind::string) return string_;
  return scalar_to_yaml(*this);
}

const ConfigNode* ConfigNode::find(std::string_view key) const {
  for (const auto& [name, value] : dict_)
    if (name == key) return &value;
  return nullptr;
}

ConfigNode* ConfigNode::find(std::string_view key) { return const_cast<ConfigNode*>(std::as_const(*this).find(key)); }

ConfigNode& ConfigNode::set(const std::string& key, ConfigNode value) {
  if (is_null()) kind_ = Kind::dict;
  if (ConfigNode* old = find(key)) return *old = std::move(value);
  return members().emplace_back(key, std::move(value)).second;
}

const ConfigNode* ConfigNode::select(std::string_view path) const {
  const ConfigNode* node = this;
  if (path.empty()) return node;
  for (const std::string& step : split_key(path)) {
    if (node->is_list()) {
      const int64_t index = list_index(step);
      if (index < 0 || index >= static_cast<int64_t>(node->items().size())) return nullptr;
      node = &node->items()[static_cast<std::size_t>(index)];
    } else if (!(node = node->find(step))) {
      return nullptr;
    }
  }
  return node;
}

std::string join_key(const std::string& parent, const std::string& key) {
  return parent.empty() ? key : parent + "." + key;
}

std::string join_key(const std::string& parent, std::size_t index) {
  return parent + "[" + std::to_string(index) + "]";
}

std::vector<std::string> split_key(std::string_view path) {
  std::vector<std::string> steps;
  std::size_t at = 0;
  for (;;) {
    const bool bracket = at < path.size() && path[at] == '[';
    const auto close = bracket ? path.find(']', at) : std::string_view::npos;
    if (close != std::string_view::npos) {
      steps.emplace_back(path.substr(at + 1, close - at - 1));
      at = close + 1;
    } else {
      const auto end = std::min(path.find_first_of(".[", bracket ? at + 1 : at), path.size());
      steps.emplace_back(path.substr(at, end - at));
      at = end;
    }
    if (at >= path.size()) return steps;
    if (path[at] == '.') ++at;  // a step follows, empty at the end
  }
}

int64_t list_index(std::string_view text) {
  int64_t value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value : -1;
}

}  // namespace attnscope
