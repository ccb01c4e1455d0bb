#pragma once
#include <optional>
#include <string>
#include <vector>

#include "config/path.h"
#include "config/yaml_text.h"

namespace attnscope {

// The key that a scalar is as a key of a dict.
ConfigKey key_of_node(const YamlNode& node);

// Where a value of the tree is written.
struct YamlSpot {
  const YamlUse* use = nullptr;
  const YamlUse* key = nullptr;         // that it stands under; nullptr for items and the root
  const YamlNode* container = nullptr;  // nullptr for the root
  std::size_t index = 0;                // among the container's entries or items
  bool flow = false;                    // it stands inside brackets
  bool anchored = false;                // it or a container of it carries an anchor
  // How many steps of the path are written where the path says; the next goes through an alias or `<<`. nullopt: all.
  std::optional<std::size_t> foreign;

  // Whether the value is written at its place, and not elsewhere.
  bool is_own() const { return !foreign && !use->alias; }
};

// nullopt when there is none; also for a text without any value.
std::optional<YamlSpot> find_spot(const YamlText& text, const ConfigPath& path);

// The entries of a mapping itself: which has the key; nullopt for none.
std::optional<std::size_t> own_entry(const YamlNode& mapping, const ConfigKey& key);
bool has_merge(const YamlNode& mapping);

// All paths at which a node stands, through aliases and `<<`.
std::vector<ConfigPath> uses_of(const YamlText& text, const YamlNode* node);
// All dicts that are this mapping or take its keys by `<<`.
std::vector<ConfigPath> takers_of(const YamlText& text, const YamlNode* mapping);

}  // namespace attnscope
