#include "config/yaml_child_edits.h"

#include <algorithm>

namespace attnscope {

ChildEdits::ChildEdits(const YamlText& text, const YamlNode& container, std::optional<YamlChild> self)
    : text_(text),
      container_(container),
      self_(std::move(self)),
      children_(children_of(text, container)),
      removed_(children_.size()),
      taken_(children_.size()) {}

void ChildEdits::take(std::size_t index) { removed_[index] = taken_[index] = true; }

void ChildEdits::finish(TextEdits& edits) const {
  if (container_.flow) {
    finish_flow(edits);
  } else {
    finish_block(edits);
  }
}

std::optional<std::size_t> ChildEdits::kept_before(std::size_t index) const {
  while (index-- > 0)
    if (!removed_[index]) return index;
  return std::nullopt;
}

std::optional<std::size_t> ChildEdits::kept_from(std::size_t index) const {
  for (; index < children_.size(); ++index)
    if (!removed_[index]) return index;
  return std::nullopt;
}

// The new children whose nearest child before them that stays is this one; nullopt: those at the front.
std::vector<const NewChild*> ChildEdits::inserted_behind(std::optional<std::size_t> kept) const {
  std::vector<const NewChild*> out;
  for (const NewChild& child : inserted_)
    if (kept_before(std::min(child.index, children_.size())) == kept) out.push_back(&child);
  return out;
}

// In a gap between children, where nothing else can hold a "#".
bool ChildEdits::has_comment(std::size_t begin, std::size_t end) const {
  return begin < end && text_.bytes().find('#', begin) < end;
}

std::size_t ChildEdits::comments_above(std::size_t index) const {
  if (!children_[index].starts_line) return children_[index].begin;
  const std::size_t floor = index > 0 ? text_.line_end(children_[index - 1].end) : 0;
  return comments_begin(text_, children_[index], floor);
}

std::size_t ChildEdits::lines_begin(std::size_t index) const {
  return taken_[index] ? comments_above(index) : text_.line_start(children_[index].begin);
}

void ChildEdits::finish_block(TextEdits& edits) const {
  const bool all = !kept_from(0);
  if (all && inserted_.empty()) return empty_block(edits);
  insert_block_front(edits);
  std::size_t first = 0;
  if (removed_[0] && !children_[0].starts_line)
    remove_inline_run(edits, first = kept_from(0).value_or(children_.size()));
  for (std::size_t i = first; i < children_.size(); ++i) {
    const std::size_t end = text_.line_end(children_[i].end);
    if (removed_[i]) {
      if (!children_[i].starts_line)
        refuse_edit("a key behind a question mark", text_.source().place(children_[i].key->start));
      edits.remove(lines_begin(i), end);
    } else {
      for (const NewChild* child : inserted_behind(i))
        edits.insert(end, child->above + std::string(column(), ' ') + child->text + text_.newline());
    }
  }
}

// The first children go, of which the first stands behind a dash.
void ChildEdits::remove_inline_run(TextEdits& edits, std::size_t stop) const {
  const std::size_t begin = children_[0].begin;
  bool comments = stop == children_.size();
  for (std::size_t i = 0; i < stop && !comments; ++i) {
    const std::size_t next = text_.line_end(children_[i].end);
    comments = has_comment(next, children_[i + 1].begin);
  }
  if (!comments) return edits.remove(begin, children_[stop].begin);
  // The comments between them stay below the dash.
  const bool filled = !inserted_behind(std::nullopt).empty();
  std::size_t from = begin;
  while (!filled && text_.bytes()[from - 1] == ' ') --from;
  edits.remove(from, text_.line_stop(children_[0].end));
  for (std::size_t i = 1; i < stop; ++i) edits.remove(lines_begin(i), text_.line_end(children_[i].end));
}

void ChildEdits::insert_block_front(TextEdits& edits) const {
  const auto front = inserted_behind(std::nullopt);
  if (front.empty()) return;
  const YamlChild& first = children_[0];
  const std::string pad(column(), ' ');
  std::string lines;
  if (first.starts_line) {
    for (const NewChild* child : front) lines += child->above + pad + child->text + text_.newline();
    std::size_t at = removed_[0] ? lines_begin(0) : comments_above(0);
    // Comments at the top are the file's.
    if (at == text_.line_start(0)) at = text_.line_start(first.begin);
    return edits.insert(at, lines);
  }
  // Behind a dash: the first new one takes the place.
  for (const NewChild* child : front) {
    if (!child->above.empty()) refuse_edit("a comment above what stands behind a dash");
    lines += (lines.empty() ? "" : text_.newline() + pad) + child->text;
  }
  const auto kept = kept_from(0);
  bool joined = kept.has_value();  // a child that stays follows in the next line
  for (std::size_t i = 0; kept && i < *kept; ++i)
    joined = joined && !has_comment(text_.line_end(children_[i].end), children_[i + 1].begin);
  edits.insert(first.begin, joined ? lines + text_.newline() + pad : lines);
}

// All children go: what stays is {} or [] behind the colon or dash, and nothing at the root of a dict.
void ChildEdits::empty_block(TextEdits& edits) const {
  const bool dict = container_.kind == YamlNode::Kind::mapping;
  const YamlChild& first = children_[0];
  const bool in_place = !first.starts_line || (!self_ && !dict);
  if (in_place) {
    edits.add(first.begin, first.end, dict ? "{}" : "[]");
  } else if (self_) {
    edits.insert(header_end(text_, *self_), dict ? " {}" : " []");
  }
  for (std::size_t i = in_place ? 1 : 0; i < children_.size(); ++i)
    edits.remove(lines_begin(i), text_.line_end(children_[i].end));
}

}  // namespace attnscope
