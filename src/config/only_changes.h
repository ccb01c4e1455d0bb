#pragma once
#include <string>
#include <vector>

#include "config/path.h"

namespace attnscope {

// What was changed, in a form that gives the same tree when it is merged on the base.
struct OnlyChanges {
  ConfigNode tree;                   // a small config: OmegaConf.merge(base, tree)
  std::vector<std::string> dotlist;  // the same as key=value texts
  // What must be taken out of the base first, which a merge cannot say: keys that are gone, values that became `???`, a
  // list that became a dict and the other way round.
  std::vector<ConfigPath> removed;
  bool dotlist_is_whole = true;  // false: a key at the root, or a root, that no key=value text can name
};

// The order of a dict's keys does not count.
OnlyChanges only_changes(const ConfigNode& base, const ConfigNode& wanted);

}  // namespace attnscope
