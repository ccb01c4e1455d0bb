#include "config/schema.h"

#include <algorithm>
#include <sstream>

#include "config/schema_files.h"
#include "config/writer.h"

namespace attnscope {
namespace {

using Type = SchemaEntry::Type;

std::string number_text(double value) {
  if (value == -0x1p63) return "-2^63";
  if (value == 0x1p64) return "2^64 - 1";  // what a double makes of it
  std::ostringstream text;
  text.precision(15);
  text << value;
  return text.str();
}

std::string range_text(Range range) {
  const bool low = range.low > -std::numeric_limits<double>::infinity();
  const bool high = range.high < std::numeric_limits<double>::infinity();
  if (low && high) return " from " + number_text(range.low) + " to " + number_text(range.high);
  if (low) return " of at least " + number_text(range.low);
  if (high) return " of at most " + number_text(range.high);
  return {};
}

// "whole numbers" for "a whole number", to follow "a list of".
std::string plural(const SchemaEntry& entry) {
  switch (entry.type) {
    case Type::any: return "values";
    case Type::boolean: return "booleans";
    case Type::integer: return "whole numbers" + range_text(entry.range);
    case Type::number: return "numbers" + range_text(entry.range);
    case Type::text: return "texts";
    case Type::path: return "paths";
    case Type::color: return "colours";
    case Type::list: return "lists";
    case Type::dict: return "dicts";
    case Type::choice: break;
  }
  std::string names;
  for (const std::string& choice : entry.choices) names += (names.empty() ? "" : ", ") + choice;
  return names;
}

std::string type_with_limits(const SchemaEntry& entry, Type type) {
  const std::string unit = entry.unit.empty() ? "" : " (" + entry.unit + ")";
  switch (type) {
    case Type::integer:
    case Type::number: return type_text(type) + range_text(entry.range) + unit;
    case Type::choice: return "one of " + plural({.type = Type::choice, .choices = entry.choices});
    case Type::list: return entry.items.empty() ? "a list" : "a list of " + plural(entry.items.front()) + unit;
    default: return type_text(type);
  }
}

// Whether the tree has a node there; `*` stands for every member or item, of which there must be one.
bool has_path(const ConfigNode& node, std::string_view path) {
  const std::size_t dot = path.find('.');
  const std::string_view step = path.substr(0, dot);
  const auto rest_is_in = [&](const ConfigNode& child) {
    return dot == std::string_view::npos || has_path(child, path.substr(dot + 1));
  };
  if (step != "*") {
    const ConfigNode* child = node.find(step);
    return child && rest_is_in(*child);
  }
  if (node.is_dict())
    return !node.members().empty() &&
           std::ranges::all_of(node.members(), [&](const auto& member) { return rest_is_in(member.second); });
  return node.is_list() && !node.items().empty() && std::ranges::all_of(node.items(), rest_is_in);
}

}  // namespace

std::string type_text(Type type) {
  static constexpr const char* texts[] = {"any value", "true or false", "a whole number", "a number", "text",
                                          "a path",    "a colour",      "one of several", "a list",   "a dict"};
  return texts[static_cast<int>(type)];
}

std::string value_text(const ConfigNode& value) {
  if (value.is_scalar()) return scalar_to_yaml(value);
  std::string text;
  if (value.is_list())
    for (const ConfigNode& item : value.items()) text += (text.empty() ? "" : ", ") + value_text(item);
  else
    for (const auto& [key, member] : value.members())
      text += (text.empty() ? "" : ", ") + scalar_to_yaml(key.text()) + ": " + value_text(member);
  return value.is_list() ? "[" + text + "]" : "{" + text + "}";
}

bool SchemaEntry::takes(Type other) const {
  return type == other || std::find(also.begin(), also.end(), other) != also.end();
}

const SchemaEntry* SchemaEntry::member(const std::string& key) const {
  const SchemaEntry* any = nullptr;
  for (const SchemaEntry& member : members) {
    if (member.name == key) return &member;
    if (member.name == "*") any = &member;
  }
  return any;
}

const SchemaEntry* SchemaEntry::child(const ConfigKey& key) const {
  if (const SchemaEntry* found = member(key.text())) return found;
  return key.is_integer() && !items.empty() ? &items.front() : nullptr;
}

std::string SchemaEntry::expected() const {
  std::string text = type_with_limits(*this, type);
  for (const Type other : also) text += ", or " + type_with_limits(*this, other);
  return text;
}

std::string SchemaEntry::summary() const {
  std::string text = help;
  std::string kind = expected();
  kind[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(kind[0])));
  text += (text.empty() ? "" : "\n") + kind + (required ? ", required." : ".");
  if (default_value) text += "\nDefault: " + value_text(*default_value);
  return text;
}

const std::vector<ConfigSchema>& ConfigSchema::all() {
  static const std::vector<ConfigSchema> schemas = [] {
    std::vector<ConfigSchema> list;
    for (const SchemaFile& file : schema_files()) list.push_back(parse(file.text, std::string(file.name)));
    std::stable_partition(list.begin(), list.end(), [](const ConfigSchema& schema) { return schema.name_ == "run"; });
    return list;
  }();
  return schemas;
}

std::size_t ConfigSchema::marks_of(const ConfigNode& root) const {
  std::size_t most = 0;
  for (const auto& keys : marks_)
    if (keys.size() > most && std::ranges::all_of(keys, [&](const auto& key) { return has_path(root, key); }))
      most = keys.size();
  return most;
}

const ConfigSchema* ConfigSchema::of(const ConfigNode& root) {
  if (!root.is_dict()) return nullptr;
  const ConfigSchema* best = nullptr;
  std::size_t most = 0;
  for (const ConfigSchema& schema : all())
    if (const std::size_t marks = schema.marks_of(root); marks > most) {
      most = marks;
      best = &schema;
    }
  return best;
}

const ConfigSchema* ConfigSchema::named(std::string_view name) {
  for (const ConfigSchema& schema : all())
    if (schema.name_ == name) return &schema;
  return nullptr;
}

const SchemaEntry* ConfigSchema::find(const ConfigPath& path) const {
  const SchemaEntry* entry = &root_;
  for (const ConfigKey& key : path)
    if (entry = entry->child(key); !entry) return nullptr;
  return entry;
}

}  // namespace attnscope
