#include "config/interpolation.h"

#include "config/resolve.h"

namespace attnscope {

void resolve_interpolations(ConfigNode& root) { resolve_in_place(root); }

}  // namespace attnscope
