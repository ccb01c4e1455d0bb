#pragma once
#include <optional>
#include <string>
#include <vector>

#include "config/node.h"

namespace attnscope {

// One override as Hydra's command line takes it: `a.b=1`, `+a=1`, `++a=1`, `~a`, `~a=1`, `group@package=option`.
struct HydraOverride {
  enum class Type { change, add, force_add, remove };
  Type type = Type::change;
  std::string key;
  std::optional<std::string> package;  // after @
  std::optional<ConfigNode> value;     // nullopt: no "="
  std::string text;
};

// ConfigKindError "OverrideParseException" that shows the text with a caret under the place.
HydraOverride parse_hydra_override(const std::string& text);

// Changes the tree, which takes no new keys but by `+` and `++`. ConfigKindError "ConfigCompositionException".
void apply_hydra_overrides(ConfigNode& root, const std::vector<HydraOverride>& overrides);

}  // namespace attnscope
