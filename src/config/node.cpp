#include "config/node.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "config/python_text.h"
#include "config/writer.h"

namespace attnscope {

const char* kind_name(ConfigNode::Kind kind) {
  static constexpr const char* kNames[] = {"null", "a boolean", "a whole number", "a number",
                                           "text", "bytes",     "a list",         "a dict"};
  return kNames[static_cast<int>(kind)];
}

std::string describe(const ConfigNode& node) {
  switch (node.kind()) {
    case ConfigNode::Kind::null: return "null";
    case ConfigNode::Kind::boolean: return "the boolean " + node.text();
    case ConfigNode::Kind::integer:
    case ConfigNode::Kind::floating: return "the number " + node.text();
    case ConfigNode::Kind::string: return "text \"" + node.as_string() + "\"";
    case ConfigNode::Kind::bytes: return std::to_string(node.as_bytes().size()) + " bytes";
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

const std::string& ConfigNode::as_bytes() const {
  if (kind_ != Kind::bytes) wrong_kind("bytes");
  return string_;
}

void ConfigNode::unescape_missing() {
  if (kind_ != Kind::string || literal_ || string_.size() <= 3 || !string_.ends_with("???")) return;
  if (string_.find_first_not_of('\\') != string_.size() - 3) return;
  string_.erase(0, 1);
  literal_ = true;
}

std::optional<bool> ConfigNode::flag(Flag flag) const {
  const int8_t value = flags_[static_cast<int>(flag)];
  return value < 0 ? std::nullopt : std::optional<bool>(value != 0);
}

void ConfigNode::set_flag(Flag flag, std::optional<bool> value) {
  flags_[static_cast<int>(flag)] = static_cast<int8_t>(value ? *value : -1);
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

const ConfigNode* ConfigNode::find_key(const ConfigKey& key) const {
  for (const auto& [name, value] : dict_)
    if (name == key) return &value;
  return nullptr;
}

ConfigNode* ConfigNode::find_key(const ConfigKey& key) {
  return const_cast<ConfigNode*>(std::as_const(*this).find_key(key));
}

ConfigKey ConfigNode::key_of(std::string_view name) const {
  const auto digits = python_int(name);
  if (digits) {
    const bool text = std::any_of(dict_.begin(), dict_.end(), [&](const auto& member) { return member.first == name; });
    // A boolean or float equals a whole number as a key, but no path reaches it.
    for (const auto& [key, value] : dict_)
      if (!text && key.is_integer() && key.text() == *digits) return key;
  }
  return name;
}

const ConfigNode* ConfigNode::find(std::string_view name) const {
  for (const auto& [key, value] : dict_)
    if (key == name) return &value;
  const ConfigKey key = key_of(name);
  return key.is_string() ? nullptr : find_key(key);
}

ConfigNode* ConfigNode::find(std::string_view name) { return const_cast<ConfigNode*>(std::as_const(*this).find(name)); }

ConfigNode& ConfigNode::set(const ConfigKey& key, ConfigNode value) {
  if (is_null()) kind_ = Kind::dict;
  if (ConfigNode* old = find_key(key)) return *old = std::move(value);
  return members().emplace_back(key, std::move(value)).second;
}

bool ConfigNode::erase(const ConfigKey& key) {
  return std::erase_if(members(), [&](const auto& member) { return member.first == key; }) > 0;
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
  // Up to an unescaped character of `ends`; the position after it is left in `at`.
  const auto take = [&](std::string_view ends) {
    std::string step;
    for (; at < path.size() && ends.find(path[at]) == std::string_view::npos; ++at) {
      if (path[at] == '\\' && at + 1 < path.size() &&
          std::string_view(".[]=").find(path[at + 1]) != std::string_view::npos)
        ++at;
      step += path[at];
    }
    return step;
  };
  for (;;) {
    const bool bracket = at < path.size() && path[at] == '[';
    const std::size_t open = at;
    if (bracket) {
      ++at;
      std::string step = take("]");
      if (at < path.size()) {
        steps.push_back(std::move(step));
        ++at;
      } else {  // never closed: the bracket is an ordinary character
        at = open + 1;
        steps.push_back("[" + take(".["));
      }
    } else {
      steps.push_back(take(".["));
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
