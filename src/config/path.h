#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/node.h"

namespace attnscope {

// The keys from a tree's root to a node; the items of a list by their index, as whole-number keys. Empty: the root.
using ConfigPath = std::vector<ConfigKey>;

ConfigKey index_key(std::size_t index);
// The index that a key of a path is in a list; nullopt when it is none.
std::optional<std::size_t> index_of(const ConfigKey& key);

// A dict's key as a step of such a text: with a backslash before characters that would end it.
std::string path_step(std::string_view key);
// "a.b[0]", as select() reads it: characters that would end a step have a backslash. `root` tells lists from dicts.
std::string path_text(const ConfigNode& root, const ConfigPath& path);

// The node there; nullptr when there is none.
const ConfigNode* node_at(const ConfigNode& root, const ConfigPath& path);
ConfigNode* node_at(ConfigNode& root, const ConfigPath& path);

// The path of the node that "a.b[0]" names; nullopt when there is none.
std::optional<ConfigPath> find_path(const ConfigNode& root, std::string_view text);

// The path of a child, of what holds a node (not of the root), and the first steps of a path.
ConfigPath child_path(ConfigPath path, const ConfigKey& key);
ConfigPath parent_path(const ConfigPath& path);
ConfigPath first_steps(const ConfigPath& path, std::size_t count);

bool starts_with(const ConfigPath& path, const ConfigPath& ancestor);

}  // namespace attnscope
