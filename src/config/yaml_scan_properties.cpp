// The part of YamlScanner that reads directives, anchors and tags.
#include <cstdlib>

#include "config/yaml_scanner.h"

namespace attnscope {
namespace {

bool is_word(char32_t c) {
  return (c >= U'0' && c <= U'9') || (c >= U'A' && c <= U'Z') || (c >= U'a' && c <= U'z') || c == U'_' || c == U'-';
}
bool is_digit(char32_t c) { return c >= U'0' && c <= U'9'; }
int hex_value(char32_t c) {
  if (is_digit(c)) return static_cast<int>(c - U'0');
  if (c >= U'a' && c <= U'f') return static_cast<int>(c - U'a') + 10;
  return c >= U'A' && c <= U'F' ? static_cast<int>(c - U'A') + 10 : -1;
}

}  // namespace

void YamlScanner::fetch_directive() {
  unroll_indent(-1);
  remove_simple_key();
  key_allowed_ = false;
  YamlToken token{.type = Type::version_directive, .start = mark_};
  advance();
  std::string name;
  while (is_word(at())) take(name);
  if (name.empty()) fail("a line that begins with % must name a directive", "Put text that begins with % in quotes.");
  if (!is_blank_or_end()) fail("a directive's name cannot hold this character");
  const auto skip_blanks = [this] {
    while (is_blank()) advance();
  };
  if (name == "YAML") {
    skip_blanks();
    token.major = scan_version_number();
    if (!is(U'.')) fail("%YAML needs a version such as 1.1");
    advance();
    token.minor = scan_version_number();
  } else if (name == "TAG") {
    token.type = Type::tag_directive;
    skip_blanks();
    token.value = scan_tag_handle(true);
    if (!is_blank()) fail("%TAG needs a blank after the handle");
    skip_blanks();
    token.suffix = scan_tag_uri(true, {});
    if (!is_blank_or_end()) fail("%TAG needs a blank after the prefix");
  } else {
    fail("the directive %" + name + " is not known", "Put text that begins with % in quotes.");
  }
  token.end = mark_;
  skip_blanks();
  if (is(U'#'))
    while (!is_break_or_end()) advance();
  if (!is_break_or_end()) fail("nothing may follow a directive in its line");
  skip_line();
  tokens_.push_back(std::move(token));
}

int YamlScanner::scan_version_number() {
  int value = 0, length = 0;
  for (; is_digit(at()); advance()) {
    if (++length > 9) fail("this version number is too long");
    value = value * 10 + static_cast<int>(at() - U'0');
  }
  if (length == 0) fail("%YAML needs a version such as 1.1");
  return value;
}

void YamlScanner::fetch_anchor(Type type) {
  save_simple_key();
  key_allowed_ = false;
  YamlToken token{.type = type, .start = mark_};
  advance();
  while (is_word(at())) take(token.value);
  const char32_t c = at();
  const bool ends = is_blank_or_end() || std::u32string_view(U"?:,]}%@`").find(c) != std::u32string_view::npos;
  if (token.value.empty() || !ends) {
    fail(type == Type::alias ? "the name after * may hold letters, digits, - and _"
                             : "the name after & may hold letters, digits, - and _",
         "Put text that begins with * or & in quotes.");
  }
  token.end = mark_;
  tokens_.push_back(std::move(token));
}

void YamlScanner::fetch_tag() {
  save_simple_key();
  key_allowed_ = false;
  YamlToken token{.type = Type::tag, .start = mark_};
  if (is(U'<', 1)) {
    advance(2);
    token.suffix = scan_tag_uri(true, {});
    if (!is(U'>')) fail("the tag is not closed by >");
    advance();
  } else {
    const std::string handle = scan_tag_handle(false);
    if (handle.size() > 1 && handle.back() == '!') {
      token.value = handle;
      token.suffix = scan_tag_uri(false, {});
    } else {
      token.suffix = scan_tag_uri(false, handle);
      token.value = "!";
      if (token.suffix.empty()) std::swap(token.value, token.suffix);
    }
  }
  if (!is_blank_or_end() && !(keys_.size() > 1 && is(U','))) {
    fail("a tag must be followed by a blank", "Put text that begins with ! in quotes.");
  }
  token.end = mark_;
  tokens_.push_back(std::move(token));
}

std::string YamlScanner::scan_tag_handle(bool directive) {
  std::string handle;
  if (!is(U'!')) fail("a tag begins with !");
  take(handle);
  while (is_word(at())) take(handle);
  if (is(U'!')) {
    take(handle);
  } else if (directive && handle != "!") {
    fail("a tag handle ends with !");
  }
  return handle;
}

std::string YamlScanner::scan_tag_uri(bool any_uri, const std::string& head) {
  std::string uri = head.size() > 1 ? head.substr(1) : std::string();
  std::size_t length = head.size();
  const auto allowed = [&](char32_t c) {
    return c != 0 && (is_word(c) || std::u32string_view(U";/?:@&=+$.%!~*'()").find(c) != std::u32string_view::npos ||
                      (any_uri && (c == U',' || c == U'[' || c == U']')));
  };
  for (; allowed(at()); ++length) {
    if (is(U'%')) {
      scan_uri_escape(uri);
    } else {
      take(uri);
    }
  }
  if (length == 0) fail("the tag has no name");
  return uri;
}

// One character, written as its UTF-8 bytes: %C3%A9.
void YamlScanner::scan_uri_escape(std::string& text) {
  int width = 0;
  do {
    const int high = is(U'%') ? hex_value(at(1)) : -1, low = hex_value(at(2));
    if (high < 0 || low < 0) fail("a % in a tag is followed by two hexadecimal digits");
    const auto octet = static_cast<unsigned char>(high * 16 + low);
    if (width == 0) {
      width = octet < 0x80             ? 1
              : (octet & 0xE0) == 0xC0 ? 2
              : (octet & 0xF0) == 0xE0 ? 3
              : (octet & 0xF8) == 0xF0 ? 4
                                       : 0;
      if (width == 0) fail("the escapes in this tag are not UTF-8");
    } else if ((octet & 0xC0) != 0x80) {
      fail("the escapes in this tag are not UTF-8");
    }
    text += static_cast<char>(octet);
    advance(3);
  } while (--width > 0);
}

}  // namespace attnscope
