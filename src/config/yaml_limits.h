#pragma once
#include <cstddef>
#include <optional>

#include "config/yaml_document.h"

namespace attnscope {

// How large a document may become when its aliases are copied. A few lines of YAML can ask for billions of values.
struct YamlLimits {
  std::optional<std::size_t> most_nodes;  // maps, lists, keys and scalars
  bool limits_ratio = false;              // past 1 000 nodes, at most 100 times those that are written

  // More than any config holds.
  static YamlLimits generous() { return {1'000'000, false}; }
  // OmegaConf's: 10 000, or what OMEGACONF_MAX_YAML_EXPANDED_NODES says. ConfigKindError "ValueError" when that is no
  // positive number and not "none".
  static YamlLimits reference();
};

// ConfigKindError "ConstructorError" when an alias stands inside its own anchor or a limit is exceeded.
void check_yaml_limits(const YamlSource& source, const YamlDocument& document, const YamlLimits& limits);

}  // namespace attnscope
