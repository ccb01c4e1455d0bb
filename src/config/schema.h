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
  std::string help;  // one or two sentences
  std::string unit;
  Range range;
  double step = 0;  // of a spin box; 0: what the type suggests
  std::vector<std::string> choices;
  std::optional<ConfigNode> default_value;
  bool required = false;
  bool nullable = false;
  bool multiline = false;            // long text: a prompt
  bool any_key = false;              // a dict that takes keys beside its members
  std::vector<SchemaEntry> members;  // of a dict
  std::vector<SchemaEntry> items;    // of a list: one entry that stands for every item, or none

  // "0 … 1", "one of a, b", "whole number": what may stand there, for tooltips and messages.
  std::string expected() const;
};

// The keys of one program's config files.
class ConfigSchema {
 public:
  // All that are known, our own run config first. They are written in resources/schemas/*.yaml.
  static const std::vector<ConfigSchema>& all();
  // The one whose keys a tree has; nullptr when none fits.
  static const ConfigSchema* of(const ConfigNode& root);
  static const ConfigSchema* named(std::string_view name);

  const std::string& name() const { return name_; }    // "run", "tune-a-video"
  const std::string& title() const { return title_; }  // "AttnScope run"
  const SchemaEntry& root() const { return root_; }
  // The entry of a path, whether the tree has it or not; nullptr when it is not known.
  const SchemaEntry* find(const ConfigPath& path) const;

  // Unknown keys (with the nearest known one), wrong types, values out of range, choices, required keys that are not
  // there. Interpolations are taken at their word.
  std::vector<ConfigFinding> check(const ConfigNode& root) const;

 private:
  std::string name_, title_;
  SchemaEntry root_;
  std::vector<std::string> marks_;  // keys that tell this kind of file from others
};

}  // namespace attnscope
