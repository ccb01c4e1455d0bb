#pragma once
#include <optional>
#include <string>
#include <vector>

#include "worker/config_snapshot.h"

// What the config form does to a document's text, as edits for ConfigDocument::edit(). All of them are carried out as a
// whole or not at all; ConfigKindError "EditRefused" says why not.
namespace attnscope::ui::config_edits {

// Before a child of a container; at its end when there is none.
struct Spot {
  ConfigPath container;
  std::optional<ConfigKey> before;
};

ConfigEdit insert(const Spot& spot, const ConfigKey& key, const ConfigNode& value);
ConfigEdit remove(const std::vector<ConfigPath>& paths);
ConfigEdit rename(const ConfigPath& path, const ConfigKey& key);
// In the order in which they are given.
ConfigEdit move(const std::vector<ConfigPath>& paths, const Spot& spot);
// A copy behind each, under a key that is still free.
ConfigEdit duplicate(const std::vector<ConfigPath>& paths);
// YAML at a node: a dict adds its keys (none may be there already), a list its items, a scalar replaces the value.
ConfigEdit paste(const ConfigPath& at, const std::string& yaml);

// `name`, or with a number behind it when a dict has it already.
std::string free_key(const ConfigNode& dict, const std::string& name);

}  // namespace attnscope::ui::config_edits
