#pragma once
#include <deque>
#include <string>
#include <vector>

#include "config/yaml_source.h"

namespace attnscope {

struct YamlToken {
  enum class Type {
    stream_end,
    version_directive,
    tag_directive,
    document_start,
    document_end,
    block_sequence_start,
    block_mapping_start,
    block_end,
    flow_sequence_start,
    flow_sequence_end,
    flow_mapping_start,
    flow_mapping_end,
    block_entry,
    flow_entry,
    key,
    value,
    alias,
    anchor,
    tag,
    scalar
  };
  enum class Style { plain, single_quoted, double_quoted, literal, folded };

  Type type;
  YamlMark start, end;
  std::string value;   // of a scalar, an anchor or alias; a tag's or tag directive's handle
  std::string suffix;  // a tag's suffix, a tag directive's prefix
  Style style = Style::plain;
  int major = 0, minor = 0;  // of a version directive
};

// Cuts a YAML text into tokens exactly as libyaml does, which is what OmegaConf reads with: the same texts are
// accepted, with the same values, and errors are found at the same place. ConfigKindError "ScannerError".
class YamlScanner {
 public:
  explicit YamlScanner(const YamlSource& source);

  const YamlToken& peek();
  void skip();

 private:
  // A token that turns out to be a key when a ":" follows.
  struct SimpleKey {
    bool possible = false;
    bool required = false;
    std::size_t token_number = 0;
    YamlMark mark;
  };
  using Type = YamlToken::Type;

  [[noreturn]] void fail(const std::string& message, const std::string& hint = {}) const;
  char32_t at(std::size_t ahead = 0) const { return source_.at(mark_.index + ahead); }
  bool is(char32_t c, std::size_t ahead = 0) const { return at(ahead) == c; }
  bool is_end(std::size_t ahead = 0) const { return mark_.index + ahead >= source_.size(); }
  bool is_break(std::size_t ahead = 0) const;
  bool is_blank(std::size_t ahead = 0) const { return is(U' ', ahead) || is(U'\t', ahead); }
  bool is_blank_or_end(std::size_t ahead = 0) const { return is_blank(ahead) || is_break(ahead) || is_end(ahead); }
  bool is_break_or_end() const { return is_break() || is_end(); }
  bool is_document_indicator() const;
  void advance(std::size_t count = 1);
  void skip_line();
  void take(std::string& text);
  void take_line(std::string& text);

  void fetch_more();
  void fetch_next();
  void skip_to_next_token();
  void fetch_stream_end();
  void fetch_document_indicator(Type type);
  void fetch_flow_start(Type type);
  void fetch_flow_end(Type type);
  void fetch_flow_entry();
  void fetch_block_entry();
  void fetch_key();
  void fetch_value();
  void fetch_directive();
  void fetch_anchor(Type type);
  void fetch_tag();
  void fetch_block_scalar(bool literal);
  void fetch_flow_scalar(bool single);
  void fetch_plain_scalar();
  void push(Type type, const YamlMark& start, const YamlMark& end);
  void push_indicator(Type type, std::size_t length);

  void drop_stale_keys();
  void save_simple_key();
  void remove_simple_key();
  void roll_indent(int column, std::ptrdiff_t token_number, Type type, const YamlMark& mark);
  void unroll_indent(int column);

  std::string scan_tag_handle(bool directive);
  std::string scan_tag_uri(bool any_uri, const std::string& head);
  void scan_uri_escape(std::string& text);
  int scan_version_number();
  void scan_block_breaks(int& indent, std::string& breaks, YamlMark& end);
  void scan_escape(std::string& text);

  const YamlSource& source_;
  YamlMark mark_;
  std::deque<YamlToken> tokens_;
  std::size_t tokens_taken_ = 0;
  bool ended_ = false;
  int indent_ = -1;
  std::vector<int> indents_;
  bool key_allowed_ = true;
  std::vector<SimpleKey> keys_{1};  // one a flow level, and one for the block level
};

}  // namespace attnscope
