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
  throw ConfigError("must be " + std::string(expected) + ", not " + describe(*this), place());
}

bool ConfigNode::as_bool() const {
  if (const auto* value = std::get_if<bool>(&value_)) return *value;
  wrong_kind("true or false");
}

int64_t ConfigNode::as_int() const {
  if (const auto* value = std::get_if<int64_t>(&value_)) return *value;
  if (const auto* big = std::get_if<BigInteger>(&value_)) throw ConfigError(big->digits + " is too large", place());
  wrong_kind("a whole number");
}

double ConfigNode::as_float() const {
  if (const auto* value = std::get_if<double>(&value_)) return *value;
  if (const auto* value = std::get_if<int64_t>(&value_)) return static_cast<double>(*value);
  if (const auto* big = std::get_if<BigInteger>(&value_)) return std::strtod(big->digits.c_str(), nullptr);
  wrong_kind("a number");
}

std::string ConfigNode::digits() const {
  if (const auto* value = std::get_if<int64_t>(&value_)) return std::to_string(*value);
  if (const auto* big = std::get_if<BigInteger>(&value_)) return big->digits;
  wrong_kind("a whole number");
}

const std::string& ConfigNode::as_string() const {
  if (const auto* value = std::get_if<std::string>(&value_)) return *value;
  wrong_kind("text");
}

const std::string& ConfigNode::as_bytes() const {
  if (const auto* bytes = std::get_if<Bytes>(&value_)) return bytes->value;
  wrong_kind("bytes");
}

void ConfigNode::unescape_missing() {
  auto* text = std::get_if<std::string>(&value_);
  if (!text || literal_ || text->size() <= 3 || !text->ends_with("???")) return;
  if (text->find_first_not_of('\\') != text->size() - 3) return;
  text->erase(0, 1);
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
  if (const auto* items = std::get_if<List>(&value_)) return *items;
  wrong_kind("a list");
}

ConfigNode::List& ConfigNode::items() { return const_cast<List&>(std::as_const(*this).items()); }

const ConfigNode::Dict& ConfigNode::members() const {
  if (const auto* members = std::get_if<Dict>(&value_)) return *members;
  wrong_kind("a dict");
}

ConfigNode::Dict& ConfigNode::members() { return const_cast<Dict&>(std::as_const(*this).members()); }

std::string ConfigNode::text() const {
  if (!is_scalar()) return {};
  if (const std::string_view written = written_text(); !written.empty()) return std::string(written);
  if (kind() == Kind::string) return as_string();
  return scalar_to_yaml(*this);
}

void ConfigNode::set_text(std::string_view text) {
  if (text != written_text()) set_origin(std::make_shared<ConfigOrigin>(place(), text), 0);
}

void ConfigNode::set_place(ConfigPlace place) {
  set_origin(std::make_shared<ConfigOrigin>(std::move(place), written_text()), 0);
}

bool ConfigNode::operator==(const ConfigNode& other) const {
  if (value_.index() != other.value_.index() || literal_ != other.literal_) return false;
  if (const auto* value = std::get_if<double>(&value_)) {
    const double others = *std::get_if<double>(&other.value_);
    return *value == others || (*value != *value && others != others);
  }
  return value_ == other.value_;
}

const ConfigNode* ConfigNode::find_key(const ConfigKey& key) const {
  if (!is_dict()) return nullptr;
  for (const auto& [name, value] : members())
    if (name == key) return &value;
  return nullptr;
}

ConfigNode* ConfigNode::find_key(const ConfigKey& key) {
  return const_cast<ConfigNode*>(std::as_const(*this).find_key(key));
}

ConfigKey ConfigNode::key_of(std::string_view name) const {
  const auto digits = is_dict() ? python_int(name) : std::nullopt;
  if (digits) {
    const Dict& dict = members();
    const bool text = std::any_of(dict.begin(), dict.end(), [&](const auto& member) { return member.first == name; });
    // A boolean or float equals a whole number as a key, but no path reaches it.
    for (const auto& [key, value] : dict)
      if (!text && key.is_integer() && key.text() == *digits) return key;
  }
  return name;
}

const ConfigNode* ConfigNode::find(std::string_view name) const {
  if (!is_dict()) return nullptr;
  for (const auto& [key, value] : members())
    if (key == name) return &value;
  const ConfigKey key = key_of(name);
  return key.is_string() ? nullptr : find_key(key);
}

ConfigNode* ConfigNode::find(std::string_view name) { return const_cast<ConfigNode*>(std::as_const(*this).find(name)); }

ConfigNode& ConfigNode::set(const ConfigKey& key, ConfigNode value) {
  if (is_null()) value_ = Dict{};
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
