// ConfigEdit: what keeps the text of a child and puts it elsewhere.
#include <algorithm>

#include "config/children.h"
#include "config/config_edit.h"
#include "config/yaml_piece.h"

namespace attnscope {
namespace {

using Kind = YamlNode::Kind;

ConfigPath parent_of(const ConfigPath& path) {
  if (path.empty()) refuse_edit("the root");
  return parent_path(path);
}

void refuse_key(const ConfigNode& container, const ConfigKey& key) {
  if (const ConfigNode* there = container.find_key(key))
    refuse_edit("there is a key " + key.text() + " already", there->place());
}

}  // namespace

void ConfigEdit::rename(const ConfigPath& path, const ConfigKey& key) {
  const ConfigPath parent = parent_of(path);
  const YamlSpot spot = own_spot(path, true);
  if (!spot.key) refuse_edit("an item has no key", text_.source().place(spot.use->start));
  if (path.back() == key && path.back().kind() == key.kind()) return;
  if (!(path.back() == key)) refuse_key(*node_at(*text_.tree(), parent), key);
  const YamlUse& name = *spot.key;
  const std::size_t begin = text_.offset(name.alias ? name.start : name.node->content);
  edits_.add(begin, text_.offset(name.end), spell_key(key, place_in(text_, spot.flow, name.node)));
  const YamlSpot container = own_spot(parent);
  expect_containers({parent});
  allow_child(parent, container, path.back());
  allow_child(parent, container, key);
  for (auto& [old, value] : expected(parent).members())
    if (old == path.back()) {
      old = key;
      break;
    }
}

void ConfigEdit::duplicate(const ConfigPath& path, const ConfigKey& key) {
  const ConfigPath parent = parent_of(path);
  const YamlSpot spot = own_spot(path, true), container = own_spot(parent);
  const ConfigNode& value = *node_at(*text_.tree(), path);
  const ConfigNode& before = *node_at(*text_.tree(), parent);
  if (spot.key) refuse_key(before, key);
  ChildEdits& edits = children(parent, container);
  const bool flow = spot.container->flow;
  PieceTarget target{spot.key != nullptr, flow, 0, spot.key ? &key : nullptr, true};
  const YamlChild& child = edits.children()[spot.index];
  target.column = flow && !child.starts_line ? 0 : edits.column();
  if (flow) target.column = child.starts_line ? text_.column(child.begin) : 0;
  NewChild piece = piece_of(text_, spot, child, value, target);
  if (flow && !edits.own_lines_end(spot.index)) piece.behind.clear();
  piece.index = spot.index + 1;
  edits.insert(std::move(piece));
  expect_containers({parent});
  allow_child(parent, container, key);
  insert_child(expected(parent), child_position(before, path.back()) + 1, key, value);
}

void ConfigEdit::move(const ConfigPath& path, const ConfigPath& container, std::size_t index) {
  const ConfigPath parent = parent_of(path);
  if (starts_with(container, path)) refuse_edit("a value cannot be moved into itself");
  const YamlSpot spot = own_spot(path, true), from = own_spot(parent), to = own_spot(container);
  const ConfigNode value = *node_at(*text_.tree(), path);
  const ConfigNode& before = *node_at(*text_.tree(), container);
  index = std::min(index, child_count(before));
  if (before.is_scalar() && !before.is_null()) refuse_edit("the target is no dict or list", before.place());
  const bool same = from.use->node == to.use->node;
  if (same) {
    const std::size_t old = child_position(before, path.back());
    if (index == old || index == old + 1) return;
  } else if (!before.is_list()) {
    refuse_key(before, path.back());
  }
  ChildEdits& source = children(parent, from);
  if (child_count(before) == 0) {
    move_into_empty(spot, source.children()[spot.index], value, container, to);
    source.take(spot.index);
  } else {
    ChildEdits& target = children(container, to);
    if (!same || !permute(target, spot, written_index(container, to, index))) {
      NewChild piece = piece_with_comments(spot, source, value, target);
      piece.index = written_index(container, to, index);
      source.take(spot.index);
      target.insert(std::move(piece));
    }
  }
  expect_containers({parent, container});
  allow_child(parent, from, path.back());
  if (child_count(before) == 0) {
    allow(container);
  } else {
    allow_child(container, to, path.back());
  }
  // Whichever is further in goes first, so that indices stay right.
  if (starts_with(parent, container)) {
    if (same && index > child_position(before, path.back())) --index;
    erase_child(expected(parent), path.back());
    insert_child(expected(container), index, path.back(), value);
  } else {
    insert_child(expected(container), index, path.back(), value);
    erase_child(expected(parent), path.back());
  }
}

NewChild ConfigEdit::piece_with_comments(const YamlSpot& spot, const ChildEdits& source, const ConfigNode& value,
                                         const ChildEdits& target) const {
  const YamlChild& child = source.children()[spot.index];
  const bool flow = target.container().flow;
  const YamlChild& sibling = target.children().front();
  const std::size_t column = flow && !sibling.starts_line ? 0 : target.column();
  const bool dict = target.container().kind == Kind::mapping;
  NewChild piece = piece_of(text_, spot, child, value, {dict, flow, column, nullptr, false});
  piece.above = comments_over(child, source.comments_above(spot.index), column);
  if (!piece.above.empty() && flow && !spot.container->flow)
    refuse_edit("comments have no room in brackets", text_.source().place(spot.use->start));
  return piece;
}

std::string ConfigEdit::comments_over(const YamlChild& child, std::size_t begin, std::size_t column) const {
  if (!child.starts_line) return {};
  const std::size_t end = text_.line_start(child.begin);
  const std::string lines = text_.newline() + text_.bytes().substr(begin, end - begin);
  return reindented(lines, text_.column(child.begin), column).substr(text_.newline().size());
}

// Children of brackets without comments between them change places, and the blanks and commas stay.
bool ConfigEdit::permute(const ChildEdits& edits, const YamlSpot& spot, std::size_t index) {
  if (!edits.container().flow) return false;
  const auto& all = edits.children();
  const std::size_t first = std::min(spot.index, index);
  const std::size_t last = std::max(spot.index, index - (index > 0 ? 1 : 0));
  for (std::size_t i = first; i <= last; ++i) {
    if (comment_behind(text_, all[i], true) ||
        (all[i].starts_line && edits.comments_above(i) < text_.line_start(all[i].begin)))
      return false;
  }
  std::vector<std::size_t> order;
  for (std::size_t i = first; i <= last; ++i)
    if (i != spot.index) order.push_back(i);
  order.insert(index > spot.index ? order.end() : order.begin(), spot.index);
  for (std::size_t i = first; i <= last; ++i) {
    const YamlChild& from = all[order[i - first]];
    edits_.add(all[i].begin, all[i].end, text_.bytes().substr(from.begin, from.end - from.begin));
  }
  return true;
}

// The target is {} or [], or null.
void ConfigEdit::move_into_empty(const YamlSpot& spot, const YamlChild& child, const ConfigNode& value,
                                 const ConfigPath& container, const YamlSpot& to) {
  const YamlNode& node = *to.use->node;
  const YamlChild self = child_at(to);
  const bool dict = node.kind != Kind::sequence;
  const bool written = node.kind != Kind::scalar;  // brackets
  const bool lines = !to.flow && !text_.is_json();
  const std::size_t above =
      child.starts_line
          ? comments_begin(text_, child,
                           spot.index > 0 ? text_.line_end(child_of(text_, *spot.container, spot.index - 1).end) : 0)
          : child.begin;
  const bool comments = above < text_.line_start(child.begin) || comment_behind(text_, child, spot.container->flow);
  const bool one_line = !comments && !is_block(*child.value);
  if (!lines || (written && one_line)) {
    if (comments && above < text_.line_start(child.begin)) refuse_edit("comments have no room in brackets");
    NewChild piece = piece_of(text_, spot, child, value, {dict, true, 0, nullptr, false});
    if (!piece.behind.empty()) refuse_edit("comments have no room in brackets");
    if (written) {
      const std::size_t open = text_.offset(node.content) + 1;
      return edits_.insert(open, piece.text);
    }
    return edits_.add(text_.offset(node.content), self.end, "{" + piece.text + "}");
  }
  const std::size_t header = header_end(text_, self);
  const std::size_t step = self.key ? text_.indent_step() : 2;
  const std::size_t column = text_.column(self.begin) + step;
  const NewChild piece = piece_of(text_, spot, child, value, {dict, false, column, nullptr, false});
  if (self.end > header) edits_.remove(header, self.end);
  edits_.insert(text_.line_end(self.end),
                comments_over(child, above, column) + std::string(column, ' ') + piece.text + text_.newline());
}

}  // namespace attnscope
