#include "config/config_edit.h"

#include <algorithm>

#include "config/children.h"

namespace attnscope {
namespace {

using Kind = YamlNode::Kind;

bool is_null(const YamlNode& node) { return node.kind == Kind::scalar && node.tag == yaml_tags::kNull; }

bool has_children(const YamlNode& node) { return !node.items.empty() || !node.entries.empty(); }

// Whether keys that both have stand in another order, or new ones before old ones.
bool other_order(const ConfigNode& before, const ConfigNode& after) {
  std::vector<const ConfigKey*> kept, wanted;
  for (const auto& [key, value] : before.members())
    if (after.find_key(key)) kept.push_back(&key);
  if (kept.empty()) return false;
  for (const auto& [key, value] : after.members()) wanted.push_back(&key);
  return !std::equal(kept.begin(), kept.end(), wanted.begin(),
                     [](const ConfigKey* a, const ConfigKey* b) { return *a == *b; });
}

}  // namespace

void refuse_foreign(const YamlText& text, const ConfigPath& path, const YamlSpot& spot) {
  const ConfigNode& root = *text.tree();
  const ConfigPlace place = text.source().place(spot.use->node->start, path_text(root, path));
  std::string others;
  for (const ConfigPath& other : uses_of(text, spot.use->node))
    if (other != path) others += (others.empty() ? "" : ", ") + path_text(root, other);
  refuse_edit("the value is written in line " + std::to_string(place.line) + " and used here through an alias or <<" +
                  (others.empty() ? "" : "; a change there also changes " + others),
              place, "Write it beside (override), so that only this place changes.");
}

YamlSpot ConfigEdit::own_spot(const ConfigPath& path, bool may_alias) const {
  const auto spot = find_spot(text_, path);
  if (!spot) refuse_edit("there is no " + path_text(*text_.tree(), path), {text_.source().file()});
  if (spot->foreign || (spot->use->alias && !may_alias)) refuse_foreign(text_, path, *spot);
  return *spot;
}

YamlChild ConfigEdit::child_at(const YamlSpot& spot) const {
  return spot.container ? child_of(text_, *spot.container, spot.index) : root_child(text_);
}

ChildEdits& ConfigEdit::children(const ConfigPath& container, const YamlSpot& spot) {
  auto& edits = containers_[spot.use->node];
  if (!edits) {
    std::optional<YamlChild> self;
    if (!container.empty()) self = child_at(spot);
    edits = std::make_unique<ChildEdits>(text_, *spot.use->node, self);
  }
  return *edits;
}

std::size_t ConfigEdit::written_index(const ConfigPath& container, const YamlSpot& spot, std::size_t index) const {
  const YamlNode& node = *spot.use->node;
  if (node.kind != Kind::mapping) return std::min(index, node.items.size());
  const auto& members = node_at(*text_.tree(), container)->members();
  for (; index < members.size(); ++index)
    if (const auto own = own_entry(node, members[index].first)) return *own;
  return node.entries.size();
}

void ConfigEdit::set(const ConfigPath& path, const ConfigNode& value) {
  const auto spot = find_spot(text_, path);
  if (!spot || (path.empty() && text_.is_blank())) {
    for (std::size_t depth = path.size(); depth-- > 0;)
      if (find_spot(text_, first_steps(path, depth))) return add(path, depth, value);
    return add(path, 0, value);
  }
  if (!spot->is_own()) refuse_foreign(text_, path, *spot);
  const ConfigNode& current = *node_at(*text_.tree(), path);
  expect(path, value);
  if (current.is_dict() && value.is_dict() && other_order(current, value)) {
    if (path.empty()) refuse_edit("another order of keys", {text_.source().file()});
    replace_value(text_, edits_, child_at(*spot), value, spot->flow);
  } else if (!(current == value)) {
    change_.change(child_at(*spot), current, value, spot->flow);
  } else if (value.has_text() && value.text() != current.text()) {
    replace_value(text_, edits_, child_at(*spot), value, spot->flow);
  }
}

// `depth` steps of the path are there.
void ConfigEdit::add(const ConfigPath& path, std::size_t depth, const ConfigNode& value) {
  const ConfigPath parent = first_steps(path, depth);
  const bool blank = depth == 0 && text_.is_blank();
  YamlSpot spot;
  if (!blank) spot = own_spot(parent);
  const YamlNode* node = blank ? nullptr : spot.use->node;
  const std::string name = path_text(*text_.tree(), parent);
  const bool list = node && node->kind == Kind::sequence;
  if (node && node->kind == Kind::scalar && !is_null(*node))
    refuse_edit(name + " is not a dict", text_.source().place(spot.use->start));
  const ConfigNode empty = list ? ConfigNode(ConfigNode::List{}) : ConfigNode(ConfigNode::Dict{});
  Addition& addition = additions_.try_emplace(node, Addition{spot, parent, empty}).first->second;
  if (path.empty()) {
    addition.children = value;
  } else if (list) {
    ConfigNode item = value;
    for (std::size_t i = path.size(); i-- > depth + 1;) item = ConfigNode(ConfigNode::Dict{{path[i], std::move(item)}});
    if (index_of(path[depth]) != node->items.size() + addition.children.items().size())
      refuse_edit(name + " has no item " + path[depth].text(), text_.source().place(spot.use->start));
    addition.children.items().push_back(std::move(item));
  } else {
    ConfigNode* at = &addition.children;
    for (std::size_t i = depth; i + 1 < path.size(); ++i) {
      ConfigNode* next = at->find_key(path[i]);
      if (next && !next->is_dict() && !next->is_null()) refuse_edit("a value and one below it");
      at = next ? next : &at->set(path[i], ConfigNode(ConfigNode::Dict{}));
    }
    at->set(path.back(), value);
  }
  expect(path, value);
  if (blank || !has_children(*node)) allow(parent);
  if (!blank && node->kind != Kind::scalar) allow_child(parent, spot, path.empty() ? ConfigKey() : path[depth]);
}

void ConfigEdit::add_children() {
  for (const auto& [node, addition] : additions_) {
    const ConfigNode& added = addition.children;
    if (!node) {
      const YamlPlace place = place_in(text_, false);
      edits_.insert(text_.end(),
                    (added.is_scalar() ? spell_value(added, place)
                                       : spell_block(added, {0, text_.indent_step(), text_.newline()}, place)) +
                        text_.newline());
    } else if (!has_children(*node)) {
      fill_empty(text_, edits_, child_at(addition.spot), added, addition.spot.flow);
    } else {
      ChildEdits& edits = children(addition.path, addition.spot);
      const std::size_t end = edits.children().size();
      if (added.is_list()) {
        for (const ConfigNode& item : added.items()) edits.insert(new_child(text_, edits, end, nullptr, item));
      } else {
        for (const auto& [key, value] : added.members()) edits.insert(new_child(text_, edits, end, &key, value));
      }
    }
  }
}

void ConfigEdit::insert(const ConfigPath& container, std::size_t index, const ConfigKey& key, const ConfigNode& value) {
  const ConfigNode* parent = node_at(*text_.tree(), container);
  if (!parent) refuse_edit("there is no " + path_text(*text_.tree(), container), {text_.source().file()});
  const bool list = parent->is_list();
  if (!list && parent->find_key(key))
    refuse_edit("there is a key " + key.text() + " already", parent->find_key(key)->place());
  const std::size_t count = child_count(*parent);
  index = std::min(index, count);
  if (index == count) return set(child_path(container, list ? index_key(index) : key), value);
  const YamlSpot spot = own_spot(container);
  ChildEdits& edits = children(container, spot);
  edits.insert(new_child(text_, edits, written_index(container, spot, index), list ? nullptr : &key, value));
  expect_containers({container});
  allow_child(container, spot, key);
  insert_child(expected(container), index, key, value);
}

void ConfigEdit::remove(std::vector<ConfigPath> paths) {
  std::vector<std::pair<ConfigPath, YamlSpot>> spots;
  for (const ConfigPath& path : paths) {
    if (path.empty()) refuse_edit("the root");
    const bool below = std::any_of(paths.begin(), paths.end(), [&](const ConfigPath& other) {
      return other.size() < path.size() && starts_with(path, other);
    });
    if (!below) spots.emplace_back(path, own_spot(path, true));
  }
  // From the end, so that indices stay right.
  std::stable_sort(spots.begin(), spots.end(),
                   [](const auto& a, const auto& b) { return a.second.use->start.index > b.second.use->start.index; });
  std::vector<ConfigPath> parents;
  for (const auto& [path, spot] : spots) parents.push_back(parent_path(path));
  expect_containers(parents);
  for (std::size_t i = 0; i < spots.size(); ++i) {
    const auto& [path, spot] = spots[i];
    if (i > 0 && path == spots[i - 1].first) continue;
    const YamlSpot parent = own_spot(parents[i]);
    children(parents[i], parent).remove(spot.index);
    allow_child(parents[i], parent, path.back());
    erase_child(expected(parents[i]), path.back());
  }
}

}  // namespace attnscope
