#include "config/emit_scalar.h"

#include <cstdio>

#include "config/yaml_document.h"

namespace attnscope {
namespace {

constexpr int kWidth = 80;

std::u32string decoded(std::string_view text) {
  std::u32string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    char32_t code = length == 1 ? lead : lead & (0xFFu >> (length + 1));
    for (std::size_t k = 1; k < length && i + k < text.size(); ++k)
      code = code << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3F);
    out += code;
    i += length;
  }
  return out;
}

bool is_break(char32_t c) { return c == U'\n' || c == U'\r' || c == 0x85 || c == 0x2028 || c == 0x2029; }
bool is_blank_or_end(std::u32string_view text, std::size_t i) {
  return i >= text.size() || text[i] == U' ' || text[i] == U'\t' || is_break(text[i]);
}
bool is_printable(char32_t c) {
  return c == U'\n' || (c >= 0x20 && c <= 0x7E) || (c >= 0xA0 && c < 0xD800) ||
         (c >= 0xE000 && c < 0xFFFE && c != 0xFEFF);
}
bool one_of(char32_t c, std::u32string_view set) { return set.find(c) != std::u32string_view::npos; }

void write_plain(EmitterOutput& out, std::u32string_view text, bool may_break) {
  if (!out.whitespace() && !text.empty()) out.put(U' ');
  bool spaces = false, breaks = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char32_t c = text[i];
    if (c == U' ') {
      if (may_break && !spaces && out.column() > kWidth && !(i + 1 < text.size() && text[i + 1] == U' ')) {
        out.write_indent();
      } else {
        out.put(c);
      }
      spaces = true;
    } else {
      if (breaks) out.write_indent();
      out.put(c);
      out.set_state(false, false);
      spaces = breaks = false;
    }
  }
  out.set_state(false, false);
}

void write_single_quoted(EmitterOutput& out, std::u32string_view text, bool may_break) {
  out.indicator("'", true, false, false);
  bool spaces = false, breaks = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char32_t c = text[i];
    if (c == U' ') {
      const bool inside = i > 0 && i + 1 < text.size();
      if (may_break && !spaces && inside && out.column() > kWidth && text[i + 1] != U' ') {
        out.write_indent();
      } else {
        out.put(c);
      }
      spaces = true;
    } else if (is_break(c)) {
      if (!breaks && c == U'\n') out.line_break();
      if (c == U'\n') {
        out.line_break();
      } else {
        out.put(c);
      }
      out.set_state(out.whitespace(), true);
      breaks = true;
    } else {
      if (breaks) out.write_indent();
      if (c == U'\'') out.put(c);
      out.put(c);
      out.set_state(out.whitespace(), false);
      spaces = breaks = false;
    }
  }
  if (breaks) out.write_indent();
  out.indicator("'", false, false, false);
  out.set_state(false, false);
}

void write_escape(EmitterOutput& out, char32_t c) {
  static constexpr std::pair<char32_t, char> kShort[] = {
      {0, '0'},  {7, 'a'},    {8, 'b'},      {9, 't'},    {10, 'n'},   {11, 'v'},     {12, 'f'},    {13, 'r'},
      {27, 'e'}, {U'"', '"'}, {U'\\', '\\'}, {0x85, 'N'}, {0xA0, '_'}, {0x2028, 'L'}, {0x2029, 'P'}};
  out.put(U'\\');
  for (const auto& [code, letter] : kShort)
    if (code == c) return out.put(static_cast<char32_t>(letter));
  char buffer[16];
  std::snprintf(buffer, sizeof buffer, c <= 0xFF ? "x%02X" : c <= 0xFFFF ? "u%04X" : "U%08X", static_cast<unsigned>(c));
  out.put(buffer);
}

void write_double_quoted(EmitterOutput& out, std::u32string_view text, bool may_break) {
  out.indicator("\"", true, false, false);
  bool spaces = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char32_t c = text[i];
    if (!is_printable(c) || is_break(c) || c == U'"' || c == U'\\') {
      write_escape(out, c);
      spaces = false;
    } else if (c == U' ') {
      if (may_break && !spaces && out.column() > kWidth && i > 0 && i + 1 < text.size()) {
        out.write_indent();
        if (text[i + 1] == U' ') out.put(U'\\');
      } else {
        out.put(c);
      }
      spaces = true;
    } else {
      out.put(c);
      spaces = false;
    }
  }
  out.indicator("\"", false, false, false);
  out.set_state(false, false);
}

void write_literal(EmitterOutput& out, std::u32string_view text) {
  out.put(text.empty() || text.back() != U'\n' ? "|-" : "|");
  out.line_break();
  out.set_state(true, true);
  bool breaks = true;
  for (const char32_t c : text) {
    if (c == U'\n') {
      out.line_break();
      out.set_state(out.whitespace(), true);
      breaks = true;
    } else {
      if (breaks) out.write_indent();
      out.put(c);
      out.set_state(out.whitespace(), false);
      breaks = false;
    }
  }
}

bool is_digits(std::string_view text, std::size_t from, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    if (from + i >= text.size() || text[from + i] < '0' || text[from + i] > '9') return false;
  return true;
}

// 2001-12-14, or with a time after it.
bool is_timestamp(std::string_view text) {
  if (!is_digits(text, 0, 4) || text.size() < 8 || text[4] != '-') return false;
  if (text.size() == 10 && is_digits(text, 5, 2) && text[7] == '-' && is_digits(text, 8, 2)) return true;
  std::size_t at = 4;
  const auto one_or_two = [&] {
    if (!is_digits(text, at, 1)) return false;
    at += is_digits(text, at, 2) ? 2 : 1;
    return true;
  };
  const auto take = [&](char c) { return at < text.size() && text[at] == c ? (++at, true) : false; };
  const auto blanks = [&] {
    const std::size_t before = at;
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
    return at > before;
  };
  if (!take('-') || !one_or_two() || !take('-') || !one_or_two()) return false;
  if (!take('T') && !take('t') && !blanks()) return false;
  if (!one_or_two() || !take(':') || !is_digits(text, at, 2)) return false;
  at += 2;
  if (!take(':') || !is_digits(text, at, 2)) return false;
  at += 2;
  if (take('.'))
    while (is_digits(text, at, 1)) ++at;
  if (at == text.size()) return true;
  blanks();
  if (take('Z')) return at == text.size();
  if (!take('-') && !take('+')) return false;
  if (!one_or_two()) return false;
  if (take(':')) {
    if (!is_digits(text, at, 2)) return false;
    at += 2;
  }
  return at == text.size();
}

}  // namespace

void EmitterOutput::write_indent() {
  const int indent = indent_ > 0 ? indent_ : 0;
  if (!indention_ || column_ > indent || (column_ == indent && !whitespace_)) line_break();
  while (column_ < indent) put(U' ');
  set_state(true, true);
}

void EmitterOutput::indicator(std::string_view text, bool needs_whitespace, bool is_whitespace, bool is_indention) {
  if (needs_whitespace && !whitespace_) put(U' ');
  put(text);
  whitespace_ = is_whitespace;
  indention_ = indention_ && is_indention;
}

void EmitterOutput::put(char32_t character) {
  append_utf8(text_, character);
  column_ = is_break(character) ? 0 : column_ + 1;
}

void EmitterOutput::put(std::string_view ascii) {
  text_ += ascii;
  column_ += static_cast<int>(ascii.size());
}

void EmitterOutput::line_break() {
  text_ += '\n';
  column_ = 0;
}

ScalarAnalysis analyze_scalar(std::string_view utf8) {
  const std::u32string text = decoded(utf8);
  ScalarAnalysis analysis;
  if (text.empty()) return analysis;
  bool indicators = text.starts_with(U"---") || text.starts_with(U"..."), special = false;
  bool break_space = false, space_break = false, edge = false;
  bool previous_space = false, previous_break = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char32_t c = text[i];
    const bool first = i == 0, last = i + 1 == text.size(), followed = is_blank_or_end(text, i + 1);
    const bool preceded = first || is_blank_or_end(text, i - 1);
    if (first && one_of(c, U"#,[]{}&*!|>'\"%@`")) indicators = true;
    if ((c == U':' || (first && (c == U'?' || c == U'-'))) && followed) indicators = true;
    if (!first && c == U'#' && preceded) indicators = true;
    if (!is_printable(c)) special = true;
    const bool line_break = is_break(c), space = c == U' ';
    analysis.multiline = analysis.multiline || line_break;
    if (line_break || space) edge = edge || first || last;
    break_space = break_space || (space && previous_break);
    space_break = space_break || (line_break && previous_space);
    previous_space = space;
    previous_break = line_break;
  }
  analysis.single_allowed = !break_space && !space_break && !special;
  analysis.plain_allowed = analysis.single_allowed && !edge && !analysis.multiline && !indicators;
  return analysis;
}

bool reads_as_string(const std::string& text) {
  return std::string_view(plain_tag(text)) == yaml_tags::kString && !is_timestamp(text);
}

void emit_scalar(EmitterOutput& out, const EmittedScalar& scalar, bool key) {
  const ScalarAnalysis analysis = analyze_scalar(scalar.text);
  const std::u32string text = decoded(scalar.text);
  const int before = out.indent();
  out.set_indent(before < 0 ? 2 : before + 2);
  if (scalar.binary && !key) {
    out.indicator("!!binary", true, false, false);
    out.put(U' ');
    write_literal(out, text);
  } else if (scalar.binary) {
    out.indicator("!!binary", true, false, false);
    write_double_quoted(out, text, false);
  } else if (analysis.plain_allowed && scalar.plain_is_same && !(text.empty() && key)) {
    write_plain(out, text, !key);
  } else if (analysis.single_allowed && !(key && analysis.multiline)) {
    write_single_quoted(out, text, !key);
  } else {
    write_double_quoted(out, text, !key);
  }
  out.set_indent(before);
}

}  // namespace attnscope
