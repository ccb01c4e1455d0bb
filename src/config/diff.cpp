#include "config/diff.h"

#include <algorithm>

namespace attnscope {
namespace {

using Kind = ConfigChange::Kind;

void compare(const ConfigNode& before, const ConfigNode& after, ConfigPath& path, std::vector<ConfigChange>& out) {
  const auto below = [&](const ConfigKey& key, const ConfigNode* a, const ConfigNode* b) {
    path.push_back(key);
    if (a && b) {
      compare(*a, *b, path, out);
    } else {
      out.push_back({a ? Kind::removed : Kind::added, path});
    }
    path.pop_back();
  };
  if (before.is_dict() && after.is_dict()) {
    const auto& a = before.members();
    const auto& b = after.members();
    // Nearly always the keys are the same in the same order: no look-up then.
    const bool same =
        a.size() == b.size() &&
        std::equal(a.begin(), a.end(), b.begin(), [](const auto& x, const auto& y) { return x.first == y.first; });
    for (std::size_t i = 0; i < a.size(); ++i) {
      below(a[i].first, &a[i].second, same ? &b[i].second : after.find_key(a[i].first));
    }
    if (same) return;
    for (const auto& [key, value] : b)
      if (!before.find_key(key)) below(key, nullptr, &value);
  } else if (before.is_list() && after.is_list()) {
    const auto& a = before.items();
    const auto& b = after.items();
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i)
      below(index_key(i), i < a.size() ? &a[i] : nullptr, i < b.size() ? &b[i] : nullptr);
  } else if (!(before == after)) {
    out.push_back({Kind::changed, path});
  }
}

}  // namespace

std::vector<ConfigChange> diff_configs(const ConfigNode& before, const ConfigNode& after) {
  std::vector<ConfigChange> out;
  ConfigPath path;
  compare(before, after, path, out);
  return out;
}

}  // namespace attnscope
