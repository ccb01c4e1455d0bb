// ChildEdits of dicts and lists in brackets.
#include "config/yaml_child_edits.h"

namespace attnscope {

std::optional<std::size_t> ChildEdits::own_lines_end(std::size_t index) const {
  if (!children_[index].starts_line) return std::nullopt;
  const std::size_t behind = behind_place(text_, children_[index], true);
  const std::size_t at = text_.skip_blanks(behind);
  const std::size_t stop = text_.line_stop(behind);
  if (at < stop && text_.bytes()[at] != '#') return std::nullopt;
  return text_.line_end(stop);
}

void ChildEdits::finish_flow(TextEdits& edits) const {
  if (!kept_from(0)) return empty_flow(edits);
  insert_flow_front(edits);
  for (std::size_t i = 0; i < children_.size();) {
    if (!removed_[i]) {
      insert_flow_behind(edits, i++);
      continue;
    }
    const std::size_t stop = kept_from(i).value_or(children_.size());
    remove_flow_run(edits, i, stop);
    i = stop;
  }
}

void ChildEdits::empty_flow(TextEdits& edits) const {
  const std::size_t open = text_.offset(container_.content), close = text_.offset(container_.end) - 1;
  const std::size_t begin = children_.front().begin, end = children_.back().end;
  bool comments = has_comment(open + 1, begin) || has_comment(end, close);
  for (std::size_t i = 0; i + 1 < children_.size(); ++i)
    comments = comments || has_comment(children_[i].end, children_[i + 1].begin);
  std::string text;
  for (const NewChild& child : inserted_) {
    comments = comments || !child.above.empty() || !child.behind.empty();
    text += (text.empty() ? "" : ", ") + child.text;
  }
  if (!inserted_.empty()) {
    if (comments) refuse_edit("all items of a list with comments", text_.source().place(container_.start));
    return edits.add(begin, end, text);
  }
  if (comments) {
    for (std::size_t i = 0; i < children_.size(); ++i) remove_alone(edits, i);
    return;
  }
  // "{ }" stays when it was "{ a: 1 }".
  const bool lines = text_.bytes().substr(open, begin - open).find('\n') != std::string::npos;
  edits.remove(lines ? open + 1 : begin, close);
}

// With its comma, and nothing else.
void ChildEdits::remove_alone(TextEdits& edits, std::size_t index) const {
  const auto comma = comma_behind(text_, children_[index]);
  edits.remove(children_[index].begin, children_[index].end);
  if (comma) edits.remove(*comma, *comma + 1);
}

// Children one after the other, before `stop`.
void ChildEdits::remove_flow_run(TextEdits& edits, std::size_t first, std::size_t stop) const {
  bool own_lines = true, comments = false;
  for (std::size_t i = first; i < stop; ++i) {
    own_lines = own_lines && own_lines_end(i);
    comments = comments || (i + 1 < children_.size() && has_comment(children_[i].end, children_[i + 1].begin));
  }
  const bool tail = stop == children_.size();
  const auto kept = kept_before(first);
  if (own_lines) {
    for (std::size_t i = first; i < stop; ++i) edits.remove(lines_begin(i), *own_lines_end(i));
    const bool lines_follow = tail && !inserted_behind(kept).empty() && own_lines_end(*kept);
    if (tail && !comma_behind(text_, children_.back()) && !lines_follow) {
      if (const auto comma = comma_behind(text_, children_[*kept])) edits.remove(*comma, *comma + 1);
    }
  } else if (!tail && !comments) {
    edits.remove(children_[first].begin, children_[stop].begin);
  } else if (tail && !comments && !has_comment(children_[*kept].end, children_[first].begin)) {
    edits.remove(children_[*kept].end, children_.back().end);
  } else {
    for (std::size_t i = first; i < stop; ++i) remove_alone(edits, i);
  }
}

void ChildEdits::insert_flow_behind(TextEdits& edits, std::size_t index) const {
  const auto behind = inserted_behind(index);
  if (behind.empty()) return;
  const YamlChild& child = children_[index];
  const std::string pad(child.starts_line ? text_.column(child.begin) : 0, ' ');
  const auto lines_end = own_lines_end(index);
  if (!lines_end) {
    const bool own_line = child.starts_line && index + 1 == children_.size();
    for (const NewChild* added : behind) {
      if (!added->above.empty() || !added->behind.empty()) refuse_edit("a comment between items of one line");
      edits.insert(child.end, (own_line ? "," + text_.newline() + pad : ", ") + added->text);
    }
    return;
  }
  // Lines of their own, behind the child's comment.
  if (!comma_behind(text_, child)) edits.insert(child.end, ",");
  const bool last_comma = kept_from(index + 1) || comma_behind(text_, children_.back());
  std::string lines;
  for (const NewChild* added : behind) {
    const bool comma = added != behind.back() || last_comma;
    lines += added->above + pad + added->text + (comma ? "," : "") + added->behind + text_.newline();
  }
  edits.insert(*lines_end, lines);
}

void ChildEdits::insert_flow_front(TextEdits& edits) const {
  const auto front = inserted_behind(std::nullopt);
  if (front.empty()) return;
  const std::size_t kept = *kept_from(0);
  const YamlChild& child = children_[kept];
  const std::string pad = child.starts_line ? std::string(text_.column(child.begin), ' ') : "";
  const bool lines = child.starts_line && kept == 0;
  std::string text;
  for (const NewChild* added : front) {
    if (!lines && (!added->above.empty() || !added->behind.empty())) refuse_edit("a comment between items of one line");
    text += lines ? added->above + pad + added->text + "," + added->behind + text_.newline()
                  : added->text + (child.starts_line ? "," + text_.newline() + pad : ", ");
  }
  edits.insert(lines ? comments_above(kept) : child.begin, text);
}

}  // namespace attnscope
