#include "config/scalar.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <regex>

namespace attnscope {
namespace {

constexpr std::size_t kLongestNumber = 200;  // longer text is text; std::regex recurses once a character

bool matches(std::string_view text, const std::regex& pattern) {
  return std::regex_match(text.begin(), text.end(), pattern);
}

std::string without_underscores(std::string_view text) {
  std::string plain(text);
  plain.erase(std::remove(plain.begin(), plain.end(), '_'), plain.end());
  return plain;
}

// Takes a sign off the front; true when it was a minus.
bool take_sign(std::string_view& text) {
  const bool negative = !text.empty() && text.front() == '-';
  if (negative || (!text.empty() && text.front() == '+')) text.remove_prefix(1);
  return negative;
}

// "1:30:15" in base 60; the parts are plain digits.
double base60(std::string_view text) {
  double value = 0;
  for (std::size_t at = 0; at <= text.size();) {
    const auto colon = std::min(text.find(':', at), text.size());
    value = value * 60 + std::stod(std::string(text.substr(at, colon - at)));
    at = colon + 1;
  }
  return value;
}

std::optional<ConfigNode> integer_node(bool negative, const std::string& digits, int base) {
  const auto with_sign = [negative](std::string number) {
    if (negative) number.insert(number.begin(), '-');
    return number;
  };
  const std::string text = with_sign(digits);
  int64_t value = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), value, base).ec == std::errc()) return ConfigNode(value);
  if (base == 10) return ConfigNode(ConfigNode::BigInteger{text});
  uint64_t large = 0;
  if (std::from_chars(digits.data(), digits.data() + digits.size(), large, base).ec != std::errc()) return std::nullopt;
  return ConfigNode(ConfigNode::BigInteger{with_sign(std::to_string(large))});
}

}  // namespace

bool is_null_text(std::string_view text) {
  return text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL";
}

std::optional<bool> parse_boolean(std::string_view text) {
  static constexpr std::array<std::string_view, 9> kTrue{"yes", "Yes", "YES", "on", "On", "ON", "true", "True", "TRUE"};
  static constexpr std::array<std::string_view, 9> kFalse{"no",  "No",    "NO",    "off",  "Off",
                                                          "OFF", "false", "False", "FALSE"};
  if (std::find(kTrue.begin(), kTrue.end(), text) != kTrue.end()) return true;
  if (std::find(kFalse.begin(), kFalse.end(), text) != kFalse.end()) return false;
  return std::nullopt;
}

std::optional<ConfigNode> parse_integer(std::string_view text) {
  static const std::regex kDecimal("[-+]?(0|[1-9][0-9_]*)"), kBinary("[-+]?0b[01_]+"), kOctal("[-+]?0[0-7_]+"),
      kHex("[-+]?0x[0-9a-fA-F_]+"), kBase60("[-+]?[1-9][0-9_]*(:[0-5]?[0-9])+");
  if (text.size() > kLongestNumber) return std::nullopt;
  const bool sixty = matches(text, kBase60);
  const int base = matches(text, kBinary) ? 2 : matches(text, kHex) ? 16 : matches(text, kOctal) ? 8 : 10;
  if (!sixty && base == 10 && !matches(text, kDecimal)) return std::nullopt;
  const bool negative = take_sign(text);
  std::string digits = without_underscores(text);
  if (sixty) return ConfigNode(static_cast<int64_t>((negative ? -1 : 1) * base60(digits)));
  if (base == 2 || base == 16) digits.erase(0, 2);
  if (digits.empty()) return std::nullopt;  // only underscores
  return integer_node(negative, digits, base);
}

std::optional<double> parse_float(std::string_view text) {
  // YAML 1.1's forms, then those that OmegaConf adds (an exponent without a dot or without a sign).
  static const std::regex kForms(
      "[-+]?[0-9][0-9_]*\\.[0-9_]*([eE][-+]?[0-9]+)?|\\.[0-9][0-9_]*([eE][-+][0-9]+)?|"
      "[-+]?[0-9]+(_[0-9]+)*[eE][-+]?[0-9]+");
  static const std::regex kBase60("[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+\\.[0-9_]*");
  static const std::regex kInfinite("[-+]?\\.(inf|Inf|INF)"), kNan("\\.(nan|NaN|NAN)");
  if (text.size() > kLongestNumber) return std::nullopt;
  if (matches(text, kNan)) return std::numeric_limits<double>::quiet_NaN();
  const bool infinite = matches(text, kInfinite), sixty = matches(text, kBase60);
  if (!infinite && !sixty && !matches(text, kForms)) return std::nullopt;
  const double sign = take_sign(text) ? -1 : 1;
  if (infinite) return sign * std::numeric_limits<double>::infinity();
  const std::string digits = without_underscores(text);
  if (sixty) return sign * base60(digits);
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range) value = std::strtod(digits.c_str(), nullptr);  // infinity or zero
  return sign * value;
}

ConfigNode parse_plain_scalar(const std::string& text) {
  ConfigNode node;
  if (const auto boolean = parse_boolean(text)) {
    node = *boolean;
  } else if (const auto floating = parse_float(text)) {
    node = *floating;
  } else if (auto integer = parse_integer(text)) {
    node = std::move(*integer);
  } else if (!is_null_text(text)) {
    node = text;
  }
  node.set_text(text);
  return node;
}

}  // namespace attnscope
