#include "config/yaml_children.h"

#include <algorithm>

namespace attnscope {
namespace {

using Kind = YamlNode::Kind;
using Style = YamlNode::Style;

bool is_block_text(const YamlNode& node) {
  return node.kind == Kind::scalar && (node.style == Style::literal || node.style == Style::folded);
}

// The end of a block text without the blank lines behind it, which are its own only with "+".
std::size_t block_text_end(const YamlText& text, const YamlNode& node) {
  const std::string& bytes = text.bytes();
  const std::size_t begin = text.offset(node.content);
  const std::size_t header = text.line_stop(begin);
  std::size_t end = text.offset(node.end);
  const std::string_view marks = std::string_view(bytes).substr(begin, header - begin);
  if (marks.substr(0, marks.find(' ')).find('+') != std::string_view::npos) return end;
  while (end > header && std::string_view(" \t\r\n").find(bytes[end - 1]) != std::string_view::npos) --end;
  return std::max(text.line_stop(end), header);
}

// The dash of a block item: at the column of the first one, in the first such line behind the item before.
std::size_t next_dash(const YamlText& text, std::size_t column, std::size_t from) {
  for (std::size_t line = text.line_end(from); line < text.bytes().size(); line = text.line_end(line + 1)) {
    const std::size_t at = line + column;
    if (at < text.bytes().size() && text.bytes()[at] == '-' && text.starts_line(at)) return at;
    if (text.line_end(line + 1) <= line) break;
  }
  return from;
}

YamlChild make_child(const YamlText& text, std::size_t begin, const YamlUse* key, const YamlUse& value) {
  return {begin, value_end(text, value, key), key, &value, text.starts_line(begin)};
}

}  // namespace

bool is_block(const YamlUse& value) {
  const YamlNode& node = *value.node;
  if (value.alias) return false;
  return node.kind == Kind::scalar ? is_block_text(node) : !node.flow;
}

std::size_t value_end(const YamlText& text, const YamlUse& value, const YamlUse* key) {
  const YamlNode& node = *value.node;
  if (value.alias) return text.offset(value.end);
  if (node.kind == Kind::scalar) {
    if (is_block_text(node)) return block_text_end(text, node);
    if (value.start.index < value.end.index || !key) return text.offset(value.end);
    // Nothing is written: the value ends with the colon, if there is one.
    const std::size_t end = text.offset(key->end), colon = text.skip_blanks(end);
    return colon < text.bytes().size() && text.bytes()[colon] == ':' ? colon + 1 : end;
  }
  if (node.flow) return text.offset(node.end);
  if (!node.items.empty()) return value_end(text, node.items.back(), nullptr);
  return value_end(text, node.entries.back().second, &node.entries.back().first);
}

std::vector<YamlChild> children_of(const YamlText& text, const YamlNode& container) {
  std::vector<YamlChild> out;
  for (const auto& [key, value] : container.entries)
    out.push_back(make_child(text, text.offset(key.start), &key, value));
  const std::size_t first = text.offset(container.content);
  for (const YamlUse& item : container.items) {
    const std::size_t begin = container.flow ? text.offset(item.start)
                              : out.empty()  ? first
                                             : next_dash(text, text.column(first), out.back().end);
    out.push_back(make_child(text, begin, nullptr, item));
  }
  return out;
}

YamlChild child_of(const YamlText& text, const YamlNode& container, std::size_t index) {
  if (container.kind == Kind::mapping) {
    const auto& [key, value] = container.entries[index];
    return make_child(text, text.offset(key.start), &key, value);
  }
  const YamlUse& item = container.items[index];
  if (container.flow) return make_child(text, text.offset(item.start), nullptr, item);
  const std::size_t first = text.offset(container.content);
  const std::size_t begin =
      index == 0 ? first : next_dash(text, text.column(first), value_end(text, container.items[index - 1], nullptr));
  return make_child(text, begin, nullptr, item);
}

std::size_t stop_of(const YamlText& text, const YamlChild& child) {
  std::size_t end = child.end;
  if (end > child.begin && text.bytes()[end - 1] == '\n') --end;
  if (end > child.begin && text.bytes()[end - 1] == '\r') --end;
  return end;
}

std::size_t header_end(const YamlText& text, const YamlChild& child) {
  const std::string& bytes = text.bytes();
  std::size_t at = child.begin + 1;
  if (child.key) {
    at = text.offset(child.key->end);
    const std::size_t colon = text.skip_blanks(at);
    if (colon < bytes.size() && bytes[colon] == ':') at = colon + 1;
  }
  if (child.value->alias) return at;
  // Anchor and tag.
  if (child.value->start.index == child.value->node->content.index && child.value->node->anchor.empty()) return at;
  std::size_t end = at;
  for (std::size_t next = text.offset(child.value->start); next < bytes.size();) {
    if (bytes[next] != '&' && bytes[next] != '!') break;
    end = std::min(bytes.find_first_of(" \t\r\n", next), bytes.size());
    next = text.skip_blanks(end);
  }
  return end;
}

std::size_t behind_place(const YamlText& text, const YamlChild& child, bool flow) {
  if (!flow && is_block(*child.value)) {
    if (child.value->node->kind != Kind::scalar) return header_end(text, child);
    const std::size_t header = text.offset(child.value->node->content);
    return std::min(text.bytes().find_first_of(" \t\r\n", header), text.bytes().size());
  }
  if (!flow) return child.end;
  const std::size_t comma = text.skip_blanks(child.end);
  return comma < text.bytes().size() && text.bytes()[comma] == ',' ? comma + 1 : child.end;
}

std::optional<ByteSpan> comment_behind(const YamlText& text, const YamlChild& child, bool flow) {
  const std::size_t at = text.skip_blanks(behind_place(text, child, flow));
  if (at >= text.bytes().size() || text.bytes()[at] != '#') return std::nullopt;
  return ByteSpan{at, text.line_stop(at)};
}

std::size_t comments_begin(const YamlText& text, const YamlChild& child, std::size_t floor) {
  std::size_t line = text.line_start(child.begin);
  const std::size_t column = child.begin - line;
  while (line > floor && line > 0) {
    const std::size_t above = text.line_start(line - 1);
    const std::size_t at = text.skip_blanks(above);
    if (above >= line || above < floor || text.bytes()[at] != '#' || at - above > column) break;
    line = above;
  }
  return line;
}

std::size_t skip_space(const YamlText& text, std::size_t at) {
  const std::string& bytes = text.bytes();
  for (;;) {
    at = std::min(bytes.find_first_not_of(" \t\r\n", at), bytes.size());
    if (at >= bytes.size() || bytes[at] != '#') return at;
    at = text.line_stop(at);
  }
}

std::optional<std::size_t> comma_behind(const YamlText& text, const YamlChild& child) {
  const std::size_t at = skip_space(text, child.end);
  if (at < text.bytes().size() && text.bytes()[at] == ',') return at;
  return std::nullopt;
}

}  // namespace attnscope
