#pragma once
#include "config/node.h"

namespace attnscope {

// Replaces `${a.b}` by the value at that absolute path and `${oc.env:NAME}`, `${oc.env:NAME,default}` by the
// environment's, everywhere in the tree. A text that is nothing but one reference takes the value with its kind,
// otherwise the value's text is put in; `\${` stays as `${`. ConfigError: no such key, a cycle, an unset variable,
// anything else in `${…}`.
void resolve_interpolations(ConfigNode& root);

}  // namespace attnscope
