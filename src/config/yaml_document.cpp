#include "config/yaml_document.h"

#include <algorithm>
#include <unordered_map>

#include "config/scalar.h"
#include "config/yaml_events.h"

namespace attnscope {
namespace {

constexpr int kMostLevels = 200;

std::string_view text_of(const yaml_char_t* text) { return text ? reinterpret_cast<const char*>(text) : ""; }

bool is_break(char32_t c) { return c == U'\n' || c == U'\r' || c == 0x85 || c == 0x2028 || c == 0x2029; }
bool is_blank_or_break(char32_t c) { return c == U' ' || c == U'\t' || is_break(c); }

YamlNode::Style style_of(yaml_scalar_style_t style) {
  switch (style) {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE: return YamlNode::Style::single_quoted;
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE: return YamlNode::Style::double_quoted;
    case YAML_LITERAL_SCALAR_STYLE: return YamlNode::Style::literal;
    case YAML_FOLDED_SCALAR_STYLE: return YamlNode::Style::folded;
    default: return YamlNode::Style::plain;
  }
}

// Makes nodes of libyaml's events.
class Composer {
 public:
  Composer(const YamlSource& source, YamlDocument& document) : source_(source), events_(source), document_(document) {}

  YamlNode* compose() {
    events_.next();  // the start of the text
    if (events_.next().type == YAML_STREAM_END_EVENT) return nullptr;
    YamlNode* root = compose_node(events_.next()).node;
    events_.next();  // the end of the document
    if (const yaml_event_t& event = events_.next(); event.type != YAML_STREAM_END_EVENT) {
      throw ConfigKindError("ComposerError", "holds more than one document", source_.place(to_mark(event.start_mark)),
                            "Keep one.");
    }
    return root;
  }

 private:
  using Kind = YamlNode::Kind;

  [[noreturn]] void fail(const char* kind, const std::string& message, const YamlMark& mark,
                         const std::string& hint = {}) const {
    throw ConfigKindError(kind, "not valid YAML: " + message, source_.place(mark), hint);
  }

  YamlUse compose_node(const yaml_event_t& event) {
    switch (event.type) {
      case YAML_ALIAS_EVENT: return compose_alias(event);
      case YAML_SEQUENCE_START_EVENT: return compose_sequence(event);
      case YAML_MAPPING_START_EVENT: return compose_mapping(event);
      default: return compose_scalar(event);
    }
  }

  YamlUse compose_alias(const yaml_event_t& event) {
    const std::string_view name = text_of(event.data.alias.anchor);
    const auto found = anchors_.find(name);
    if (found == anchors_.end()) {
      fail("ComposerError", "there is no anchor &" + std::string(name) + " before this", to_mark(event.start_mark),
           "Put text that begins with * in quotes.");
    }
    document_.note_alias();
    return {found->second, to_mark(event.start_mark), to_mark(event.end_mark), true};
  }

  YamlUse compose_scalar(const yaml_event_t& event) {
    const auto& scalar = event.data.scalar;
    YamlNode& node = add(event, Kind::scalar, scalar.anchor, scalar.tag);
    node.value.assign(reinterpret_cast<const char*>(scalar.value), scalar.length);
    node.style = style_of(scalar.style);
    const bool absent = scalar.length == 0 && scalar.style == YAML_PLAIN_SCALAR_STYLE;
    if (absent) node.content = node.end;
    if (node.style >= YamlNode::Style::literal) node.end = block_scalar_end(node);
    if (node.tag.empty()) node.tag = scalar.plain_implicit ? plain_tag(node.value) : yaml_tags::kString;
    return use_of(node);
  }

  YamlUse compose_sequence(const yaml_event_t& event) {
    const auto& sequence = event.data.sequence_start;
    YamlNode& node = add(event, Kind::sequence, sequence.anchor, sequence.tag);
    if (node.tag.empty()) node.tag = yaml_tags::kSequence;
    node.flow = sequence.style == YAML_FLOW_SEQUENCE_STYLE;
    go_deeper(node);
    const std::size_t first = items_.size();
    const yaml_event_t* next = &events_.next();
    for (; next->type != YAML_SEQUENCE_END_EVENT; next = &events_.next()) items_.push_back(compose_node(*next));
    take_from(items_, first, node.items);
    --level_;
    if (node.flow) {
      node.end = to_mark(next->end_mark);
    } else if (!node.items.empty()) {
      node.end = node.items.back().end;
    }
    return use_of(node);
  }

  YamlUse compose_mapping(const yaml_event_t& event) {
    const auto& mapping = event.data.mapping_start;
    YamlNode& node = add(event, Kind::mapping, mapping.anchor, mapping.tag);
    if (node.tag.empty()) node.tag = yaml_tags::kMap;
    node.flow = mapping.style == YAML_FLOW_MAPPING_STYLE;
    go_deeper(node);
    const std::size_t first = entries_.size();
    const yaml_event_t* next = &events_.next();
    for (; next->type != YAML_MAPPING_END_EVENT; next = &events_.next()) {
      const YamlUse key = compose_node(*next);
      const YamlUse value = compose_node(events_.next());
      entries_.emplace_back(key, value);
    }
    take_from(entries_, first, node.entries);
    --level_;
    // The dict in `[a: b]` has no bracket of its own.
    const bool bracket = node.flow && next->end_mark.index > next->start_mark.index;
    if (bracket) {
      node.end = to_mark(next->end_mark);
    } else if (!node.entries.empty()) {
      node.end = node.entries.back().second.end;
    }
    return use_of(node);
  }

  template <class Parts>
  static void take_from(Parts& open, std::size_t first, Parts& parts) {
    parts.assign(open.begin() + static_cast<std::ptrdiff_t>(first), open.end());
    open.resize(first);
  }

  void go_deeper(const YamlNode& node) {
    if (++level_ > kMostLevels) fail("ConstructorError", "nested too deeply", node.content);
  }

  // A node becomes known under its anchor before its content is read.
  YamlNode& add(const yaml_event_t& event, Kind kind, const yaml_char_t* anchor, const yaml_char_t* tag) {
    YamlNode& node = document_.add();
    node.kind = kind;
    node.start = node.content = to_mark(event.start_mark);
    node.end = to_mark(event.end_mark);
    if (tag && text_of(tag) != "!") node.tag = document_.keep(text_of(tag));
    if (anchor) {
      node.anchor = document_.keep(text_of(anchor));
      if (!anchors_.emplace(node.anchor, &node).second) {
        fail("ComposerError", "the anchor &" + std::string(node.anchor) + " is given twice", node.start,
             "Rename one of the two.");
      }
    }
    if (anchor || tag) node.content = behind_properties(node.start);
    return node;
  }

  static YamlUse use_of(YamlNode& node) { return {&node, node.start, node.end, false}; }

  // libyaml does not tell where a node begins behind its anchor and tag.
  YamlMark behind_properties(YamlMark mark) const {
    for (bool comment = false; mark.index < source_.size();) {
      const char32_t c = source_.at(mark.index);
      if (comment ? c == U'\n' || c == U'\r' : is_blank_or_break(c)) {
        const bool crlf = c == U'\r' && source_.at(mark.index + 1) == U'\n';
        const bool line_break = c != U' ' && c != U'\t' && !crlf;
        mark = line_break ? YamlMark{mark.index + 1, mark.line + 1, 0}
                          : YamlMark{mark.index + 1, mark.line, mark.column + 1};
        comment = comment && !line_break;
      } else if (comment || c == U'#') {
        comment = true;
        mark = {mark.index + 1, mark.line, mark.column + 1};
      } else if (c == U'&' || c == U'!') {
        const std::size_t end = property_end(mark.index);
        mark.column += static_cast<int>(end - mark.index);
        mark.index = end;
      } else {
        break;
      }
    }
    return mark;
  }

  // Of an anchor or tag, which libyaml has found to be right.
  std::size_t property_end(std::size_t index) const {
    const bool in_brackets = source_.at(index) == U'!' && source_.at(index + 1) == U'<';
    const std::u32string_view ends = source_.at(index) == U'&' ? U"?:,]}%@`" : U",";
    for (; index < source_.size() && !is_blank_or_break(source_.at(index)); ++index) {
      if (in_brackets ? source_.at(index) == U'>' : ends.find(source_.at(index)) != std::u32string_view::npos)
        return index + (in_brackets ? 1 : 0);
    }
    return index;
  }

  // libyaml counts the empty lines behind it as well, which are of the text only after |+ and >+.
  YamlMark block_scalar_end(const YamlNode& node) const {
    const std::size_t header = node.content.index;
    const bool keeps =
        source_.at(header + 1) == U'+' || (source_.at(header + 1) != U'-' && source_.at(header + 2) == U'+');
    const std::string_view value(node.value.data(), node.value.size() - (node.value.ends_with('\n') ? 1 : 0));
    const bool blank_line =
        !value.empty() && value.find_first_not_of(" \t", value.rfind('\n') + 1) == std::string::npos;
    if (keeps || blank_line) return node.end;
    YamlMark end = node.end;
    std::size_t before = end.index;  // the end of the last line with text
    for (std::size_t i = end.index; i > header && is_blank_or_break(source_.at(i - 1)); --i) {
      if (!is_break(source_.at(i - 1))) continue;
      before = i - 1;
      if (source_.at(i - 1) != U'\n' || source_.at(i - 2) != U'\r') --end.line;
    }
    std::size_t line = before;
    while (line > 0 && !is_break(source_.at(line - 1))) --line;
    return {static_cast<uint32_t>(before), end.line, static_cast<int>(before - line)};
  }

  const YamlSource& source_;
  YamlEvents events_;
  YamlDocument& document_;
  std::unordered_map<std::string_view, YamlNode*> anchors_;
  // The parts of the lists and dicts that are open: a node gets them when their number is known.
  std::vector<YamlUse> items_;
  std::vector<std::pair<YamlUse, YamlUse>> entries_;
  int level_ = 0;
};

}  // namespace

const char* plain_tag(std::string_view text) {
  if (is_null_text(text)) return yaml_tags::kNull;
  if (text == "<<") return yaml_tags::kMerge;
  if (text == "=") return yaml_tags::kValue;
  if (parse_boolean(text)) return yaml_tags::kBoolean;
  const char c = text.front();
  if ((c < '0' || c > '9') && c != '-' && c != '+' && c != '.') return yaml_tags::kString;
  if (parse_float(text)) return yaml_tags::kFloat;
  return parse_integer(text) ? yaml_tags::kInteger : yaml_tags::kString;
}

YamlNode& YamlDocument::add() {
  constexpr std::size_t kFirst = 16, kMost = 1024;
  if (nodes_.empty() || nodes_.back().size() == nodes_.back().capacity()) {
    const std::size_t size = nodes_.empty() ? kFirst : std::min(nodes_.back().capacity() * 2, kMost);
    nodes_.emplace_back().reserve(size);
  }
  ++size_;
  return nodes_.back().emplace_back();
}

YamlDocument::YamlDocument(const YamlSource& source) { root_ = Composer(source, *this).compose(); }

}  // namespace attnscope
