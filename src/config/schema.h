#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/finding.h"
#include "config/node.h"
#include "config/path.h"
#include "config/reader.h"

namespace attnscope {

// What is known of one value of a config: for forms, checks, help and the reference page.
struct SchemaEntry {
  enum class Type { any, boolean, integer, number, text, path, color, choice, list, dict };

  std::string name;  // its key; "*" stands for any key of a dict that takes any
  Type type = Type::any;
  std::vector<Type> also;  // types that may stand there too: `capture: false` instead of a dict
  std::string help;        // one or two sentences
  std::string unit;
  Range range;      // of numbers; in a list they have their own
  double step = 0;  // of a spin box; 0: what the type suggests
  std::vector<std::string> choices;
  std::optional<ConfigNode> default_value;
  bool required = false;
  bool nullable = false;             // null may stand there; it says nothing, as if the key were not given
  bool multiline = false;            // long text: a prompt
  bool any_key = false;              // a dict that takes keys beside its members
  std::vector<SchemaEntry> members;  // of a dict
  std::vector<SchemaEntry> items;    // of a list: one entry that stands for every item, or none

  bool takes(Type other) const;
  // The entry of a dict's member; nullptr when it is not known.
  const SchemaEntry* member(const std::string& key) const;
  // The same, or that of a list's item.
  const SchemaEntry* child(const ConfigKey& key) const;

  // What may stand there, for tooltips and messages: "a number from 0 to 1", "one of a, b", "true or false, or a dict".
  std::string expected() const;
  // A tooltip: help, what may stand there, default. Three lines at most, in plain text.
  std::string summary() const;
};

// "a whole number", "text", "one of several": a type without its range or choices.
std::string type_text(SchemaEntry::Type type);
// A value in one line of YAML: 7.5, [1, 2], {a: b}, "".
std::string value_text(const ConfigNode& value);

// The keys of one program's config files.
class ConfigSchema {
 public:
  // All that are known, our own run config first. They are written in resources/schemas/*.yaml.
  static const std::vector<ConfigSchema>& all();
  // The one whose keys a tree has; nullptr when none fits.
  static const ConfigSchema* of(const ConfigNode& root);
  static const ConfigSchema* named(std::string_view name);
  // From the text of a schema file (resources/schemas/README.md). ConfigError for what it may not say.
  static ConfigSchema parse(std::string_view yaml, const std::string& source);

  const std::string& name() const { return name_; }    // "run", "tune-a-video"
  const std::string& title() const { return title_; }  // "AttnScope run"
  const std::string& help() const { return help_; }    // what these files are for
  const SchemaEntry& root() const { return root_; }
  // Whether the program refuses unknown keys and takes numbers and booleans for text, as our own run does.
  bool strict() const { return strict_; }
  // The entry of a path, whether the tree has it or not; nullptr when it is not known.
  const SchemaEntry* find(const ConfigPath& path) const;

  // Unknown keys (with the nearest known one), wrong types, values out of range, choices, required keys that are not
  // there. Interpolations and missing values (???) are taken at their word.
  std::vector<ConfigFinding> check(const ConfigNode& root) const;

 private:
  ConfigSchema() = default;
  std::size_t marks_of(const ConfigNode& root) const;

  std::string name_, title_, help_;
  SchemaEntry root_;
  // Sets of keys: a tree that has all keys of one set is of this kind. The largest set among all schemas decides.
  std::vector<std::vector<std::string>> marks_;
  bool strict_ = false;
  std::string delete_marker_;  // a text that removes its key when files are merged; "" for none
};

}  // namespace attnscope
