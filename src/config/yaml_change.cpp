#include "config/yaml_change.h"

#include <algorithm>
#include <unordered_set>

#include "config/yaml_place.h"

namespace attnscope {
namespace {

// Which items of two lists are the same, in order: pairs of indices, with one past the ends as the last.
std::vector<std::pair<std::size_t, std::size_t>> common_items(const ConfigNode::List& a, const ConfigNode::List& b) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  std::size_t head = 0, tail = 0;
  while (head < a.size() && head < b.size() && a[head] == b[head]) pairs.emplace_back(head, head), ++head;
  while (tail + head < a.size() && tail + head < b.size() && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;
  const std::size_t rows = a.size() - head - tail, columns = b.size() - head - tail;
  std::vector<std::vector<uint32_t>> longest(rows + 1, std::vector<uint32_t>(columns + 1));
  for (std::size_t i = rows; i-- > 0;)
    for (std::size_t j = columns; j-- > 0;)
      longest[i][j] =
          a[head + i] == b[head + j] ? longest[i + 1][j + 1] + 1 : std::max(longest[i + 1][j], longest[i][j + 1]);
  for (std::size_t i = 0, j = 0; i < rows && j < columns;) {
    if (a[head + i] == b[head + j]) {
      pairs.emplace_back(head + i++, head + j++);
    } else {
      ++(longest[i + 1][j] >= longest[i][j + 1] ? i : j);
    }
  }
  for (std::size_t k = tail; k > 0; --k) pairs.emplace_back(a.size() - k, b.size() - k);
  pairs.emplace_back(a.size(), b.size());
  return pairs;
}

bool share_a_key(const ConfigNode& a, const ConfigNode& b) {
  return std::any_of(b.members().begin(), b.members().end(),
                     [&](const auto& member) { return a.find_key(member.first) != nullptr; });
}

bool is_empty(const ConfigNode& node) {
  return node.is_dict() ? node.members().empty() : node.is_list() && node.items().empty();
}

}  // namespace

void YamlChange::change(const YamlChild& child, const ConfigNode& current, const ConfigNode& wanted, bool flow) {
  const YamlUse& use = *child.value;
  if (use.alias) {
    aliases_.push_back({child, current, wanted, flow});
    return;
  }
  const bool same = current == wanted;
  if (text_.has_anchors()) {
    wanted_.emplace(use.node, wanted);
  } else if (same) {
    return;
  }
  const bool inside = flow || use.node->flow;
  if (current.is_dict() && wanted.is_dict() && share_a_key(current, wanted)) {
    change_dict(child, current, wanted, inside);
  } else if (current.is_list() && wanted.is_list() && !is_empty(current) && !is_empty(wanted)) {
    change_list(child, current, wanted, inside);
  } else if (!same) {
    const bool fills = current.kind() == wanted.kind() && is_empty(current) && use.node->flow;
    if (fills) {
      fill_empty(text_, edits_, child, wanted, flow);
    } else {
      replace_value(text_, edits_, child, wanted, flow);
    }
  }
}

void YamlChange::settle_aliases() {
  for (const auto& [child, current, wanted, flow] : aliases_) {
    const auto anchor = wanted_.find(child.value->node);
    if (anchor != wanted_.end() ? anchor->second == wanted : current == wanted) continue;
    edits_.add(text_.offset(child.value->start), text_.offset(child.value->end),
               spell_value(wanted, place_in(text_, flow)));
  }
}

void YamlChange::change_dict(const YamlChild& child, const ConfigNode& current, const ConfigNode& wanted, bool flow) {
  const YamlNode& node = *child.value->node;
  ChildEdits children(text_, node, child);
  std::unordered_set<const ConfigNode*> own;
  for (std::size_t i = 0; i < node.entries.size(); ++i) {
    const YamlNode& key = *node.entries[i].first.node;
    if (key.tag == yaml_tags::kMerge) continue;
    const ConfigKey name = key_of_node(key);
    const ConfigNode* before = current.find_key(name);
    const ConfigNode* after = wanted.find_key(name);
    own.insert(before);
    if (before && after) {
      change(children.children()[i], *before, *after, flow);
    } else if (before) {
      children.remove(i);
    }
  }
  for (const auto& [key, value] : wanted.members()) {
    const ConfigNode* before = current.find_key(key);
    if (before && (own.count(before) || *before == value)) continue;
    children.insert(new_child(text_, children, node.entries.size(), &key, value));
  }
  for (const auto& [key, value] : current.members())
    if (!own.count(&value) && !wanted.find_key(key)) refuse_edit("the key " + key.text() + " comes from <<");
  children.finish(edits_);
}

void YamlChange::change_list(const YamlChild& child, const ConfigNode& current, const ConfigNode& wanted, bool flow) {
  const auto& before = current.items();
  const auto& after = wanted.items();
  ChildEdits children(text_, *child.value->node, child);
  const auto change_item = [&](std::size_t a, std::size_t b) {
    change(children.children()[a], before[a], after[b], flow);
  };
  std::size_t a = 0, b = 0;
  for (const auto& [same_a, same_b] : common_items(before, after)) {
    for (; a < same_a && b < same_b; ++a, ++b) change_item(a, b);
    for (; a < same_a; ++a) children.remove(a);
    for (; b < same_b; ++b) children.insert(new_child(text_, children, same_a, nullptr, after[b]));
    if (same_a < before.size()) change_item(same_a, same_b);
    a = same_a + 1;
    b = same_b + 1;
  }
  children.finish(edits_);
}

}  // namespace attnscope
