#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "config/node.h"

namespace attnscope {

// A folder of config files, by paths relative to it such as "db/mysql.yaml".
struct ConfigFolder {
  std::function<std::optional<std::string>(const std::string& path)> read;  // nullopt: no such file
  std::function<bool(const std::string& path)> has_group;                   // a folder of options
};

// The tree that Hydra makes of a config and its defaults list. Overrides choose options of groups (`db=mysql`,
// `+db@backup=mysql`, `~db`) or change values. ConfigKindError "MissingConfigException", "ConfigCompositionException".
ConfigNode compose_hydra(const ConfigFolder& folder, const std::string& config,
                         const std::vector<std::string>& overrides);

}  // namespace attnscope
