#include "config/yaml_place.h"

#include <unordered_set>

#include "config/scalar.h"

namespace attnscope {
namespace {

using Kind = YamlNode::Kind;

bool is_merge(const YamlUse& key) { return key.node->tag == yaml_tags::kMerge; }

// The mappings that a mapping takes keys from, those that win first.
template <class Visit>
void for_each_source(const YamlNode& mapping, const Visit& visit) {
  for (auto entry = mapping.entries.rbegin(); entry != mapping.entries.rend(); ++entry) {
    if (!is_merge(entry->first)) continue;
    const YamlNode& value = *entry->second.node;
    if (value.kind == Kind::mapping) visit(value);
    for (const YamlUse& item : value.items)
      if (item.node->kind == Kind::mapping) visit(*item.node);
  }
}

struct Entry {
  const YamlNode* mapping;
  std::size_t index;
};

std::optional<Entry> find_entry(const YamlNode& mapping, const ConfigKey& key) {
  if (const auto own = own_entry(mapping, key)) return Entry{&mapping, *own};
  std::optional<Entry> found;
  for_each_source(mapping, [&](const YamlNode& source) {
    if (!found) found = find_entry(source, key);
  });
  return found;
}

// Every node of the tree with its path, aliases and `<<` followed.
class Walk {
 public:
  Walk(const YamlNode* wanted, bool takers) : wanted_(wanted), takers_(takers) {}

  void visit(const YamlNode& node) {
    if (&node == wanted_) found_.push_back(path_);
    for (std::size_t i = 0; i < node.items.size(); ++i) below(index_key(i), *node.items[i].node);
    if (node.kind != Kind::mapping) return;
    std::unordered_set<std::string> seen;
    if (takers_ && &node != wanted_ && takes(node)) found_.push_back(path_);
    visit_entries(node, has_merge(node) ? &seen : nullptr);
  }

  std::vector<ConfigPath> take() { return std::move(found_); }

 private:
  bool takes(const YamlNode& mapping) const {
    bool found = false;
    for_each_source(mapping, [&](const YamlNode& source) { found = found || &source == wanted_ || takes(source); });
    return found;
  }

  void visit_entries(const YamlNode& mapping, std::unordered_set<std::string>* seen) {
    for (const auto& [key, value] : mapping.entries) {
      if (is_merge(key)) continue;
      ConfigKey name = key_of_node(*key.node);
      if (seen && !seen->insert(name.text() + static_cast<char>(name.kind())).second) continue;
      below(std::move(name), *value.node);
    }
    for_each_source(mapping, [&](const YamlNode& source) { visit_entries(source, seen); });
  }

  void below(ConfigKey key, const YamlNode& node) {
    path_.push_back(std::move(key));
    visit(node);
    path_.pop_back();
  }

  const YamlNode* wanted_;
  bool takers_;
  ConfigPath path_;
  std::vector<ConfigPath> found_;
};

std::vector<ConfigPath> walk(const YamlText& text, const YamlNode* wanted, bool takers) {
  Walk walk(wanted, takers);
  if (text.root().node) walk.visit(*text.root().node);
  return walk.take();
}

}  // namespace

ConfigKey key_of_node(const YamlNode& node) {
  if (node.tag == yaml_tags::kString) return node.value;
  const ConfigNode value = parse_plain_scalar(node.value);
  switch (value.kind()) {
    case ConfigNode::Kind::integer: return ConfigKey::integer(value.digits());
    case ConfigNode::Kind::floating: return ConfigKey::floating(value.as_float());
    case ConfigNode::Kind::boolean: return ConfigKey::boolean(value.as_bool());
    default: return node.value;
  }
}

std::optional<std::size_t> own_entry(const YamlNode& mapping, const ConfigKey& key) {
  // Of equal keys that are no text the last one counts.
  for (std::size_t i = mapping.entries.size(); i-- > 0;) {
    const YamlNode& node = *mapping.entries[i].first.node;
    const bool text = node.tag == yaml_tags::kString;
    if (text ? key.is_string() && node.value == key.text() : node.tag != yaml_tags::kMerge && key_of_node(node) == key)
      return i;
  }
  return std::nullopt;
}

bool has_merge(const YamlNode& mapping) {
  for (const auto& [key, value] : mapping.entries)
    if (is_merge(key)) return true;
  return false;
}

std::optional<YamlSpot> find_spot(const YamlText& text, const ConfigPath& path) {
  YamlSpot spot{.use = &text.root()};
  if (!spot.use->node) return std::nullopt;
  spot.anchored = !spot.use->node->anchor.empty();
  for (std::size_t i = 0; i < path.size(); ++i) {
    const YamlNode& node = *spot.use->node;
    if (spot.use->alias && !spot.foreign) spot.foreign = i;
    spot.flow = spot.flow || node.flow;
    spot.container = &node;
    spot.key = nullptr;
    if (node.kind == Kind::sequence) {
      const auto index = index_of(path[i]);
      if (!index || *index >= node.items.size()) return std::nullopt;
      spot.index = *index;
      spot.use = &node.items[spot.index];
    } else if (node.kind == Kind::mapping) {
      const auto entry = find_entry(node, path[i]);
      if (!entry) return std::nullopt;
      if (entry->mapping != &node && !spot.foreign) spot.foreign = i;
      spot.container = entry->mapping;
      spot.index = entry->index;
      spot.key = &entry->mapping->entries[spot.index].first;
      spot.use = &entry->mapping->entries[spot.index].second;
    } else {
      return std::nullopt;
    }
    spot.anchored = spot.anchored || !spot.use->node->anchor.empty();
  }
  return spot;
}

std::vector<ConfigPath> uses_of(const YamlText& text, const YamlNode* node) { return walk(text, node, false); }

std::vector<ConfigPath> takers_of(const YamlText& text, const YamlNode* mapping) { return walk(text, mapping, true); }

}  // namespace attnscope
