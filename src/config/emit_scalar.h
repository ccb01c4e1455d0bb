#pragma once
#include <string>
#include <string_view>

namespace attnscope {

// What libyaml's emitter keeps of where it is in the text.
class EmitterOutput {
 public:
  int indent() const { return indent_; }
  void set_indent(int indent) { indent_ = indent; }
  void deepen() { indent_ = indent_ < 0 ? 0 : indent_ + 2; }
  int column() const { return column_; }
  bool indention() const { return indention_; }
  bool whitespace() const { return whitespace_; }
  void set_state(bool whitespace, bool indention) {
    whitespace_ = whitespace;
    indention_ = indention;
  }

  void write_indent();
  void indicator(std::string_view text, bool needs_whitespace, bool is_whitespace, bool is_indention);
  void put(char32_t character);
  void put(std::string_view ascii);
  void line_break();
  void finish_line() {
    if (column_ > 0) line_break();
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
  int indent_ = -1;
  int column_ = 0;
  bool whitespace_ = true;  // the last character was a blank
  bool indention_ = true;   // the line holds only indentation and indicators
};

struct EmittedScalar {
  std::string text;
  bool plain_is_same = true;  // without quotes it reads back as what it is
  bool binary = false;
};

// Which of the styles can hold a text.
struct ScalarAnalysis {
  bool multiline = false;
  bool plain_allowed = true;  // in block style
  bool single_allowed = true;
};
ScalarAnalysis analyze_scalar(std::string_view text);

// Whether PyYAML, without OmegaConf's changes, reads the plain text as a string: dates are none.
bool reads_as_string(const std::string& text);

void emit_scalar(EmitterOutput& out, const EmittedScalar& scalar, bool key);

}  // namespace attnscope
