#pragma once
#include <functional>

#include "config/errors.h"
#include "config/path.h"
#include "config/resolve.h"

namespace attnscope {

// A value of a tree that is not written out: `???`, or an expression and what it stands for.
struct OpenValue {
  const ConfigCursor& at;
  const ConfigPath& path;
  ConfigCursor target;                     // of an expression; none for `???` and where there is an error
  const ConfigKindError* error = nullptr;  // why an expression stands for nothing
};

// Visits all of them, in order.
void for_each_open_value(ConfigResolver& resolver, const std::function<void(const OpenValue&)>& visit);

// The maps, lists, keys and scalars of a tree, as OmegaConf counts them against its limit (config/yaml_limits.h).
std::size_t count_nodes(const ConfigNode& node);

}  // namespace attnscope
