#include "config/yaml_respell.h"

#include <algorithm>

namespace attnscope {
namespace {

using Kind = YamlNode::Kind;
using Style = YamlNode::Style;

constexpr std::size_t kLongestFlowValue = 100;

const char* tag_of(const ConfigNode& value) {
  switch (value.kind()) {
    case ConfigNode::Kind::null: return yaml_tags::kNull;
    case ConfigNode::Kind::boolean: return yaml_tags::kBoolean;
    case ConfigNode::Kind::integer: return yaml_tags::kInteger;
    case ConfigNode::Kind::floating: return yaml_tags::kFloat;
    case ConfigNode::Kind::list: return yaml_tags::kSequence;
    case ConfigNode::Kind::dict: return yaml_tags::kMap;
    default: return yaml_tags::kString;
  }
}

// Keeps the header and indentation of a `|` block; false when they cannot hold the text.
bool rewrite_literal(const YamlText& text, TextEdits& edits, const YamlNode& node, const std::string& value) {
  const std::string& bytes = text.bytes();
  const std::size_t begin = text.offset(node.content), header_end = bytes.find('\n', begin);
  if (header_end == std::string::npos || value.empty() || value.front() == ' ' || value.front() == '\n') return false;
  const std::string_view header = std::string_view(bytes).substr(begin, header_end - begin);
  const std::size_t first = bytes.find_first_not_of(' ', header_end + 1);
  const bool strip = header.find('-') != std::string_view::npos, keep = header.find('+') != std::string_view::npos;
  if (keep || strip == (value.back() == '\n') || first == std::string::npos) return false;
  const std::string indent(first - header_end - 1, ' ');
  std::string lines;
  for (std::size_t at = 0; at < value.size();) {
    const auto end = std::min(value.find('\n', at), value.size());
    lines += (end == at ? "" : indent) + value.substr(at, end - at) + text.newline();
    at = end + 1;
  }
  edits.add(header_end + 1, text.line_end(value_end(text, {const_cast<YamlNode*>(&node)}, nullptr)), lines);
  return true;
}

// A value that goes on below its header: it makes room for what stands in the header's line.
void replace_block(const YamlText& text, TextEdits& edits, const YamlChild& child, const std::string& value,
                   bool keeps_tag) {
  const YamlNode& node = *child.value->node;
  const std::size_t content = text.offset(node.content);
  const std::size_t begin = keeps_tag ? content : text.offset(node.start);
  const bool below =
      (child.key || child.begin < content) && text.line_start(content) > text.line_start(header_end(text, child));
  if (!below) return edits.add(begin, stop_of(text, child), value);
  const std::size_t header = header_end(text, child);
  if (keeps_tag || begin == content) {
    edits.insert(header, " " + value);
  } else {
    edits.add(begin, header, value);
  }
  edits.remove(text.line_end(header), text.line_end(child.end));
}

// Whether all texts, or all keys, of a container are in double quotes.
template <class Uses, class Get>
bool all_double_quoted(const Uses& uses, const Get& get) {
  bool any = false;
  for (const auto& use : uses) {
    const YamlNode& node = *get(use).node;
    if (node.kind != Kind::scalar || node.tag != yaml_tags::kString) continue;
    if (node.style != Style::double_quoted) return false;
    any = true;
  }
  return any;
}

}  // namespace

YamlPlace place_in(const YamlText& text, bool flow, const YamlNode* like) {
  return {flow, like, text.short_exponents(), text.is_json()};
}

YamlChild root_child(const YamlText& text) {
  const YamlUse& root = text.root();
  const std::size_t begin = text.offset(root.start);
  return {begin, value_end(text, root, nullptr), nullptr, &root, text.starts_line(begin)};
}

void replace_value(const YamlText& text, TextEdits& edits, const YamlChild& child, const ConfigNode& value, bool flow) {
  const YamlNode& node = *child.value->node;
  const bool scalar = node.kind == Kind::scalar;
  const bool block = is_block(*child.value);
  if (scalar && node.style == Style::literal && value.kind() == ConfigNode::Kind::string &&
      rewrite_literal(text, edits, node, value.as_string()))
    return;
  std::string spelled = spell_value(value, place_in(text, flow, scalar && !block ? &node : nullptr));
  const bool keeps_tag = !node.anchor.empty() || node.tag == tag_of(value);
  if (!value.is_scalar() && !flow && child.key && spelled.size() > kLongestFlowValue && node.kind == Kind::scalar &&
      !block)
    return fill_empty(text, edits, child, value, flow);
  if (block) return replace_block(text, edits, child, spelled, keeps_tag);
  std::size_t begin = text.offset(keeps_tag ? node.content : node.start), end = text.offset(node.end);
  if (child.value->alias) {
    begin = text.offset(child.value->start);
    end = text.offset(child.value->end);
  } else if (child.value->start.index == child.value->end.index && child.key) {
    begin = end = child.end;  // nothing is written; in brackets not even a colon may be
    if (text.bytes()[begin - 1] != ':') spelled.insert(0, ":");
    if (spelled.front() == ':') spelled.insert(1, " ");
  }
  const bool needs_blank = begin == end && begin > 0 && spelled.front() != ':' && text.bytes()[begin - 1] != ' ' &&
                           (child.key || child.begin < begin);
  edits.add(begin, end, (needs_blank ? " " : "") + spelled);
}

NewChild new_child(const YamlText& text, const ChildEdits& container, std::size_t index, const ConfigKey* key,
                   const ConfigNode& value) {
  const YamlNode& node = container.container();
  YamlPlace place = place_in(text, node.flow);
  if (key) {
    const auto key_of = [](const auto& entry) -> const YamlUse& { return entry.first; };
    const auto value_of = [](const auto& entry) -> const YamlUse& { return entry.second; };
    if (node.flow && all_double_quoted(node.entries, key_of)) {
      place.json = place.json || all_double_quoted(node.entries, value_of);
      YamlPlace quoted = place;
      quoted.json = key->is_string();
      return {index, spell_key(*key, quoted) + ": " + spell_value(value, place), {}};
    }
    if (node.flow) return {index, spell_key(*key, place) + ": " + spell_value(value, place), {}};
    const ConfigNode entry(ConfigNode::Dict{{*key, value}});
    return {index, spell_block(entry, {container.column(), text.indent_step(), text.newline()}, place), {}};
  }
  // A text takes the quotes of the item before it.
  const YamlNode* like =
      value.kind() == ConfigNode::Kind::string ? node.items[index > 0 ? index - 1 : 0].node : nullptr;
  const bool same = like && like->kind == Kind::scalar && like->tag == yaml_tags::kString &&
                    like->style != Style::literal && like->style != Style::folded;
  place.like = same ? like : nullptr;
  if (node.flow) return {index, spell_value(value, place), {}};
  const ConfigNode item(ConfigNode::List{value});
  return {index, spell_block(item, {container.column(), text.indent_step(), text.newline()}, place), {}};
}

void fill_empty(const YamlText& text, TextEdits& edits, const YamlChild& child, const ConfigNode& children, bool flow) {
  const YamlNode& node = *child.value->node;
  if (node.kind != Kind::scalar) {  // {} or []
    std::string inside = spell_value(children, place_in(text, true));
    inside = inside.substr(1, inside.size() - 2);
    const std::size_t open = text.offset(node.content) + 1, close = text.offset(node.end) - 1;
    const std::string blanks = text.bytes().substr(open, close - open);
    const bool one_line = blanks.find_first_not_of(' ') == std::string::npos;
    return edits.insert(one_line ? close : open, one_line ? inside + blanks : inside);
  }
  if (flow || text.is_json()) {
    const YamlNode plain;
    return replace_value(text, edits, child, children, true);
  }
  const YamlBlock block{0, text.indent_step(), text.newline()};
  if (child.key) {
    const std::size_t column = text.column(text.offset(child.key->start)) + text.indent_step();
    const std::size_t header = header_end(text, child);
    if (child.end > header) edits.remove(header, child.end);
    return edits.insert(text.line_end(child.end),
                        std::string(column, ' ') +
                            spell_block(children, {column, block.step, block.newline}, place_in(text, false)) +
                            block.newline);
  }
  const bool item = child.begin < text.offset(node.content) || child.value->start.index == child.value->end.index;
  const std::size_t column = item ? text.column(child.begin) + 2 : 0;
  const std::string lines = spell_block(children, {column, block.step, block.newline}, place_in(text, false));
  const bool bare = text.bytes()[child.end - 1] == '-' && child.value->start.index == child.value->end.index;
  edits.add(bare ? child.end : text.offset(node.content), child.end, (bare ? " " : "") + lines);
}

}  // namespace attnscope
