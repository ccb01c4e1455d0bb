#include "config/yaml_scanner.h"

namespace attnscope {
namespace {

constexpr std::size_t kLongestSimpleKey = 1024;

bool one_of(char32_t c, std::u32string_view set) { return c != 0 && set.find(c) != std::u32string_view::npos; }

}  // namespace

YamlScanner::YamlScanner(const YamlSource& source) : source_(source) {}

void YamlScanner::fail(const std::string& message, const std::string& hint) const {
  throw ConfigKindError("ScannerError", "not valid YAML: " + message, source_.place(mark_), hint);
}

bool YamlScanner::is_break(std::size_t ahead) const {
  const char32_t c = at(ahead);
  return c == U'\n' || c == U'\r' || c == 0x85 || c == 0x2028 || c == 0x2029;
}

bool YamlScanner::is_document_indicator() const {
  if (mark_.column != 0 || !is_blank_or_end(3)) return false;
  return (is(U'-') && is(U'-', 1) && is(U'-', 2)) || (is(U'.') && is(U'.', 1) && is(U'.', 2));
}

void YamlScanner::advance(std::size_t count) {
  mark_.index += count;
  mark_.column += static_cast<int>(count);
}

void YamlScanner::skip_line() {
  if (is(U'\r') && is(U'\n', 1)) {
    mark_.index += 2;
  } else if (is_break()) {
    ++mark_.index;
  } else {
    return;
  }
  mark_.column = 0;
  ++mark_.line;
}

void YamlScanner::take(std::string& text) {
  append_utf8(text, at());
  advance();
}

void YamlScanner::take_line(std::string& text) {
  if (!is_break()) return;
  if (is(0x2028) || is(0x2029)) {
    append_utf8(text, at());
  } else {
    text += '\n';
  }
  skip_line();
}

const YamlToken& YamlScanner::peek() {
  fetch_more();
  return tokens_.front();
}

void YamlScanner::skip() {
  tokens_.pop_front();
  ++tokens_taken_;
}

// Until the first token cannot become a key any more.
void YamlScanner::fetch_more() {
  for (;;) {
    bool need = tokens_.empty();
    if (!need) {
      drop_stale_keys();
      for (const SimpleKey& key : keys_) need = need || (key.possible && key.token_number == tokens_taken_);
    }
    if (!need || ended_) return;
    fetch_next();
  }
}

void YamlScanner::fetch_next() {
  skip_to_next_token();
  drop_stale_keys();
  unroll_indent(mark_.column);
  if (is_end()) return fetch_stream_end();
  const bool flow = keys_.size() > 1;
  const char32_t c = at();
  if (mark_.column == 0 && c == U'%') return fetch_directive();
  if (is_document_indicator()) return fetch_document_indicator(c == U'-' ? Type::document_start : Type::document_end);
  switch (c) {
    case U'[': return fetch_flow_start(Type::flow_sequence_start);
    case U'{': return fetch_flow_start(Type::flow_mapping_start);
    case U']': return fetch_flow_end(Type::flow_sequence_end);
    case U'}': return fetch_flow_end(Type::flow_mapping_end);
    case U',': return fetch_flow_entry();
    case U'*': return fetch_anchor(Type::alias);
    case U'&': return fetch_anchor(Type::anchor);
    case U'!': return fetch_tag();
    case U'\'': return fetch_flow_scalar(true);
    case U'"': return fetch_flow_scalar(false);
    default: break;
  }
  if (c == U'-' && is_blank_or_end(1)) return fetch_block_entry();
  if (c == U'?' && (flow || is_blank_or_end(1))) return fetch_key();
  if (c == U':' && (flow || is_blank_or_end(1))) return fetch_value();
  if ((c == U'|' || c == U'>') && !flow) return fetch_block_scalar(c == U'|');
  if ((!is_blank_or_end() && !one_of(c, U"-?:,[]{}#&*!|>'\"%@`")) || (c == U'-' && !is_blank(1)) ||
      (!flow && (c == U'?' || c == U':') && !is_blank_or_end(1))) {
    return fetch_plain_scalar();
  }
  if (c == U'\t') fail("nothing can start here", "A tab stands in the indentation of this line: use spaces.");
  std::string text;
  append_utf8(text, c);
  fail("nothing can start with \"" + text + "\"", "Put the text in quotes.");
}

void YamlScanner::skip_to_next_token() {
  for (;;) {
    if (mark_.column == 0 && is(0xFEFF)) advance();
    while (is(U' ') || ((keys_.size() > 1 || !key_allowed_) && is(U'\t'))) advance();
    if (is(U'#'))
      while (!is_break_or_end()) advance();
    if (!is_break()) return;
    skip_line();
    if (keys_.size() == 1) key_allowed_ = true;
  }
}

void YamlScanner::push(Type type, const YamlMark& start, const YamlMark& end) {
  tokens_.push_back({.type = type, .start = start, .end = end});
}

void YamlScanner::push_indicator(Type type, std::size_t length) {
  const YamlMark start = mark_;
  advance(length);
  push(type, start, mark_);
}

void YamlScanner::fetch_stream_end() {
  if (mark_.column != 0) {  // errors at the end of a text without a last newline are on the next line
    mark_.column = 0;
    ++mark_.line;
  }
  unroll_indent(-1);
  remove_simple_key();
  key_allowed_ = false;
  push(Type::stream_end, mark_, mark_);
  ended_ = true;
}

void YamlScanner::fetch_document_indicator(Type type) {
  unroll_indent(-1);
  remove_simple_key();
  key_allowed_ = false;
  push_indicator(type, 3);
}

void YamlScanner::fetch_flow_start(Type type) {
  save_simple_key();
  keys_.emplace_back();
  key_allowed_ = true;
  push_indicator(type, 1);
}

void YamlScanner::fetch_flow_end(Type type) {
  remove_simple_key();
  if (keys_.size() > 1) keys_.pop_back();
  key_allowed_ = false;
  push_indicator(type, 1);
}

void YamlScanner::fetch_flow_entry() {
  remove_simple_key();
  key_allowed_ = true;
  push_indicator(Type::flow_entry, 1);
}

void YamlScanner::fetch_block_entry() {
  if (keys_.size() == 1) {
    if (!key_allowed_) fail("a list item cannot stand here", "Put text that begins with \"- \" in quotes.");
    roll_indent(mark_.column, -1, Type::block_sequence_start, mark_);
  }
  remove_simple_key();
  key_allowed_ = true;
  push_indicator(Type::block_entry, 1);
}

void YamlScanner::fetch_key() {
  const bool block = keys_.size() == 1;
  if (block) {
    if (!key_allowed_) fail("a key cannot stand here");
    roll_indent(mark_.column, -1, Type::block_mapping_start, mark_);
  }
  remove_simple_key();
  key_allowed_ = block;
  push_indicator(Type::key, 1);
}

void YamlScanner::fetch_value() {
  SimpleKey& key = keys_.back();
  if (key.possible) {
    const auto at = static_cast<std::ptrdiff_t>(key.token_number - tokens_taken_);
    tokens_.insert(tokens_.begin() + at, YamlToken{.type = Type::key, .start = key.mark, .end = key.mark});
    roll_indent(key.mark.column, static_cast<std::ptrdiff_t>(key.token_number), Type::block_mapping_start, key.mark);
    key.possible = false;
    key_allowed_ = false;
  } else {
    const bool block = keys_.size() == 1;
    if (block) {
      if (!key_allowed_) fail("a second \": \" in one line", "Put text that holds \": \" in quotes.");
      roll_indent(mark_.column, -1, Type::block_mapping_start, mark_);
    }
    key_allowed_ = block;
  }
  push_indicator(Type::value, 1);
}

// A simple key ends with its line, and is short.
void YamlScanner::drop_stale_keys() {
  for (SimpleKey& key : keys_) {
    if (!key.possible) continue;
    if (key.mark.line < mark_.line || key.mark.index + kLongestSimpleKey < mark_.index) {
      if (key.required)
        fail("there is no \":\" after the key in line " + std::to_string(key.mark.line + 1), "Write key: value.");
      key.possible = false;
    }
  }
}

void YamlScanner::save_simple_key() {
  if (!key_allowed_) return;
  const bool required = keys_.size() == 1 && indent_ == mark_.column;
  remove_simple_key();
  keys_.back() = {true, required, tokens_taken_ + tokens_.size(), mark_};
}

void YamlScanner::remove_simple_key() {
  SimpleKey& key = keys_.back();
  if (key.possible && key.required)
    fail("there is no \":\" after the key in line " + std::to_string(key.mark.line + 1), "Write key: value.");
  key.possible = false;
}

void YamlScanner::roll_indent(int column, std::ptrdiff_t token_number, Type type, const YamlMark& mark) {
  if (keys_.size() > 1 || indent_ >= column) return;
  indents_.push_back(indent_);
  indent_ = column;
  const YamlToken token{.type = type, .start = mark, .end = mark};
  if (token_number < 0) {
    tokens_.push_back(token);
  } else {
    tokens_.insert(tokens_.begin() + (token_number - static_cast<std::ptrdiff_t>(tokens_taken_)), token);
  }
}

void YamlScanner::unroll_indent(int column) {
  if (keys_.size() > 1) return;
  while (indent_ > column) {
    push(Type::block_end, mark_, mark_);
    indent_ = indents_.back();
    indents_.pop_back();
  }
}

}  // namespace attnscope
