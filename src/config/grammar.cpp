#include "config/grammar.h"

#include "config/errors.h"

namespace attnscope {
namespace {

using Type = GrammarToken::Type;
using Piece = GrammarPiece::Type;
using Step = GrammarInterpolation::Step;

constexpr int kMostLevels = 100;

class Parser {
 public:
  Parser(const std::string& text, bool argument) : text_(text), tokens_(grammar_tokens(text, argument)) {}

  std::vector<GrammarPiece> parse_all_text() {
    std::vector<GrammarPiece> pieces = parse_text();
    expect_end();
    return pieces;
  }

  GrammarElement parse_single_element() {
    GrammarElement element = parse_element();
    expect_end();
    return element;
  }

 private:
  const GrammarToken& token() const { return tokens_[at_]; }
  bool is(Type type) const { return token().type == type; }
  bool is_piece(Piece piece) const { return is(Type::piece) && token().piece == piece; }
  std::string text_of(const GrammarToken& token) const { return text_.substr(token.begin, token.end - token.begin); }
  std::string since(std::size_t begin) const { return text_.substr(begin, tokens_[at_ - 1].end - begin); }
  [[noreturn]] void fail(const std::string& message) const { grammar_error(message, text_, token().begin); }
  void expect(Type type, const char* what) {
    if (!is(type)) fail(std::string("here must stand ") + what);
    ++at_;
  }
  void expect_end() const {
    if (!is(Type::end)) fail("the text should end here");
  }

  std::shared_ptr<const GrammarInterpolation> parse_interpolation() {
    if (++level_ > kMostLevels) fail("nested too deeply");
    auto node = std::make_shared<GrammarInterpolation>();
    const std::size_t begin = token().begin;
    expect(Type::inter_open, "${");
    parse_path(*node);
    if (is_piece(Piece::colon)) {
      if (!may_be_name_) fail("a reference cannot hold \":\"");
      node->is_resolver = true;
      ++at_;
      if (!is(Type::brace_close)) node->arguments = parse_sequence(Type::brace_close);
      expect(Type::brace_close, "}");
    } else {
      expect(Type::inter_close, "}");
    }
    node->text = since(begin);
    --level_;
    return node;
  }

  // Dots, then keys with dots or brackets between.
  void parse_path(GrammarInterpolation& node) {
    bool name = true;
    const auto take = [&](Step::Type type) {
      node.path.push_back({type, text_of(token()), nullptr});
      ++at_;
    };
    while (is(Type::dot)) {
      take(Step::Type::dot);
      name = false;
    }
    for (bool first = true;; first = false) {
      if (is(Type::bracket_open)) {
        name = false;
        take(Step::Type::open);
        parse_key(node, name);
        if (!is(Type::bracket_close)) fail("here must stand ]");
        take(Step::Type::close);
      } else if (first) {
        parse_key(node, name);
      } else if (is(Type::dot)) {
        take(Step::Type::dot);
        parse_key(node, name);
      } else {
        break;
      }
    }
    may_be_name_ = name;
  }

  void parse_key(GrammarInterpolation& node, bool& name) {
    if (is(Type::inter_open)) {
      const std::size_t begin = token().begin;
      auto inner = parse_interpolation();
      node.path.push_back({Step::Type::interpolation, since(begin), std::move(inner)});
    } else if (is(Type::key) || is_piece(Piece::identifier)) {
      if (is(Type::key)) name = false;
      node.path.push_back({Step::Type::key, text_of(token()), nullptr});
      ++at_;
    } else {
      fail("here must stand a key");
    }
  }

  std::vector<GrammarElement> parse_sequence(Type close) {
    std::vector<GrammarElement> elements;
    bool after_comma = true;
    while (!is(close) && !is(Type::end)) {
      if (is(Type::comma)) {
        if (after_comma) elements.emplace_back().kind = GrammarElement::Kind::quoted;  // an empty text
        after_comma = true;
        ++at_;
      } else {
        if (!after_comma) fail("here must stand a comma or the end of the arguments");
        elements.push_back(parse_element());
        after_comma = false;
      }
    }
    if (after_comma) elements.emplace_back().kind = GrammarElement::Kind::quoted;
    return elements;
  }

  GrammarElement parse_element() {
    if (++level_ > kMostLevels) fail("nested too deeply");
    GrammarElement element;
    const std::size_t begin = token().begin;
    if (is(Type::bracket_open)) {
      element.kind = GrammarElement::Kind::list;
      ++at_;
      if (!is(Type::bracket_close)) element.items = parse_sequence(Type::bracket_close);
      expect(Type::bracket_close, "]");
    } else if (is(Type::brace_open)) {
      element.kind = GrammarElement::Kind::dict;
      ++at_;
      parse_dict(element);
    } else if (is(Type::quote_single) || is(Type::quote_double)) {
      element.kind = GrammarElement::Kind::quoted;
      ++at_;
      if (!is(Type::quote_close)) element.pieces = parse_text();
      expect(Type::quote_close, "the closing quote");
    } else {
      element.kind = GrammarElement::Kind::primitive;
      element.pieces = parse_primitive(true);
    }
    element.text = since(begin);
    --level_;
    return element;
  }

  void parse_dict(GrammarElement& dict) {
    while (!is(Type::brace_close)) {
      if (!dict.keys.empty()) expect(Type::comma, "a comma or }");
      dict.keys.push_back(parse_primitive(false));
      if (!is_piece(Piece::colon)) fail("here must stand \":\"");
      ++at_;
      dict.items.push_back(parse_element());
    }
    ++at_;
  }

  // Keys of dicts hold no interpolations and no colons.
  std::vector<GrammarPiece> parse_primitive(bool value) {
    std::vector<GrammarPiece> pieces;
    for (;;) {
      if (value && is(Type::inter_open)) {
        pieces.push_back(interpolation_piece());
      } else if (is(Type::piece) && (value || token().piece != Piece::colon)) {
        pieces.push_back({token().piece, text_of(token()), nullptr});
        ++at_;
      } else {
        break;
      }
    }
    if (pieces.empty()) fail(value ? "here must stand a value" : "here must stand a key");
    return pieces;
  }

  GrammarPiece interpolation_piece() {
    const std::size_t begin = token().begin;
    auto inner = parse_interpolation();
    return {Piece::interpolation, since(begin), std::move(inner)};
  }

  std::vector<GrammarPiece> parse_text() {
    std::vector<GrammarPiece> pieces;
    while (is(Type::piece) || is(Type::inter_open)) {
      if (is(Type::inter_open)) {
        pieces.push_back(interpolation_piece());
      } else {
        pieces.push_back({token().piece, text_of(token()), nullptr});
        ++at_;
      }
    }
    return pieces;
  }

  const std::string& text_;
  std::vector<GrammarToken> tokens_;
  std::size_t at_ = 0;
  int level_ = 0;
  bool may_be_name_ = false;
};

}  // namespace

std::vector<GrammarPiece> parse_interpolation(const std::string& text) { return Parser(text, false).parse_all_text(); }

GrammarElement parse_grammar_element(const std::string& text) { return Parser(text, true).parse_single_element(); }

}  // namespace attnscope
