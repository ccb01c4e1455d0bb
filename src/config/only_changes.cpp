#include "config/only_changes.h"

#include <algorithm>

#include "config/diff.h"
#include "config/errors.h"
#include "config/merge.h"
#include "config/resolve.h"
#include "config/yaml_spelling.h"

namespace attnscope {
namespace {

bool same(const ConfigNode& a, const ConfigNode& b) { return diff_configs(a, b).empty(); }

class Collector {
 public:
  Collector(const ConfigNode& base, const ConfigNode& wanted) : root_(base), wanted_(wanted) {}

  ConfigNode run() {
    ConfigNode tree = changed(root_, wanted_);
    repair(tree);
    return tree;
  }
  std::vector<ConfigPath> take_removed() { return std::move(removed_); }

 private:
  // The part of `wanted` that differs from `base`; both are dicts, or the whole is replaced.
  ConfigNode changed(const ConfigNode& base, const ConfigNode& wanted) {
    if (!base.is_dict() || !wanted.is_dict()) {
      if (!base.is_scalar() && base.kind() != wanted.kind() && (!wanted.is_scalar() || wanted.is_missing()))
        removed_.push_back(path_);
      if (base.is_scalar() && !base.is_missing() && wanted.is_missing()) removed_.push_back(path_);
      return wanted;
    }
    ConfigNode::Dict members;
    for (const auto& [key, value] : wanted.members()) {
      const ConfigNode* old = base.find_key(key);
      if (old && same(*old, value)) continue;
      path_.push_back(key);
      ConfigNode part = old ? changed(*old, value) : value;
      const bool only_lost_keys = old && old->is_dict() && part.is_dict() && part.members().empty();
      if (!only_lost_keys) members.emplace_back(key, std::move(part));
      path_.pop_back();
    }
    for (const auto& [key, value] : base.members()) {
      if (wanted.find_key(key)) continue;
      removed_.push_back(path_);
      removed_.back().push_back(key);
    }
    return members;
  }

  // A dict that is laid on a reference keeps the keys of what it leads to, and a list is refused there. Which of them
  // do is seen by merging.
  void repair(ConfigNode& tree) {
    for (bool again = true; again;) {
      again = false;
      ConfigNode base = root_;
      for (const ConfigPath& path : removed_) take_out(base, path);
      for (const ConfigPath& path : wrong_places(std::move(base), tree)) {
        ConfigPath place = path;
        while (!place.empty() && !node_at(root_, place)) place.pop_back();
        if (place.empty() || std::find(removed_.begin(), removed_.end(), place) != removed_.end()) continue;
        if (const ConfigNode* value = node_at(wanted_, place)) put(tree, place, *value);
        removed_.push_back(std::move(place));
        again = true;
      }
    }
  }

  std::vector<ConfigPath> wrong_places(ConfigNode base, const ConfigNode& tree) const {
    std::vector<ConfigPath> places;
    try {
      ConfigNode merged = base;
      ConfigEditor(merged).merge(tree);
      for (ConfigChange& change : diff_configs(merged, wanted_)) places.push_back(std::move(change.path));
    } catch (const ConfigKindError&) {
      ConfigPath path;
      replaced_references(base, tree, path, places);
    }
    return places;
  }

  // The references of the base that a list or dict is laid on.
  static void replaced_references(const ConfigNode& base, const ConfigNode& tree, ConfigPath& path,
                                  std::vector<ConfigPath>& places) {
    if (base.is_interpolation() && !tree.is_scalar()) places.push_back(path);
    if (!base.is_dict() || !tree.is_dict()) return;
    for (const auto& [key, value] : tree.members()) {
      const ConfigNode* old = base.find_key(key);
      if (!old) continue;
      path.push_back(key);
      replaced_references(*old, value, path, places);
      path.pop_back();
    }
  }

  static void take_out(ConfigNode& root, ConfigPath path) {
    if (path.empty()) {
      root = ConfigNode(ConfigNode::Dict{});
      return;
    }
    const ConfigKey key = path.back();
    path.pop_back();
    if (ConfigNode* container = node_at(root, path); container && container->is_dict()) container->erase(key);
  }

  static void put(ConfigNode& root, const ConfigPath& path, const ConfigNode& value) {
    ConfigNode* node = &root;
    for (const ConfigKey& key : path) {
      ConfigNode* child = node->find_key(key);
      node = child ? child : &node->set(key, ConfigNode(ConfigNode::Dict{}));
    }
    *node = value;
  }

  const ConfigNode& root_;
  const ConfigNode& wanted_;
  ConfigPath path_;
  std::vector<ConfigPath> removed_;
};

// The key=value texts of a tree that is to be laid on `base`.
class Dotlist {
 public:
  explicit Dotlist(OnlyChanges& changes) : changes_(changes) {}

  void add(const ConfigNode* base, const ConfigNode& node) {
    // Below a reference a text would change what it leads to.
    const bool descend = node.is_dict() && !node.members().empty() && !(base && base->is_interpolation());
    const bool nameable = descend && std::all_of(node.members().begin(), node.members().end(),
                                                 [](const auto& member) { return can_be_named(member.first); });
    if (path_.empty() && (!node.is_dict() || (descend && !nameable))) changes_.dotlist_is_whole = false;
    if (path_.empty() ? node.is_dict() : nameable) {
      for (const auto& [key, value] : node.members()) {
        if (!can_be_named(key)) continue;
        path_.push_back(key);
        add(base && base->is_dict() ? base->find_key(key) : nullptr, value);
        path_.pop_back();
      }
    } else if (!path_.empty()) {
      changes_.dotlist.push_back(path_text(changes_.tree, path_) + "=" + spell_value(node, {.flow = true}));
    }
  }

 private:
  static bool can_be_named(const ConfigKey& key) {
    return key.is_string() && !key.text().empty() && key.text().back() != '\\' &&
           key.text().find_first_of(" \t\r\n{}\"'") == std::string::npos;
  }

  OnlyChanges& changes_;
  ConfigPath path_;
};

}  // namespace

OnlyChanges only_changes(const ConfigNode& base, const ConfigNode& wanted) {
  OnlyChanges changes;
  if (same(base, wanted) && !wanted.is_list()) {
    changes.tree = ConfigNode(ConfigNode::Dict{});
    return changes;
  }
  Collector collector(base, wanted);
  changes.tree = collector.run();
  changes.removed = collector.take_removed();
  Dotlist(changes).add(&base, changes.tree);
  return changes;
}

}  // namespace attnscope
