#pragma once
#include <string>
#include <vector>

#include "config/path.h"

namespace attnscope {

// What was changed, in a form that gives the same tree when it is merged on the base.
struct OnlyChanges {
  ConfigNode tree;                   // a small config: OmegaConf.merge(base, tree)
  std::vector<std::string> dotlist;  // the same as key=value texts
  std::vector<ConfigPath> removed;   // keys that are gone; a merge cannot say that
};
OnlyChanges only_changes(const ConfigNode& base, const ConfigNode& wanted);

}  // namespace attnscope
