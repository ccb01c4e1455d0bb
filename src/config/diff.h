#pragma once
#include <vector>

#include "config/path.h"

namespace attnscope {

// One difference between two trees.
struct ConfigChange {
  enum class Kind { added, removed, changed };
  Kind kind;
  ConfigPath path;
  bool operator==(const ConfigChange&) const = default;
};

// What differs between two trees, by key and not by line: the topmost nodes only. Of lists the same index is compared;
// the order of a dict's keys does not count.
std::vector<ConfigChange> diff_configs(const ConfigNode& before, const ConfigNode& after);

}  // namespace attnscope
