#include "attention/cross_maps.h"

#include <ATen/ATen.h>

namespace attnscope {

int CrossMaps::frames() const { return layers.empty() ? 0 : static_cast<int>(layers[0].maps.size(0)); }

int CrossMaps::tokens() const { return layers.empty() ? 0 : static_cast<int>(layers[0].maps.size(1)); }

}  // namespace attnscope
