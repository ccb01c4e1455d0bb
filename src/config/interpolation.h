#pragma once
#include "config/node.h"

namespace attnscope {

// Replaces every interpolation of a tree by what it gives (config/resolve.h), as OmegaConf does. ConfigError at the
// first one that cannot be resolved.
void resolve_interpolations(ConfigNode& root);

}  // namespace attnscope
