#include "config/yaml_spelling.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "config/dump.h"
#include "config/emit_scalar.h"
#include "config/python_text.h"
#include "config/writer.h"

namespace attnscope {
namespace {

using Style = YamlNode::Style;

constexpr std::size_t kLongestLine = 100;  // of a list in one line

// Whether the plain text stands for itself there: asked of the parser, which knows best.
bool plain_is_same(const std::string& text, bool flow, bool key) {
  if (text.empty() || text.find('\n') != std::string::npos) return false;
  try {
    const std::string around =
        key ? (flow ? "{" + text + ": x}" : text + ": x\n") : (flow ? "[" + text + "]" : "k: " + text + "\n");
    const YamlSource source(around, "");
    const YamlDocument document(source);
    const YamlNode* root = document.root();
    if (!root) return false;
    const YamlNode* scalar = nullptr;
    if (root->entries.size() == 1) scalar = key ? root->entries[0].first.node : root->entries[0].second.node;
    if (root->items.size() == 1) scalar = root->items[0].node;
    return scalar && scalar->kind == YamlNode::Kind::scalar && scalar->style == Style::plain && scalar->value == text &&
           scalar->tag == yaml_tags::kString && scalar->start.index == scalar->content.index;
  } catch (const ConfigKindError&) {
    return false;
  }
}

std::string single_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "''" : std::string(1, c);
  return out + "'";
}

std::string spell_text(const ConfigNode& value, const YamlPlace& place) {
  const std::string text = (value.is_literal() ? "\\" : "") + value.as_string();
  const Style style = place.like ? place.like->style : Style::plain;
  const ScalarAnalysis analysis = analyze_scalar(text);
  const bool single = analysis.single_allowed && !analysis.multiline;
  if (style == Style::single_quoted && single && !place.json) return single_quoted(text);
  const bool quoted = style == Style::single_quoted || style == Style::double_quoted;
  if (!quoted && !place.json && plain_is_same(text, place.flow, false)) return text;
  return double_quoted(text);
}

// The digits and the exponent of the shortest decimal number.
std::pair<std::string, int> decimal_parts(double value) {
  char buffer[40];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, std::fabs(value), std::chars_format::scientific).ptr;
  const std::string text(buffer, end);
  const auto e = text.find('e');
  std::string digits = text.substr(0, 1) + (e > 2 ? text.substr(2, e - 2) : "");
  return {digits, std::stoi(text.substr(e + 1))};
}

// With an exponent, in the form of `like`: 3e-5, 1.e-4, 1.0e-05.
std::string exponent_form(double value, const std::string& like) {
  const auto [digits, exponent] = decimal_parts(value);
  const auto e = like.find_first_of("eE");
  const std::string mantissa = like.substr(0, e);
  std::string out = value < 0 ? "-" : "";
  out += digits.substr(0, 1);
  if (digits.size() > 1) {
    out += "." + digits.substr(1);
  } else if (const auto point = mantissa.find('.'); point != std::string::npos) {
    out += point + 1 < mantissa.size() ? ".0" : ".";
  }
  std::string size = std::to_string(std::abs(exponent));
  const auto like_digits = like.find_first_of("0123456789", e);
  const std::size_t width = like_digits == std::string::npos ? 1 : like.size() - like_digits;
  if (like[like_digits] == '0' && size.size() < width) size.insert(0, width - size.size(), '0');
  const bool plus = e + 1 < like.size() && like[e + 1] == '+';
  return out + like[e] + (exponent < 0 ? "-" : plus ? "+" : "") + size;
}

std::string spell_float(double value, const YamlPlace& place) {
  if (std::isfinite(value) && value != 0) {
    const bool number = place.like && place.like->style == Style::plain && place.like->tag == yaml_tags::kFloat;
    const std::string like = number ? place.like->value : "";
    if (like.find_first_of("eE") != std::string::npos) return exponent_form(value, like);
    const std::string decimal = python_float(value);
    const std::string shorter = exponent_form(value, "1e-5");
    if (place.short_exponents && std::fabs(value) < 1 && shorter.size() < decimal.size()) return shorter;
  }
  return scalar_to_yaml(ConfigNode(value));
}

std::string spell_boolean(bool value, const YamlPlace& place) {
  static constexpr std::pair<const char*, const char*> kWords[] = {
      {"true", "false"}, {"True", "False"}, {"TRUE", "FALSE"}, {"yes", "no"}, {"Yes", "No"},
      {"YES", "NO"},     {"on", "off"},     {"On", "Off"},     {"ON", "OFF"}};
  if (place.like)
    for (const auto& [yes, no] : kWords)
      if (place.like->value == yes || place.like->value == no) return value ? yes : no;
  return value ? "true" : "false";
}

}  // namespace

std::string spell_key(const ConfigKey& key, const YamlPlace& place) {
  if (place.json) return double_quoted(key.text());
  if (key.kind() == ConfigKey::Kind::bytes) return "!!binary " + double_quoted(encode_base64(key.text()));
  if (!key.is_string())
    return key.kind() == ConfigKey::Kind::boolean ? (key.number() != 0 ? "true" : "false") : key.text();
  const Style style = place.like ? place.like->style : Style::plain;
  const ScalarAnalysis analysis = analyze_scalar(key.text());
  if (style == Style::single_quoted && analysis.single_allowed && !analysis.multiline) return single_quoted(key.text());
  const bool plain = style != Style::double_quoted && plain_is_same(key.text(), place.flow, true);
  return plain ? key.text() : double_quoted(key.text());
}

std::string spell_value(const ConfigNode& value, const YamlPlace& place) {
  const YamlPlace inside{true, nullptr, place.short_exponents, place.json};
  switch (value.kind()) {
    case ConfigNode::Kind::string: return spell_text(value, place);
    case ConfigNode::Kind::floating:
      // What was typed stays as it was typed.
      return value.has_text() ? value.text() : spell_float(value.as_float(), place);
    case ConfigNode::Kind::boolean: return value.has_text() ? value.text() : spell_boolean(value.as_bool(), place);
    case ConfigNode::Kind::list: {
      std::string out = "[";
      for (const ConfigNode& item : value.items()) out += (out.size() > 1 ? ", " : "") + spell_value(item, inside);
      return out + "]";
    }
    case ConfigNode::Kind::dict: {
      std::string out = "{";
      for (const auto& [key, item] : value.members())
        out += (out.size() > 1 ? ", " : "") + spell_key(key, inside) + ": " + spell_value(item, inside);
      return out + "}";
    }
    case ConfigNode::Kind::integer: return value.has_text() ? value.text() : value.digits();
    default: return scalar_to_yaml(value);
  }
}

std::string spell_block(const ConfigNode& value, const YamlBlock& block, const YamlPlace& place) {
  const YamlPlace inside{false, nullptr, place.short_exponents, place.json};
  const std::string next_line = block.newline + std::string(block.column, ' ');
  std::string out;
  // A dict or list that goes on below; "" for what stands in one line.
  const auto below = [&](const ConfigNode& node, std::size_t column) {
    const bool lines = node.is_dict()   ? !node.members().empty()
                       : node.is_list() ? spell_value(node, inside).size() > kLongestLine
                                        : false;
    return lines ? spell_block(node, {column, block.step, block.newline}, inside) : std::string();
  };
  if (value.is_dict()) {
    for (const auto& [key, item] : value.members()) {
      out += (out.empty() ? "" : next_line) + spell_key(key, inside) + ":";
      const std::size_t column = block.column + block.step;
      const std::string lines = below(item, column);
      out += lines.empty() ? " " + spell_value(item, inside) : block.newline + std::string(column, ' ') + lines;
    }
  } else {
    for (const ConfigNode& item : value.items()) {
      const std::string lines = below(item, block.column + 2);
      out += (out.empty() ? "- " : next_line + "- ") +
             (lines.empty() ? spell_value(item, {false, place.like, place.short_exponents, place.json}) : lines);
    }
  }
  return out;
}

}  // namespace attnscope
