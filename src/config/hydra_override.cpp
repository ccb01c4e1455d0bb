#include "config/hydra_override.h"

#include <algorithm>

#include "config/errors.h"
#include "config/grammar.h"
#include "config/merge.h"
#include "config/python_text.h"
#include "config/resolve.h"
#include "config/scalar.h"

namespace attnscope {
namespace {

using Type = HydraOverride::Type;

[[noreturn]] void parse_error(const std::string& message, const std::string& text, std::size_t offset) {
  const auto columns = std::count_if(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset),
                                     [](char c) { return (c & 0xC0) != 0x80; });
  throw ConfigKindError("OverrideParseException", message, {"command line"},
                        text + "\n  " + std::string(static_cast<std::size_t>(columns), ' ') + "^");
}

ConfigKindError composition_error(const std::string& message, const std::string& hint = {}) {
  return {"ConfigCompositionException", message, {"command line"}, hint};
}

// References stay as they are written.
std::string text_of(const std::vector<GrammarPiece>& pieces) {
  using Piece = GrammarPiece::Type;
  std::string text;
  for (const GrammarPiece& piece : pieces) {
    if (piece.type == Piece::escape) {
      for (std::size_t k = 1; k < piece.text.size(); k += 2) text += piece.text[k];
    } else {
      text += piece.text;
    }
  }
  return text;
}

ConfigNode primitive(const std::vector<GrammarPiece>& pieces) {
  using Piece = GrammarPiece::Type;
  if (pieces.size() == 1) {
    const std::string& text = pieces[0].text;
    if (pieces[0].type == Piece::null) return {};
    if (pieces[0].type == Piece::boolean) return text.size() == 4;
    if (pieces[0].type == Piece::floating) return parse_python_float(text);
    if (pieces[0].type == Piece::integer) return *parse_integer(*python_int(text));
  }
  return text_of(pieces);
}

// Backslashes count double before a quote and at the end.
std::string quoted_text(const std::string& spelled) {
  const char quote = spelled.front();
  const std::string inside = spelled.substr(1, spelled.size() - 2);
  std::string text;
  for (std::size_t i = 0; i < inside.size();) {
    std::size_t slashes = 0;
    while (i + slashes < inside.size() && inside[i + slashes] == '\\') ++slashes;
    const std::size_t next = i + slashes;
    const bool before_quote = next == inside.size() || inside[next] == quote;
    text.append(before_quote ? slashes / 2 : slashes, '\\');
    if (next < inside.size()) text += inside[next];
    i = next + 1;
  }
  return text;
}

ConfigNode value_of(const GrammarElement& element) {
  switch (element.kind) {
    case GrammarElement::Kind::list: {
      ConfigNode::List items;
      for (const GrammarElement& item : element.items) items.push_back(value_of(item));
      return items;
    }
    case GrammarElement::Kind::dict: {
      ConfigNode dict{ConfigNode::Dict{}};
      for (std::size_t i = 0; i < element.items.size(); ++i) {
        const ConfigNode key = primitive(element.keys[i]);
        ConfigKey name = python_str(key);
        if (key.kind() == ConfigNode::Kind::integer) name = ConfigKey::integer(key.digits());
        if (key.kind() == ConfigNode::Kind::floating) name = ConfigKey::floating(key.as_float());
        if (key.kind() == ConfigNode::Kind::boolean) name = ConfigKey::boolean(key.as_bool());
        dict.set(name, value_of(element.items[i]));
      }
      return dict;
    }
    case GrammarElement::Kind::quoted: return element.text.empty() ? std::string() : quoted_text(element.text);
    default: return primitive(element.pieces);
  }
}

bool is_key_character(unsigned char c) {
  return std::isalnum(c) || c >= 0x80 ||
         std::string_view("_-./$:@[]+%*?|").find(static_cast<char>(c)) != std::string_view::npos;
}

ConfigNode parse_value(const std::string& text, std::size_t begin) {
  const std::string value = text.substr(begin);
  if (value.empty()) return "";
  try {
    return value_of(parse_grammar_element(value));
  } catch (const ConfigKindError& error) {
    // The last line of the hint is the caret under the value.
    const std::size_t caret = error.hint().size() - error.hint().rfind('\n') - 4;
    parse_error("no viable alternative at input " + python_quoted(value.substr(0, caret + 1)), text,
                std::min(begin + caret, text.size()));
  }
}

void remove_key(ConfigNode& root, const HydraOverride& override) {
  ConfigResolver resolver(root);
  const ConfigCursor found = resolver.select(resolver.root(), override.key);
  if (!found || found->is_null() || found->is_missing()) {
    throw composition_error("Could not delete from config. '" + override.key + "' does not exist.");
  }
  if (override.value && !override.value->is_null() && !(*override.value == resolver.to_plain(found, true))) {
    throw composition_error("Could not delete from config. The value of '" + override.key + "' is " +
                            python_str(resolver.to_plain(found, false)) + " and not " + python_str(*override.value) +
                            ".");
  }
  ConfigEditor(root).remove(override.key);
}

void apply(ConfigNode& root, const HydraOverride& override) {
  if (override.package) {
    throw composition_error("Override " + override.text + " looks like a config group override, but config group '" +
                            override.key + "' does not exist.");
  }
  if (override.type == Type::remove) return remove_key(root, override);
  const ConfigNode value = override.value.value_or(ConfigNode());
  if (override.type == Type::add && value.is_scalar()) {
    ConfigResolver resolver(root);
    const ConfigCursor found = resolver.select(resolver.root(), override.key);
    if (found && !found->is_null() && !found->is_missing()) {
      const std::string bare = override.text.substr(1);
      throw composition_error("Could not append to config. An item is already at '" + override.key +
                              "'.\nEither remove + prefix: '" + bare + "'\nOr add a second + to add or override '" +
                              override.key + "': '+" + override.text + "'\n");
    }
  }
  ConfigEditor editor(root);
  if (override.type != Type::change) return editor.update(override.key, value, {.merge = true, .force_add = true});
  try {
    editor.update(override.key, value);
  } catch (const ConfigKindError& error) {
    if (error.kind() != "ConfigKeyError" && error.kind() != "ConfigAttributeError") throw;
    throw composition_error("Could not override '" + override.key + "'.\nTo append to your config use +" +
                            override.text);
  }
}

}  // namespace

HydraOverride parse_hydra_override(const std::string& text) {
  HydraOverride override;
  override.text = text;
  std::size_t at = 0;
  if (text.starts_with("~")) {
    override.type = Type::remove;
    at = 1;
  } else if (text.starts_with("++")) {
    override.type = Type::force_add;
    at = 2;
  } else if (text.starts_with("+")) {
    override.type = Type::add;
    at = 1;
  }
  const std::size_t equals = std::min(text.find('=', at), text.size());
  for (std::size_t i = at; i < equals; ++i)
    if (!is_key_character(static_cast<unsigned char>(text[i])))
      parse_error("LexerNoViableAltException: " + text, text, i);
  override.key = text.substr(at, equals - at);
  if (const auto package = override.key.find('@'); package != std::string::npos) {
    override.package = override.key.substr(package + 1);
    override.key.erase(package);
  }
  if (override.key.empty()) parse_error("LexerNoViableAltException: " + text, text, at);
  if (equals < text.size()) {
    override.value = parse_value(text, equals + 1);
  } else if (override.type != Type::remove) {
    parse_error("missing EQUAL at '<EOF>'", text, text.size());
  }
  return override;
}

void apply_hydra_overrides(ConfigNode& root, const std::vector<HydraOverride>& overrides) {
  root.set_flag(ConfigNode::Flag::struct_, true);
  for (const HydraOverride& override : overrides) {
    try {
      apply(root, override);
    } catch (const ConfigKindError& error) {
      if (!error.is_omegaconf_error()) throw;
      throw composition_error("Error merging override " + override.text, error.message());
    }
  }
}

}  // namespace attnscope
