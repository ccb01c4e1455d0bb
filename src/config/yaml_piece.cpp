#include "config/yaml_piece.h"

#include <algorithm>

#include "config/yaml_respell.h"

namespace attnscope {
namespace {

using Kind = YamlNode::Kind;

void find_anchors(const YamlText& text, const YamlUse& use, std::vector<ByteSpan>& out) {
  if (use.alias) return;
  const YamlNode& node = *use.node;
  if (!node.anchor.empty()) {
    const std::size_t begin = text.bytes().find('&', text.offset(node.start));
    std::size_t end = std::min(text.bytes().find_first_of(" \t\r\n,]}", begin), text.bytes().size());
    const std::size_t next = text.skip_blanks(end);
    const bool last = next == text.line_stop(end) && text.bytes()[begin - 1] == ' ';
    out.push_back(last ? ByteSpan{begin - 1, end} : ByteSpan{begin, next});
  }
  for (const YamlUse& item : node.items) find_anchors(text, item, out);
  for (const auto& [key, value] : node.entries) {
    find_anchors(text, key, out);
    find_anchors(text, value, out);
  }
}

// A span of the text, its anchors left out if asked for.
std::string cut(const YamlText& text, std::size_t begin, std::size_t end, const YamlUse& value, bool without_anchors) {
  std::vector<ByteSpan> spans;
  if (without_anchors) find_anchors(text, value, spans);
  std::string out;
  std::size_t at = begin;
  for (const ByteSpan& span : spans) {
    if (span.begin < at || span.end > end) continue;
    out += text.bytes().substr(at, span.begin - at);
    at = span.end;
  }
  return out + text.bytes().substr(at, end - at);
}

// A blank before "#": nothing else of a block can be a comment, but a text may hold it too.
bool may_hold_comment(const std::string& text) {
  for (std::size_t at = text.find('#'); at != std::string::npos; at = text.find('#', at + 1))
    if (at == 0 || std::string_view(" \t\n").find(text[at - 1]) != std::string_view::npos) return true;
  return false;
}

struct Cutter {
  const YamlText& text;
  const YamlSpot& spot;
  const YamlChild& child;
  const ConfigNode& value;
  const PieceTarget& target;

  bool from_flow() const { return spot.container->flow; }

  std::string key_text() const {
    const YamlUse& key = *child.key;
    if (!target.key) return text.bytes().substr(child.begin, text.offset(key.end) - child.begin);
    return spell_key(*target.key, place_in(text, target.flow, key.node));
  }

  // What follows the key, from its colon on, to `end`.
  std::string behind_key(std::size_t end) const {
    return cut(text, text.offset(child.key->end), end, *child.value, target.without_anchors);
  }

  // From a block into a block, with the rest of the last line.
  std::string block_lines() const {
    const std::size_t column = text.column(child.begin);
    std::size_t end = std::min(text.line_end(child.end), text.bytes().size());
    if (end > child.begin && text.bytes()[end - 1] == '\n') --end;
    if (end > child.begin && text.bytes()[end - 1] == '\r') --end;
    if (!child.key) {
      return reindented(cut(text, child.begin, end, *child.value, target.without_anchors), column, target.column);
    }
    if (target.dict) return reindented(key_text() + behind_key(end), column, target.column);
    // A key's value becomes an item.
    const YamlNode& node = *child.value->node;
    const std::size_t content = text.offset(node.content), header = header_end(text, child);
    const bool below = is_block(*child.value) && node.kind != Kind::scalar;
    const bool bare = below && skip_space(text, header) == content &&
                      text.line_start(header) == text.line_start(child.begin) &&
                      text.bytes().find('#', header) >= content && child.value->start.index == node.content.index;
    if (bare)
      return "- " + reindented(text.bytes().substr(content, end - content), text.column(content), target.column + 2);
    const std::size_t colon = text.bytes().find(':', text.offset(child.key->end));
    return "-" + reindented(text.bytes().substr(colon + 1, end - colon - 1), column, target.column);
  }

  // Out of brackets, or a block's value that stands in one line.
  std::string entry(const std::string& value_text) const {
    if (!target.dict) return (target.flow ? "" : "- ") + value_text;
    return key_text() + ": " + value_text;
  }

  std::string flow_text() const {
    const std::size_t column = child.starts_line ? text.column(child.begin) : target.column;
    std::string out;
    if (child.key && target.dict) {
      out = key_text() + behind_key(child.end);
      if (child.end == text.offset(child.key->end) && !target.flow) out += ':';
    } else {
      const std::size_t begin = text.offset(child.value->start);
      out = entry(cut(text, begin, std::max(begin, child.end), *child.value, target.without_anchors));
    }
    return reindented(out, column, target.column);
  }

  std::string block_to_flow() const {
    const YamlUse& use = *child.value;
    if (is_block(use)) {
      if (may_hold_comment(text.bytes().substr(child.begin, child.end - child.begin)))
        refuse_edit("comments have no room in brackets", text.source().place(use.start));
      return entry(spell_value(value, place_in(text, true)));
    }
    const bool plain = !use.alias && use.node->kind == Kind::scalar && use.node->anchor.empty();
    if (plain) return entry(spell_value(value, place_in(text, true, use.node)));
    const std::size_t begin = text.offset(use.start);
    return entry(text.bytes().substr(begin, child.end - begin));
  }
};

}  // namespace

std::string reindented(const std::string& lines, std::size_t from, std::size_t to) {
  if (from == to) return lines;
  std::string out;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size() - 1) + 1;
    const std::size_t content = std::min(lines.find_first_not_of(' ', at), end);
    const bool blank = content == end || lines[content] == '\n' || lines[content] == '\r';
    if (at > 0 && !blank) {
      const std::size_t indent = content - at;
      out.append(indent + to < from ? 0 : indent + to - from, ' ');
      at = content;
    }
    out += lines.substr(at, end - at);
    at = end;
  }
  return out;
}

NewChild piece_of(const YamlText& text, const YamlSpot& spot, const YamlChild& child, const ConfigNode& value,
                  const PieceTarget& target) {
  if (target.dict && !child.key) refuse_edit("an item has no key", text.source().place(child.value->start));
  const Cutter cutter{text, spot, child, value, target};
  const bool from_flow = cutter.from_flow();
  const auto comment = comment_behind(text, child, from_flow);
  NewChild piece;
  if (!from_flow && !target.flow) {
    piece.text = cutter.block_lines();
    return piece;
  }
  piece.text = from_flow ? cutter.flow_text() : cutter.block_to_flow();
  if (comment) {
    if (!from_flow) refuse_edit("comments have no room in brackets", text.source().place(child.value->start));
    std::size_t begin = comment->begin;
    while (text.bytes()[begin - 1] == ' ') --begin;
    const std::string behind = text.bytes().substr(begin, comment->end - begin);
    (target.flow ? piece.behind : piece.text) += behind;
  }
  return piece;
}

}  // namespace attnscope
