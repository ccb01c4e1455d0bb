#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attnscope {

// The parse tree of OmegaConf's interpolation grammar: `text ${a.b[0]} ${resolver:arg, [1, 2], {k: v}}`.

struct GrammarInterpolation;

// A piece of text: a token or an interpolation.
struct GrammarPiece {
  enum class Type {
    text,           // as it is
    escaped_inter,  // \${, with half of the backslashes before it
    backslashes,    // an even number; halved before an interpolation, and at the end of a quoted text
    escape,         // \, and the like: every second character counts
    identifier,
    null,
    integer,
    floating,
    boolean,
    unquoted,
    colon,
    blanks,
    interpolation
  };
  Type type;
  std::string text;
  std::shared_ptr<const GrammarInterpolation> interpolation;
};

struct GrammarElement {
  enum class Kind { primitive, quoted, list, dict, none };
  Kind kind = Kind::none;
  std::string text;                             // as written
  std::vector<GrammarPiece> pieces;             // of a primitive or quoted text
  std::vector<GrammarElement> items;            // of a list, and the values of a dict
  std::vector<std::vector<GrammarPiece>> keys;  // of a dict
};

struct GrammarInterpolation {
  // A piece of the path of a reference: a dot, a bracket, or a key (which may be an interpolation).
  struct Step {
    enum class Type { dot, open, close, key, interpolation };
    Type type;
    std::string text;  // as written
    std::shared_ptr<const GrammarInterpolation> interpolation;
  };
  bool is_resolver = false;
  std::string text;                       // as written
  std::vector<Step> path;                 // of a reference, or the name of a resolver
  std::vector<GrammarElement> arguments;  // of a resolver
};

// ConfigKindError "GrammarParseError" that shows the text with a caret under the place.
std::vector<GrammarPiece> parse_interpolation(const std::string& text);
// One argument as it stands in a resolver call, such as "[1, a]".
GrammarElement parse_grammar_element(const std::string& text);

struct GrammarToken {
  enum class Type {
    end,
    inter_open,
    inter_close,
    brace_open,
    brace_close,
    bracket_open,
    bracket_close,
    comma,
    dot,
    key,
    quote_single,
    quote_double,
    quote_close,
    piece
  };
  Type type;
  GrammarPiece::Type piece;  // of type piece; identifiers in a path are such pieces too
  std::size_t begin, end;
};

// The tokens of a text, or of an argument.
std::vector<GrammarToken> grammar_tokens(const std::string& text, bool argument);
[[noreturn]] void grammar_error(const std::string& message, const std::string& text, std::size_t offset);

}  // namespace attnscope
