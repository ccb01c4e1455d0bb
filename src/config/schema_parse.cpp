#include <algorithm>

#include "config/schema.h"
#include "config/yaml_loader.h"

namespace attnscope {
namespace {

using Type = SchemaEntry::Type;

const std::vector<std::string>& type_names() {  // in the order of Type
  static const std::vector<std::string> names = {"any",  "boolean", "integer", "number", "text",
                                                 "path", "color",   "choice",  "list",   "dict"};
  return names;
}

Type type_of(const std::string& name) {
  const auto found = std::find(type_names().begin(), type_names().end(), name);
  return static_cast<Type>(found - type_names().begin());
}

// The schema files' words for an entry. Texts, numbers and booleans that are left out have their C++ defaults.
class EntryParser {
 public:
  explicit EntryParser(bool nullable) : nullable_(nullable) {}

  SchemaEntry parse(const std::string& name, const ConfigNode& node, bool item = false) const {
    SchemaEntry entry;
    entry.name = name;
    ConfigReader reader(node);
    entry.help = reader.get_string("help", "");
    entry.unit = reader.get_string("unit", "");
    entry.step = reader.get_float("step", 0);
    entry.choices = reader.get_string_list("choices");
    entry.required = reader.get_bool("required", false);
    entry.nullable = reader.get_bool("nullable", nullable_ && !item);
    entry.multiline = reader.get_bool("multiline", false);
    entry.any_key = reader.get_bool("any_key", false);
    read_range(reader, entry.range);
    reader.has("default");  // a default may be null
    if (const ConfigNode* value = node.find("default")) entry.default_value = *value;
    read_children(reader, entry);
    entry.type = type_of(reader.get_enum("type", implied_type(reader, entry), type_names()));
    for (const std::string& other : reader.get_string_list("also")) {
      if (std::find(type_names().begin(), type_names().end(), other) == type_names().end())
        reader.fail("also", "unknown type " + other);
      entry.also.push_back(type_of(other));
    }
    if (entry.members.empty() && entry.takes(Type::dict)) entry.any_key = true;
    reader.finish();
    return entry;
  }

  void read_keys(const ConfigNode& keys, SchemaEntry& entry) const {
    for (const auto& [key, value] : keys.members()) entry.members.push_back(parse(key.text(), value));
  }

 private:
  static void read_range(ConfigReader& reader, Range& range) {
    const ConfigNode* value = reader.find("range");
    if (!value) return;
    const auto& ends = value->items();
    if (ends.size() != 2) reader.fail("range", "must be [lowest, highest]; null for an end that is open");
    if (!ends[0].is_null()) range.low = ends[0].as_float();
    if (!ends[1].is_null()) range.high = ends[1].as_float();
  }

  void read_children(ConfigReader& reader, SchemaEntry& entry) const {
    if (const ConfigNode* keys = reader.find("keys")) read_keys(*keys, entry);
    if (const ConfigNode* each = reader.find("each")) {
      entry.members.push_back(parse("*", *each));
      entry.any_key = true;
    }
    if (const ConfigNode* items = reader.find("items")) entry.items.push_back(parse("", *items, true));
  }

  static std::string implied_type(const ConfigReader& reader, const SchemaEntry& entry) {
    if (entry.any_key || !entry.members.empty()) return "dict";
    if (!entry.items.empty()) return "list";
    if (!entry.choices.empty()) return "choice";
    if (!reader.node().find("type")) reader.fail("type", "is missing");
    return "any";
  }

  bool nullable_;
};

}  // namespace

ConfigSchema ConfigSchema::parse(std::string_view yaml, const std::string& source) {
  const ConfigNode file = load_yaml_text(yaml, source);
  ConfigSchema schema;
  ConfigReader reader(file);
  schema.name_ = reader.require_string("name");
  schema.title_ = reader.require_string("title");
  schema.help_ = reader.get_string("help", "");
  schema.strict_ = reader.get_bool("strict", false);
  schema.delete_marker_ = reader.get_string("delete_marker", "");
  schema.root_.any_key = reader.get_bool("any_key", false);
  schema.root_.type = Type::dict;
  schema.root_.help = schema.help_;
  const EntryParser parser(reader.get_bool("nullable", false));
  reader.has("shared");  // holds what anchors in the rest of the file stand for
  if (const ConfigNode* keys = reader.find("keys")) parser.read_keys(*keys, schema.root_);
  if (const ConfigNode* each = reader.find("each")) {
    schema.root_.members.push_back(parser.parse("*", *each));
    schema.root_.any_key = true;
  }
  if (const ConfigNode* marks = reader.find("marks"))
    for (const ConfigNode& set : marks->items()) {
      std::vector<std::string>& keys = schema.marks_.emplace_back();
      for (const ConfigNode& key : set.items()) keys.push_back(key.as_string());
    }
  reader.finish();
  return schema;
}

}  // namespace attnscope
