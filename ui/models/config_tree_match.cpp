#include <algorithm>
#include <numeric>
#include <string>
#include <unordered_map>

#include "models/config_tree_rows.h"

namespace attnscope::ui {

namespace {

std::vector<int> sameOrder(std::size_t before, std::size_t after) {
  std::vector<int> out(before, -1);
  std::iota(out.begin(), out.begin() + std::ptrdiff_t(std::min(before, after)), 0);
  return out;
}

// Text and kind: `1` and `"1"` are two keys.
std::string identity(const ConfigKey& key) { return std::to_string(int(key.kind())) + key.text(); }

std::vector<int> matchMembers(const ConfigNode::Dict& before, const ConfigNode::Dict& after) {
  const bool same =
      before.size() == after.size() && std::equal(before.begin(), before.end(), after.begin(),
                                                  [](const auto& a, const auto& b) { return a.first == b.first; });
  if (same) return sameOrder(before.size(), after.size());
  std::unordered_map<std::string, int> places;
  for (std::size_t i = 0; i < after.size(); ++i) places.emplace(identity(after[i].first), int(i));
  std::vector<int> out(before.size(), -1);
  std::vector<bool> taken(after.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    const auto place = places.find(identity(before[i].first));
    if (place == places.end()) continue;
    out[i] = place->second;
    taken[std::size_t(place->second)] = true;
  }
  if (before.size() != after.size()) return out;
  for (std::size_t i = 0; i < before.size(); ++i)
    if (out[i] < 0 && !taken[i]) out[i] = int(i);  // renamed where it stands
  return out;
}

std::vector<int> matchItems(const ConfigNode::List& before, const ConfigNode::List& after) {
  const std::size_t shorter = std::min(before.size(), after.size());
  std::size_t head = 0, tail = 0;
  while (head < shorter && before[head] == after[head]) ++head;
  while (tail < shorter - head && before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) ++tail;
  std::vector<int> out = sameOrder(before.size(), after.size());
  if (before.size() != after.size()) {
    const std::size_t middle = std::min(before.size(), after.size()) - head - tail;
    for (std::size_t i = head + middle; i < before.size() - tail; ++i) out[i] = -1;
    for (std::size_t i = before.size() - tail; i < before.size(); ++i) out[i] = int(i + after.size() - before.size());
    return out;
  }
  // One item that moved, with those between going the other way.
  const std::size_t end = before.size() - tail;
  if (end < head + 2) return out;
  const auto begin = before.begin() + std::ptrdiff_t(head), stop = before.begin() + std::ptrdiff_t(end);
  if (before[head] == after[end - 1] && std::equal(begin + 1, stop, after.begin() + std::ptrdiff_t(head))) {
    for (std::size_t i = head + 1; i < end; ++i) out[i] = int(i) - 1;
    out[head] = int(end) - 1;
  } else if (before[end - 1] == after[head] && std::equal(begin, stop - 1, after.begin() + std::ptrdiff_t(head) + 1)) {
    for (std::size_t i = head; i + 1 < end; ++i) out[i] = int(i) + 1;
    out[end - 1] = int(head);
  }
  return out;
}

}  // namespace

std::vector<int> matchChildren(const ConfigNode& before, const ConfigNode& after) {
  if (before.is_dict() && after.is_dict()) return matchMembers(before.members(), after.members());
  if (before.is_list() && after.is_list()) return matchItems(before.items(), after.items());
  const std::size_t count = before.is_dict() ? before.members().size() : before.is_list() ? before.items().size() : 0;
  return std::vector<int>(count, -1);
}

}  // namespace attnscope::ui
