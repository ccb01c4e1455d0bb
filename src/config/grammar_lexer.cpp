#include <algorithm>
#include <cctype>

#include "config/errors.h"
#include "config/grammar.h"

namespace attnscope {
namespace {

using Type = GrammarToken::Type;
using Piece = GrammarPiece::Type;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_blank(char c) { return c == ' ' || c == '\t'; }

// In each mode the longest token wins, and of equally long ones the first.
class Lexer {
 public:
  Lexer(const std::string& text, bool argument) : text_(text), modes_{argument ? Mode::value : Mode::top} {}

  std::vector<GrammarToken> run() {
    while (at_ < text_.size()) {
      switch (modes_.back()) {
        case Mode::top: lex_text('\0'); break;
        case Mode::single_quoted: lex_text('\''); break;
        case Mode::double_quoted: lex_text('"'); break;
        case Mode::path: lex_path(); break;
        case Mode::value: lex_value(); break;
      }
    }
    tokens_.push_back({Type::end, Piece::text, at_, at_});
    return std::move(tokens_);
  }

 private:
  enum class Mode { top, path, value, single_quoted, double_quoted };

  char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }
  std::size_t after_blanks(std::size_t i) const {
    while (is_blank(at(i))) ++i;
    return i;
  }
  void push(Type type, std::size_t end) { emit(type, Piece::text, end); }
  void push_piece(Piece piece, std::size_t end) { emit(Type::piece, piece, end); }
  void emit(Type type, Piece piece, std::size_t end) {
    tokens_.push_back({type, piece, at_, end});
    at_ = end;
  }
  void pop_mode() {
    if (modes_.size() == 1) grammar_error("there is nothing that this closes", text_, at_);
    modes_.pop_back();
  }
  bool opens_interpolation() const { return at(at_) == '$' && at(at_ + 1) == '{'; }
  void open_interpolation() {
    push(Type::inter_open, after_blanks(at_ + 2));
    modes_.push_back(Mode::path);
  }

  // Text at the top or in quotes.
  void lex_text(char quote) {
    if (opens_interpolation()) return open_interpolation();
    if (quote && text_[at_] == quote) {
      push(Type::quote_close, at_ + 1);
      return pop_mode();
    }
    if (text_[at_] == '$') return push_piece(Piece::text, at_ + 1);
    std::size_t end = at_;
    while (end < text_.size() && text_[end] != '$' && !(quote && text_[end] == quote)) ++end;
    std::size_t slashes = end;
    while (slashes > at_ && text_[slashes - 1] == '\\') --slashes;
    if (slashes > at_) return push_piece(Piece::text, slashes);  // all but the backslashes at its end
    const bool odd = (end - at_) % 2 == 1;
    if (odd && at(end) == '$' && at(end + 1) == '{') return push_piece(Piece::escaped_inter, end + 2);
    if (odd && quote && at(end) == quote) return push_piece(Piece::escape, end + 1);
    push_piece(odd ? Piece::text : Piece::backslashes, end);
  }

  // Between ${ and }, up to the colon of a resolver.
  void lex_path() {
    if (opens_interpolation()) return open_interpolation();
    const std::size_t token = after_blanks(at_);
    if (at(token) == ':') {
      modes_.back() = Mode::value;
      return push_piece(Piece::colon, after_blanks(token + 1));
    }
    if (at(token) == '}') {
      push(Type::inter_close, token + 1);
      return pop_mode();
    }
    switch (at(at_)) {
      case '.': return push(Type::dot, at_ + 1);
      case '[': return push(Type::bracket_open, at_ + 1);
      case ']': return push(Type::bracket_close, at_ + 1);
      default: break;
    }
    const std::size_t id = identifier_end(at_);
    std::size_t key = at_;
    for (; key < text_.size(); ++key) {
      if (text_[key] == '\\') {
        if (std::string_view("\\.[]:=").find(at(key + 1)) == std::string_view::npos || key + 1 >= text_.size()) break;
        ++key;
      } else if (std::string_view("{}()[]:. \t'\"").find(text_[key]) != std::string_view::npos) {
        break;
      }
    }
    if (key == at_) grammar_error("a key cannot hold this", text_, at_);
    if (id == key) return push_piece(Piece::identifier, id);
    push(Type::key, key);
  }

  std::size_t identifier_end(std::size_t i) const {
    if (!is_letter(at(i))) return i;
    while (is_letter(at(i)) || is_digit(at(i)) || at(i) == '-') ++i;
    return i;
  }

  // The arguments of a resolver.
  void lex_value() {
    if (opens_interpolation()) return open_interpolation();
    const std::size_t token = after_blanks(at_);
    switch (at(token)) {
      case ',': return push(Type::comma, after_blanks(token + 1));
      case ':': return push_piece(Piece::colon, after_blanks(token + 1));
      case ']': return push(Type::bracket_close, token + 1);
      case '}': push(Type::brace_close, token + 1); return pop_mode();
      default: break;
    }
    if (token > at_) return push_piece(Piece::blanks, token);
    switch (text_[at_]) {
      case '[': return push(Type::bracket_open, after_blanks(at_ + 1));
      case '{':
        push(Type::brace_open, after_blanks(at_ + 1));
        modes_.push_back(Mode::value);
        return;
      case '\'':
        push(Type::quote_single, at_ + 1);
        modes_.push_back(Mode::single_quoted);
        return;
      case '"':
        push(Type::quote_double, at_ + 1);
        modes_.push_back(Mode::double_quoted);
        return;
      default: break;
    }
    lex_literal();
  }

  void lex_literal() {
    struct Candidate {
      Piece piece;
      std::size_t end;
    };
    const std::size_t id = identifier_end(at_), number = integer_end(sign_end());
    std::size_t escape = at_;
    while (at(escape) == '\\' && escape + 1 < text_.size() &&
           std::string_view("\\()[]{}:=, \t").find(text_[escape + 1]) != std::string_view::npos)
      escape += 2;
    const bool unquoted = std::string_view("/-\\+.$%*@?|").find(text_[at_]) != std::string_view::npos;
    const Candidate candidates[] = {{Piece::floating, float_end()},
                                    {Piece::integer, number},
                                    {Piece::boolean, std::max(word_end("true"), word_end("false"))},
                                    {Piece::null, word_end("null")},
                                    {Piece::unquoted, unquoted ? at_ + 1 : at_},
                                    {Piece::identifier, id},
                                    {Piece::escape, escape}};
    Candidate best{Piece::text, at_};
    for (const Candidate& candidate : candidates)
      if (candidate.end > best.end) best = candidate;
    if (best.end == at_) {
      grammar_error("an argument cannot hold this", text_, at_);
    }
    push_piece(best.piece, best.end);
  }

  std::size_t sign_end() const { return at(at_) == '-' || at(at_) == '+' ? at_ + 1 : at_; }

  // 0 | [1-9] (_? digit)*; `at_` when there is none.
  std::size_t integer_end(std::size_t i) const {
    if (at(i) == '0') return i + 1;
    return is_digit(at(i)) ? digits_end(i) : at_;
  }
  // digit (_? digit)*
  std::size_t digits_end(std::size_t i) const {
    while (is_digit(at(i)) || (at(i) == '_' && is_digit(at(i + 1)))) ++i;
    return i;
  }
  std::size_t word_end(std::string_view word, std::size_t from) const {
    for (std::size_t k = 0; k < word.size(); ++k)
      if (std::tolower(static_cast<unsigned char>(at(from + k))) != word[k]) return at_;
    return from + word.size();
  }
  std::size_t word_end(std::string_view word) const { return word_end(word, at_); }

  std::size_t float_end() const {
    const std::size_t begin = sign_end();
    std::size_t best = std::max(word_end("inf", begin), word_end("nan", begin));
    const std::size_t whole = integer_end(begin);
    std::size_t mantissa = whole;  // where an exponent may begin
    const std::size_t point = whole > at_ && whole > begin ? whole : begin;
    if (at(point) == '.') {
      if (is_digit(at(point + 1))) {
        mantissa = digits_end(point + 1);
        best = std::max(best, mantissa);
      } else if (point > begin) {
        mantissa = point + 1;
        best = std::max(best, mantissa);
      }
    }
    if (mantissa > begin && (at(mantissa) == 'e' || at(mantissa) == 'E')) {
      std::size_t exponent = mantissa + 1;
      if (at(exponent) == '-' || at(exponent) == '+') ++exponent;
      if (is_digit(at(exponent))) best = std::max(best, digits_end(exponent));
    }
    return best;
  }

  const std::string& text_;
  std::size_t at_ = 0;
  std::vector<Mode> modes_;
  std::vector<GrammarToken> tokens_;
};

}  // namespace

std::vector<GrammarToken> grammar_tokens(const std::string& text, bool argument) { return Lexer(text, argument).run(); }

void grammar_error(const std::string& message, const std::string& text, std::size_t offset) {
  // The caret stands under a character, not a byte; of a text of several lines only the line is shown.
  offset = std::min(offset, text.size());
  const std::size_t begin = text.rfind('\n', offset == 0 ? 0 : offset - 1) + 1;
  const std::size_t first = begin > offset ? 0 : begin;
  const auto columns =
      std::count_if(text.begin() + static_cast<std::ptrdiff_t>(first),
                    text.begin() + static_cast<std::ptrdiff_t>(offset), [](char c) { return (c & 0xC0) != 0x80; });
  const std::string line = text.substr(first, text.find('\n', offset) - first);
  throw ConfigKindError("GrammarParseError", "this interpolation cannot be read: " + message, {},
                        line + "\n  " + std::string(static_cast<std::size_t>(columns), ' ') + "^");
}

}  // namespace attnscope
