#include "config/yaml_document.h"

#include <map>
#include <unordered_map>

#include "config/scalar.h"

namespace attnscope {
namespace {

constexpr int kMostLevels = 200;

// Makes nodes of tokens by libyaml's grammar, so that what is refused and where is the same.
class Parser {
 public:
  Parser(const YamlSource& source, YamlDocument& document) : source_(source), scanner_(source), document_(document) {}

  YamlNode* parse() {
    if (!start_document(true)) return nullptr;
    YamlNode* root = parse_content();
    if (is(Type::document_end)) scanner_.skip();
    start_document(false, true);
    return root;
  }

 private:
  using Type = YamlToken::Type;
  using Kind = YamlNode::Kind;

  bool is(Type type) { return scanner_.peek().type == type; }
  template <class... Types>
  bool is_any(Types... types) {
    const Type type = scanner_.peek().type;
    return ((type == types) || ...);
  }
  [[noreturn]] void fail(const char* kind, const std::string& message, const YamlMark& mark,
                         const std::string& hint = {}) const {
    throw ConfigKindError(kind, "not valid YAML: " + message, source_.place(mark), hint);
  }
  std::string line(const YamlMark& mark) const { return std::to_string(mark.line + 1); }

  // False at the end of the text. A second document is an error of its own.
  bool start_document(bool first, bool must_end = false) {
    while (!first && is(Type::document_end)) scanner_.skip();
    const YamlMark start = scanner_.peek().start;
    if (is(Type::stream_end)) return false;
    const bool implicit = first && !is_any(Type::version_directive, Type::tag_directive, Type::document_start);
    take_directives();
    if (!implicit) {
      if (!is(Type::document_start)) {
        fail("ParserError", "text follows after the end of the document", scanner_.peek().start,
             "Check the indentation of this line.");
      }
      if (must_end) {
        throw ConfigKindError("ComposerError", "holds more than one document", source_.place(start), "Keep one.");
      }
      scanner_.skip();
    }
    return true;
  }

  void take_directives() {
    handles_.clear();
    bool version = false;
    for (;; scanner_.skip()) {
      const YamlToken& token = scanner_.peek();
      if (token.type == Type::version_directive) {
        if (version) fail("ParserError", "%YAML stands here twice", token.start);
        if (token.major != 1 || (token.minor != 1 && token.minor != 2)) {
          fail("ParserError", "only YAML 1.1 and 1.2 are known", token.start);
        }
        version = true;
      } else if (token.type == Type::tag_directive) {
        if (!handles_.emplace(token.value, token.suffix).second) {
          fail("ParserError", "%TAG " + token.value + " stands here twice", token.start);
        }
      } else {
        break;
      }
    }
    handles_.emplace("!", "!");
    handles_.emplace("!!", "tag:yaml.org,2002:");
  }

  YamlNode* parse_content() {
    if (is_any(Type::version_directive, Type::tag_directive, Type::document_start, Type::document_end,
               Type::stream_end)) {
      return empty(scanner_.peek().start).node;
    }
    return parse_node(true, false).node;
  }

  // An absent scalar, which is null.
  YamlUse empty(const YamlMark& mark) {
    YamlNode* node =
        document_.add({.kind = Kind::scalar, .tag = yaml_tags::kNull, .start = mark, .content = mark, .end = mark});
    return {node, mark, mark, false};
  }

  YamlUse parse_node(bool block, bool indentless) {
    if (is(Type::alias)) return parse_alias();
    YamlNode node{.start = scanner_.peek().start};
    YamlMark last_end = node.start;
    bool has_tag = false, has_anchor = false;
    YamlMark tag_mark;
    for (int i = 0; i < 2; ++i) {
      const YamlToken token = is_any(Type::anchor, Type::tag) ? scanner_.peek() : YamlToken{.type = Type::scalar};
      if (token.type == Type::anchor && !has_anchor) {
        node.anchor = token.value;
        has_anchor = true;
      } else if (token.type == Type::tag && !has_tag) {
        has_tag = true;
        tag_mark = token.start;
        node.tag = token.value.empty() ? token.suffix : expand_handle(token, node.start);
      } else {
        break;
      }
      last_end = token.end;
      scanner_.skip();
    }
    const YamlToken& token = scanner_.peek();
    node.content = token.start;
    const bool generic = !has_tag || node.tag == "!";
    YamlUse use;
    if (indentless && token.type == Type::block_entry) {
      use = begin(std::move(node), Kind::sequence, generic ? yaml_tags::kSequence : nullptr, has_anchor);
      nested([&] { parse_indentless_sequence(*use.node); });
    } else if (token.type == Type::scalar) {
      use = parse_scalar(std::move(node), has_tag, has_anchor);
    } else if (token.type == Type::flow_sequence_start) {
      use = begin(std::move(node), Kind::sequence, generic ? yaml_tags::kSequence : nullptr, has_anchor);
      nested([&] { parse_flow_sequence(*use.node); });
    } else if (token.type == Type::flow_mapping_start) {
      use = begin(std::move(node), Kind::mapping, generic ? yaml_tags::kMap : nullptr, has_anchor);
      nested([&] { parse_flow_mapping(*use.node); });
    } else if (block && token.type == Type::block_sequence_start) {
      use = begin(std::move(node), Kind::sequence, generic ? yaml_tags::kSequence : nullptr, has_anchor);
      nested([&] { parse_block_sequence(*use.node); });
    } else if (block && token.type == Type::block_mapping_start) {
      use = begin(std::move(node), Kind::mapping, generic ? yaml_tags::kMap : nullptr, has_anchor);
      nested([&] { parse_block_mapping(*use.node); });
    } else if (has_anchor || has_tag) {
      node.content = node.end = last_end;
      use = begin(std::move(node), Kind::scalar, has_tag ? (generic ? yaml_tags::kString : nullptr) : yaml_tags::kNull,
                  has_anchor);
    } else {
      fail("ParserError", "a value is missing here, or this character cannot stand here", token.start,
           "Put text that begins with a special character in quotes.");
    }
    return {use.node, use.node->start, use.node->end, false};
  }

  template <class Parse>
  void nested(const Parse& parse) {
    if (++level_ > kMostLevels) fail("ConstructorError", "nested too deeply", scanner_.peek().start);
    parse();
    --level_;
  }

  YamlUse parse_alias() {
    const YamlToken token = scanner_.peek();
    const auto found = anchors_.find(token.value);
    if (found == anchors_.end()) {
      fail("ComposerError", "there is no anchor &" + token.value + " before this", token.start,
           "Put text that begins with * in quotes.");
    }
    scanner_.skip();
    return {found->second, token.start, token.end, true};
  }

  std::string expand_handle(const YamlToken& token, const YamlMark& start) const {
    const auto found = handles_.find(token.value);
    if (found == handles_.end()) fail("ParserError", "the tag handle " + token.value + " is not known", token.start);
    return found->second + token.suffix;
  }

  // A node becomes known under its anchor before its content is read.
  YamlUse begin(YamlNode node, Kind kind, const char* tag, bool has_anchor) {
    node.kind = kind;
    if (tag) node.tag = tag;
    if (has_anchor && anchors_.count(node.anchor)) {
      fail("ComposerError", "the anchor &" + node.anchor + " is given twice", node.start, "Rename one of the two.");
    }
    YamlNode* added = document_.add(std::move(node));
    if (has_anchor) anchors_.emplace(added->anchor, added);
    return {added, added->start, added->end, false};
  }

  YamlUse parse_scalar(YamlNode node, bool has_tag, bool has_anchor) {
    YamlToken token = scanner_.peek();
    const bool plain = token.style == YamlToken::Style::plain;
    node.value = std::move(token.value);
    node.style = token.style;
    node.end = token.end;
    const char* tag = nullptr;
    if ((plain && !has_tag) || (has_tag && node.tag == "!")) {
      tag = plain_tag(node.value);
    } else if (!has_tag) {
      tag = yaml_tags::kString;
    }
    const YamlUse use = begin(std::move(node), Kind::scalar, tag, has_anchor);
    scanner_.skip();
    return use;
  }

  void parse_block_sequence(YamlNode& node) {
    const YamlMark start = scanner_.peek().start;
    scanner_.skip();
    while (is(Type::block_entry)) node.items.push_back(parse_block_item(false));
    if (!is(Type::block_end)) {
      fail("ParserError", "the list that begins in line " + line(start) + " cannot go on like this",
           scanner_.peek().start, "Check the indentation of this line.");
    }
    node.end = node.items.empty() ? start : node.items.back().end;
    scanner_.skip();
  }

  void parse_indentless_sequence(YamlNode& node) {
    while (is(Type::block_entry)) node.items.push_back(parse_block_item(true));
    node.end = node.items.back().end;
  }

  YamlUse parse_block_item(bool indentless) {
    const YamlMark mark = scanner_.peek().end;
    scanner_.skip();
    const bool none = indentless ? is_any(Type::block_entry, Type::key, Type::value, Type::block_end)
                                 : is_any(Type::block_entry, Type::block_end);
    return none ? empty(mark) : parse_node(true, false);
  }

  void parse_block_mapping(YamlNode& node) {
    const YamlMark start = scanner_.peek().start;
    scanner_.skip();
    for (;;) {
      if (is(Type::block_end)) break;
      if (!is(Type::key)) {
        fail("ParserError", "the keys that begin in line " + line(start) + " cannot go on like this",
             scanner_.peek().start, "Check the indentation of this line, and quotes before it.");
      }
      const YamlUse key = parse_block_part();
      const YamlUse value = is(Type::value) ? parse_block_part() : empty(scanner_.peek().start);
      node.entries.emplace_back(key, value);
    }
    node.end = node.entries.empty() ? start : node.entries.back().second.end;
    scanner_.skip();
  }

  // What follows "?" or ":".
  YamlUse parse_block_part() {
    const YamlMark mark = scanner_.peek().end;
    scanner_.skip();
    return is_any(Type::key, Type::value, Type::block_end) ? empty(mark) : parse_node(true, true);
  }

  void parse_flow_sequence(YamlNode& node) {
    const YamlMark start = scanner_.peek().start;
    node.flow = true;
    scanner_.skip();
    for (bool first = true; !is(Type::flow_sequence_end); first = false) {
      if (!first) take_comma("[", "\",\" or \"]\"", start);
      if (is(Type::key)) {
        node.items.push_back(parse_flow_pair());
      } else if (!is(Type::flow_sequence_end)) {
        node.items.push_back(parse_node(false, false));
      } else {
        break;
      }
    }
    node.end = scanner_.peek().end;
    scanner_.skip();
  }

  void take_comma(const std::string& open, const std::string& expected, const YamlMark& start) {
    if (!is(Type::flow_entry)) {
      fail("ParserError", "the \"" + open + "\" of line " + line(start) + " needs " + expected + " here",
           scanner_.peek().start, "Close it, or put text that holds special characters in quotes.");
    }
    scanner_.skip();
  }

  // `[a: b]` is a list of one dict.
  YamlUse parse_flow_pair() {
    YamlNode* pair = document_.add({.kind = Kind::mapping, .tag = yaml_tags::kMap, .flow = true});
    pair->start = pair->content = scanner_.peek().start;
    scanner_.skip();
    YamlUse key;
    if (is_any(Type::value, Type::flow_entry, Type::flow_sequence_end)) {
      const YamlMark mark = scanner_.peek().end;
      if (!is(Type::flow_sequence_end)) scanner_.skip();  // libyaml drops this token
      key = empty(mark);
    } else {
      key = parse_node(false, false);
    }
    YamlUse value;
    if (is(Type::value))
      scanner_.skip();
    else {
      value = empty(scanner_.peek().start);
    }
    if (!value.node) {
      value =
          is_any(Type::flow_entry, Type::flow_sequence_end) ? empty(scanner_.peek().start) : parse_node(false, false);
    }
    pair->entries.emplace_back(key, value);
    pair->end = value.end;
    return {pair, pair->start, pair->end, false};
  }

  void parse_flow_mapping(YamlNode& node) {
    const YamlMark start = scanner_.peek().start;
    node.flow = true;
    scanner_.skip();
    for (bool first = true; !is(Type::flow_mapping_end); first = false) {
      if (!first) take_comma("{", "\",\" or \"}\"", start);
      if (is(Type::key)) {
        scanner_.skip();
        const YamlUse key = is_any(Type::value, Type::flow_entry, Type::flow_mapping_end) ? empty(scanner_.peek().start)
                                                                                          : parse_node(false, false);
        node.entries.emplace_back(key, parse_flow_value());
      } else if (!is(Type::flow_mapping_end)) {
        const YamlUse key = parse_node(false, false);
        node.entries.emplace_back(key, empty(scanner_.peek().start));
      } else {
        break;
      }
    }
    node.end = scanner_.peek().end;
    scanner_.skip();
  }

  YamlUse parse_flow_value() {
    if (is(Type::value)) {
      scanner_.skip();
      if (!is_any(Type::flow_entry, Type::flow_mapping_end)) return parse_node(false, false);
    }
    return empty(scanner_.peek().start);
  }

  const YamlSource& source_;
  YamlScanner scanner_;
  YamlDocument& document_;
  std::map<std::string, std::string> handles_;
  std::unordered_map<std::string, YamlNode*> anchors_;
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

YamlDocument::YamlDocument(const YamlSource& source) { root_ = Parser(source, *this).parse(); }

}  // namespace attnscope
