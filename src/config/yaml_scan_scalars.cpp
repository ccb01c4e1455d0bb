// The part of YamlScanner that reads scalars: plain, in quotes, and in blocks.
#include <algorithm>

#include "config/yaml_scanner.h"

namespace attnscope {
namespace {

int hex_value(char32_t c) {
  if (c >= U'0' && c <= U'9') return static_cast<int>(c - U'0');
  if (c >= U'a' && c <= U'f') return static_cast<int>(c - U'a') + 10;
  return c >= U'A' && c <= U'F' ? static_cast<int>(c - U'A') + 10 : -1;
}

// A line break becomes a blank unless empty lines follow, which stay.
std::string folded(const std::string& leading, const std::string& trailing) {
  if (leading != "\n") return leading + trailing;
  return trailing.empty() ? " " : trailing;
}

}  // namespace

void YamlScanner::fetch_block_scalar(bool literal) {
  remove_simple_key();
  key_allowed_ = true;
  YamlToken token{.type = Type::scalar, .start = mark_};
  token.style = literal ? YamlToken::Style::literal : YamlToken::Style::folded;
  advance();
  int chomping = 0, increment = 0;
  for (int i = 0; i < 2; ++i) {
    if (chomping == 0 && (is(U'+') || is(U'-'))) {
      chomping = is(U'+') ? 1 : -1;
      advance();
    } else if (increment == 0 && at() >= U'0' && at() <= U'9') {
      if (is(U'0')) fail("the indentation after | or > is from 1 to 9");
      increment = static_cast<int>(at() - U'0');
      advance();
    }
  }
  while (is_blank()) advance();
  if (is(U'#'))
    while (!is_break_or_end()) advance();
  if (!is_break_or_end()) fail("the text after | or > begins in the next line");
  skip_line();

  YamlMark end = mark_, after_breaks = mark_;
  int indent = increment > 0 ? (indent_ >= 0 ? indent_ + increment : increment) : 0;
  std::string leading, trailing;
  bool leading_blank = false;
  scan_block_breaks(indent, trailing, after_breaks);
  while (mark_.column == indent && !is_end()) {
    const bool blank = is_blank();
    if (!literal && leading == "\n" && !leading_blank && !blank) {
      if (trailing.empty()) token.value += ' ';
    } else {
      token.value += leading;
    }
    leading.clear();
    token.value += trailing;
    trailing.clear();
    leading_blank = is_blank();
    while (!is_break_or_end()) take(token.value);
    end = mark_;
    take_line(leading);
    after_breaks = mark_;
    scan_block_breaks(indent, trailing, after_breaks);
  }
  if (chomping >= 0) token.value += leading;
  if (chomping > 0) token.value += trailing;
  token.end = chomping > 0 ? after_breaks : end;  // other empty lines behind it are not of the text
  tokens_.push_back(std::move(token));
}

// Empty lines; finds the indentation when it is not known yet (0).
void YamlScanner::scan_block_breaks(int& indent, std::string& breaks, YamlMark& end) {
  int deepest = 0;
  for (;;) {
    while ((indent == 0 || mark_.column < indent) && is(U' ')) advance();
    deepest = std::max(deepest, mark_.column);
    if ((indent == 0 || mark_.column < indent) && is(U'\t')) fail("a tab stands in the indentation", "Use spaces.");
    if (!is_break()) break;
    take_line(breaks);
    end = mark_;
  }
  if (indent == 0) indent = std::max({deepest, indent_ + 1, 1});
}

void YamlScanner::fetch_flow_scalar(bool single) {
  save_simple_key();
  key_allowed_ = false;
  YamlToken token{.type = Type::scalar, .start = mark_};
  token.style = single ? YamlToken::Style::single_quoted : YamlToken::Style::double_quoted;
  const char32_t quote = single ? U'\'' : U'"';
  advance();
  for (;;) {
    if (is_document_indicator()) fail("a line of --- or ... stands inside the quotes");
    if (is_end()) fail("the quotes are not closed");
    bool joined = false;  // a backslash at the line's end
    while (!is_blank_or_end()) {
      if (single && is(U'\'') && is(U'\'', 1)) {
        token.value += '\'';
        advance(2);
      } else if (is(quote)) {
        break;
      } else if (!single && is(U'\\') && is_break(1)) {
        advance();
        skip_line();
        joined = true;
        break;
      } else if (!single && is(U'\\')) {
        scan_escape(token.value);
      } else {
        take(token.value);
      }
    }
    if (is(quote)) break;
    std::string blanks, leading, trailing;
    bool broken = joined;
    while (is_blank() || is_break()) {
      if (is_blank()) {
        if (broken) {
          advance();
        } else {
          take(blanks);
        }
      } else if (!broken) {
        take_line(leading);
        broken = true;
      } else {
        take_line(trailing);
      }
    }
    token.value += broken ? folded(leading, trailing) : blanks;
  }
  advance();
  token.end = mark_;
  tokens_.push_back(std::move(token));
}

void YamlScanner::scan_escape(std::string& text) {
  std::size_t digits = 0;
  switch (at(1)) {
    case U'0': text += '\0'; break;
    case U'a': text += '\a'; break;
    case U'b': text += '\b'; break;
    case U't':
    case U'\t': text += '\t'; break;
    case U'n': text += '\n'; break;
    case U'v': text += '\v'; break;
    case U'f': text += '\f'; break;
    case U'r': text += '\r'; break;
    case U'e': text += '\x1B'; break;
    case U' ': text += ' '; break;
    case U'"': text += '"'; break;
    case U'/': text += '/'; break;
    case U'\\': text += '\\'; break;
    case U'N': append_utf8(text, 0x85); break;
    case U'_': append_utf8(text, 0xA0); break;
    case U'L': append_utf8(text, 0x2028); break;
    case U'P': append_utf8(text, 0x2029); break;
    case U'x': digits = 2; break;
    case U'u': digits = 4; break;
    case U'U': digits = 8; break;
    default: fail("this escape is not known", "In double quotes write a backslash twice, or use single quotes.");
  }
  advance(2);
  if (digits == 0) return;
  uint64_t code = 0;
  for (std::size_t k = 0; k < digits; ++k) {
    const int value = hex_value(at(k));
    if (value < 0) {
      fail("the escape needs " + std::to_string(digits) + " hexadecimal digits",
           "In double quotes write a backslash twice, or use single quotes.");
    }
    code = code * 16 + static_cast<uint64_t>(value);
  }
  if ((code >= 0xD800 && code <= 0xDFFF) || code > 0x10FFFF) fail("the escape is not a Unicode character");
  append_utf8(text, static_cast<char32_t>(code));
  advance(digits);
}

void YamlScanner::fetch_plain_scalar() {
  save_simple_key();
  key_allowed_ = false;
  YamlToken token{.type = Type::scalar, .start = mark_, .end = mark_};
  const bool flow = keys_.size() > 1;
  const int indent = indent_ + 1;
  const auto is_any = [this](std::u32string_view set, std::size_t ahead) {
    return !is_end(ahead) && set.find(at(ahead)) != std::u32string_view::npos;
  };
  std::string blanks, leading, trailing;
  bool broken = false;
  for (;;) {
    if (is_document_indicator() || is(U'#')) break;
    while (!is_blank_or_end()) {
      if (flow && is(U':') && is_any(U",?[]{}", 1)) {
        fail("a \":\" here must be followed by a blank", "Put text that holds \":\" in quotes.");
      }
      if ((is(U':') && is_blank_or_end(1)) || (flow && is_any(U",[]{}", 0))) break;
      if (broken || !blanks.empty()) {
        token.value += broken ? folded(leading, trailing) : blanks;
        broken = false;
        blanks.clear();
        leading.clear();
        trailing.clear();
      }
      take(token.value);
      token.end = mark_;
    }
    if (!is_blank() && !is_break()) break;
    while (is_blank() || is_break()) {
      if (is_blank()) {
        if (broken && mark_.column < indent && is(U'\t')) {
          fail("a tab stands in the indentation", "Use spaces.");
        }
        if (broken) {
          advance();
        } else {
          take(blanks);
        }
      } else if (!broken) {
        blanks.clear();
        take_line(leading);
        broken = true;
      } else {
        take_line(trailing);
      }
    }
    if (!flow && mark_.column < indent) break;
  }
  if (broken) key_allowed_ = true;
  tokens_.push_back(std::move(token));
}

}  // namespace attnscope
