#include "config/yaml_comments.h"

#include <algorithm>
#include <vector>

#include "config/yaml_children.h"

namespace attnscope {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size() || (at == text.size() && at > 0 && text[at - 1] == '\n');) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    if (end == text.size()) break;
    at = end + 1;
  }
  return lines;
}

// What a comment says: `written` begins with "#".
std::string comment_text(std::string_view written) {
  written.remove_prefix(1);
  if (written.starts_with(' ')) written.remove_prefix(1);
  return std::string(written);
}

// Whether the file writes "#so" rather than "# so".
bool touches(const YamlText& text) {
  int touching = 0, apart = 0;
  const std::string& bytes = text.bytes();
  for (std::size_t at = bytes.find('#'); at != std::string::npos; at = bytes.find('#', at + 1)) {
    if (at > 0 && std::string_view(" \t\n").find(bytes[at - 1]) == std::string_view::npos) continue;
    const char next = at + 1 < bytes.size() ? bytes[at + 1] : '\n';
    if (next == ' ') ++apart;
    if (std::string_view(" #\r\n").find(next) == std::string_view::npos) ++touching;
  }
  return touching > apart;
}

std::string written_comment(const std::string& says, bool touching) {
  if (says.empty()) return "#";
  return (touching && says.front() != ' ' ? "#" : "# ") + says;
}

// A child with the comment lines above it.
struct Place {
  YamlChild child;
  bool flow;
  std::size_t above, line;  // where the comments and the child's own line begin

  Place(const YamlText& text, const YamlSpot& spot)
      : child(child_of(text, *spot.container, spot.index)), flow(spot.container->flow) {
    above = line = child.begin;
    if (!child.starts_line) return;
    const std::size_t floor = spot.index > 0 ? text.line_end(child_of(text, *spot.container, spot.index - 1).end) : 0;
    line = text.line_start(child.begin);
    above = comments_begin(text, child, floor);
  }
};

// Of each comment line above the place where it begins, and what it says.
std::vector<std::pair<ByteSpan, std::string>> lines_above(const YamlText& text, const Place& place) {
  std::vector<std::pair<ByteSpan, std::string>> out;
  for (std::size_t at = place.above; at < place.line; at = text.line_end(at + 1)) {
    const std::size_t begin = text.skip_blanks(at), end = text.line_stop(begin);
    out.push_back({{at, text.line_end(at + 1)}, comment_text(text.bytes().substr(begin, end - begin))});
  }
  return out;
}

void change_above(const YamlText& text, TextEdits& edits, const Place& place, const std::string& wanted) {
  const auto before = lines_above(text, place);
  const std::vector<std::string> after = lines_of(wanted);
  if (after.empty() && before.empty()) return;
  if (!place.child.starts_line)
    refuse_edit("a comment above what does not begin its line", text.source().place(place.child.value->start));
  const bool touching = touches(text);
  std::string lines;
  std::size_t next = 0;  // of the lines that are there, to be kept in order
  for (const std::string& says : after) {
    const auto same = std::find_if(before.begin() + static_cast<std::ptrdiff_t>(next), before.end(),
                                   [&](const auto& line) { return line.second == says; });
    if (same != before.end()) {
      lines += text.bytes().substr(same->first.begin, same->first.end - same->first.begin);
      next = static_cast<std::size_t>(same - before.begin()) + 1;
    } else {
      lines += std::string(text.column(place.child.begin), ' ') + written_comment(says, touching) + text.newline();
    }
  }
  edits.add(place.above, place.line, lines);
}

void change_behind(const YamlText& text, TextEdits& edits, const Place& place, const std::string& wanted) {
  const auto before = comment_behind(text, place.child, place.flow);
  const std::size_t at = behind_place(text, place.child, place.flow);
  const std::string says = before ? comment_text(text.bytes().substr(before->begin, before->end - before->begin)) : "";
  if (says == wanted) return;
  if (wanted.find('\n') != std::string::npos)
    refuse_edit("a comment behind a value is one line", text.source().place(place.child.value->start));
  if (before) {
    if (wanted.empty()) return edits.remove(at, before->end);
    const bool touching = text.bytes().compare(before->begin, 2, "# ") != 0 && before->end > before->begin + 1;
    return edits.add(before->begin, before->end, written_comment(wanted, touching));
  }
  const std::size_t stop = text.line_stop(at);
  if (text.skip_blanks(at) < stop)
    refuse_edit("something else stands behind it in its line", text.source().place(place.child.value->start));
  edits.add(at, stop, " " + written_comment(wanted, touches(text)));
}

}  // namespace

YamlComments comments_of(const YamlText& text, const YamlSpot& spot) {
  YamlComments out;
  if (!spot.container) return out;
  const Place place(text, spot);
  for (const auto& [span, says] : lines_above(text, place)) out.above += (span.begin == place.above ? "" : "\n") + says;
  if (const auto behind = comment_behind(text, place.child, place.flow))
    out.behind = comment_text(text.bytes().substr(behind->begin, behind->end - behind->begin));
  return out;
}

void change_comments(const YamlText& text, TextEdits& edits, const YamlSpot& spot, const YamlComments& wanted) {
  if (!spot.container) refuse_edit("the root has no comment of its own");
  const Place place(text, spot);
  if (comments_of(text, spot).above != wanted.above) change_above(text, edits, place, wanted.above);
  change_behind(text, edits, place, wanted.behind);
}

}  // namespace attnscope
