#include "config/scalar.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace attnscope {
namespace {

constexpr std::size_t kLongestNumber = 4300;  // as Python; longer text is text

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_digit_or_underscore(char c) { return is_digit(c) || c == '_'; }

// Reads a text from the front, piece by piece.
class Scan {
 public:
  explicit Scan(std::string_view text) : text_(text) {}
  bool done() const { return text_.empty(); }
  bool take(char c) {
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  bool take_any(std::string_view set) {
    if (text_.empty() || set.find(text_.front()) == std::string_view::npos) return false;
    text_.remove_prefix(1);
    return true;
  }
  // How many characters at the front are of the kind.
  template <class Kind>
  std::size_t take_all(const Kind& kind) {
    std::size_t count = 0;
    while (count < text_.size() && kind(text_[count])) ++count;
    text_.remove_prefix(count);
    return count;
  }
  bool starts_with_digit() const { return !text_.empty() && is_digit(text_.front()); }
  // (:[0-5]?[0-9])+
  bool take_base60() {
    bool any = false;
    while (take(':')) {
      const std::string_view before = text_;
      const std::size_t digits = take_all(is_digit);
      if (digits == 0 || digits > 2 || (digits == 2 && before.front() > '5')) return false;
      any = true;
    }
    return any;
  }
  std::string_view rest() const { return text_; }

 private:
  std::string_view text_;
};

// Digits in groups joined by single underscores.
bool well_grouped(std::string_view digits) {
  return !digits.empty() && digits.front() != '_' && digits.back() != '_' &&
         digits.find("__") == std::string_view::npos;
}

// The exponent and the end: ([eE][-+][0-9]+)?; the sign may be left out where `unsigned_too`.
bool ends_with_exponent(Scan scan, bool unsigned_too, bool optional) {
  if (scan.done()) return optional;
  if (!scan.take_any("eE")) return false;
  if (!scan.take_any("-+") && !unsigned_too) return false;
  return scan.take_all(is_digit) > 0 && scan.done();
}

bool is_decimal_float(std::string_view text) {
  Scan scan(text);
  const bool sign = scan.take_any("-+");
  if (scan.take('.'))
    return !sign && scan.starts_with_digit() && scan.take_all(is_digit_or_underscore) > 0 &&
           ends_with_exponent(scan, false, true);
  if (!scan.starts_with_digit()) return false;
  const std::string_view whole = scan.rest().substr(0, Scan(scan).take_all(is_digit_or_underscore));
  scan.take_all(is_digit_or_underscore);
  if (scan.take('.')) {
    scan.take_all(is_digit_or_underscore);
    return ends_with_exponent(scan, well_grouped(whole), true);
  }
  return well_grouped(whole) && ends_with_exponent(scan, true, false);
}

bool is_base60_float(std::string_view text) {
  Scan scan(text);
  scan.take_any("-+");
  if (!scan.starts_with_digit()) return false;
  scan.take_all(is_digit_or_underscore);
  if (!scan.take_base60() || !scan.take('.')) return false;
  scan.take_all(is_digit_or_underscore);
  return scan.done();
}

// 2, 8, 10, 16, 60; 0 when the text is no integer.
int integer_base(std::string_view text) {
  Scan scan(text);
  scan.take_any("-+");
  if (!scan.starts_with_digit()) return 0;
  if (scan.rest() == "0") return 10;
  if (scan.take('0')) {
    int base = 8;
    std::string_view allowed = "01234567_";
    if (scan.take('b')) {
      base = 2;
      allowed = "01_";
    } else if (scan.take('x')) {
      base = 16;
      allowed = "0123456789abcdefABCDEF_";
    }
    const auto kind = [allowed](char c) { return allowed.find(c) != std::string_view::npos; };
    return scan.take_all(kind) > 0 && scan.done() ? base : 0;
  }
  scan.take_all(is_digit_or_underscore);
  if (scan.done()) return 10;
  return scan.take_base60() && scan.done() ? 60 : 0;
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

// A decimal number of any size.
class Decimal {
 public:
  void multiply_add(unsigned factor, unsigned summand) {
    uint64_t carry = summand;
    for (uint32_t& limb : limbs_) {
      carry += uint64_t{limb} * factor;
      limb = static_cast<uint32_t>(carry % kBase);
      carry /= kBase;
    }
    if (carry > 0) limbs_.push_back(static_cast<uint32_t>(carry));
  }
  std::string digits() const {
    if (limbs_.empty()) return "0";
    std::string text = std::to_string(limbs_.back());
    for (std::size_t i = limbs_.size() - 1; i-- > 0;) {
      const std::string limb = std::to_string(limbs_[i]);
      text += std::string(9 - limb.size(), '0') + limb;
    }
    return text;
  }

 private:
  static constexpr uint64_t kBase = 1'000'000'000;
  std::vector<uint32_t> limbs_;  // the lowest first
};

ConfigNode integer_node(bool negative, const std::string& digits) {
  const std::string text = (negative && digits != "0" ? "-" : "") + digits;
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc()) return ConfigNode(value);
  return ConfigNode(ConfigNode::BigInteger{text});
}

double base60_float(std::string_view text) {
  double value = 0;
  for (std::size_t at = 0; at <= text.size();) {
    const auto colon = std::min(text.find(':', at), text.size());
    value = value * 60 + parse_python_float(text.substr(at, colon - at));
    at = colon + 1;
  }
  return value;
}

}  // namespace

double parse_python_float(std::string_view text) {
  std::string digits = without_underscores(text);
  digits.erase(0, std::min(digits.find_first_not_of(" \t\n\r"), digits.size()));
  digits.erase(digits.find_last_not_of(" \t\n\r") + 1);
  std::string_view rest = digits;
  const bool negative = take_sign(rest);
  if (!rest.empty() && (rest.front() == 'i' || rest.front() == 'I' || rest.front() == 'n' || rest.front() == 'N')) {
    const double special = (rest.front() | 0x20) == 'i' ? std::numeric_limits<double>::infinity()
                                                        : std::numeric_limits<double>::quiet_NaN();
    return negative ? -special : special;
  }
  double value = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (error == std::errc::result_out_of_range)
    value = std::strtod(std::string(rest).c_str(), nullptr);  // infinity or 0
  return negative ? -value : value;
}

bool is_null_text(std::string_view text) {
  return text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL";
}

std::optional<bool> parse_boolean(std::string_view text) {
  static constexpr std::array<std::string_view, 9> kTrue{"yes", "Yes", "YES", "on", "On", "ON", "true", "True", "TRUE"};
  static constexpr std::array<std::string_view, 9> kFalse{"no",  "No",    "NO",    "off",  "Off",
                                                          "OFF", "false", "False", "FALSE"};
  if (text.size() < 2 || text.size() > 5) return std::nullopt;
  if (std::find(kTrue.begin(), kTrue.end(), text) != kTrue.end()) return true;
  if (std::find(kFalse.begin(), kFalse.end(), text) != kFalse.end()) return false;
  return std::nullopt;
}

std::optional<ConfigNode> parse_integer(std::string_view text) {
  if (text.size() > kLongestNumber) return std::nullopt;
  const int base = integer_base(text);
  if (base == 0) return std::nullopt;
  const bool negative = take_sign(text);
  std::string digits = without_underscores(text);
  if (base == 2 || base == 16) digits.erase(0, 2);
  if (digits.empty()) return std::nullopt;  // only underscores
  if (base == 10) return integer_node(negative, digits);
  Decimal value;
  unsigned part = 0;
  for (const char c : digits + (base == 60 ? ":" : "")) {
    const auto digit = static_cast<unsigned>(is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
    if (base != 60) {
      value.multiply_add(static_cast<unsigned>(base), digit);
    } else if (c != ':') {
      part = part * 10 + digit;
    }
    if (c == ':') {
      value.multiply_add(60, part);
      part = 0;
    }
  }
  return integer_node(negative, value.digits());
}

std::optional<double> parse_float(std::string_view text) {
  if (text.size() > kLongestNumber || text.empty()) return std::nullopt;
  if (text == ".nan" || text == ".NaN" || text == ".NAN") return std::numeric_limits<double>::quiet_NaN();
  std::string_view rest = text;
  const double sign = take_sign(rest) ? -1 : 1;
  if (rest == ".inf" || rest == ".Inf" || rest == ".INF") return sign * std::numeric_limits<double>::infinity();
  if (is_decimal_float(text)) return sign * parse_python_float(rest);
  if (is_base60_float(text)) return sign * base60_float(rest);
  return std::nullopt;
}

ConfigNode parse_plain_scalar(const std::string& text) {
  ConfigNode node;
  const auto maybe_number = [&] { return is_digit(text[0]) || text[0] == '-' || text[0] == '+' || text[0] == '.'; };
  if (const auto boolean = parse_boolean(text)) {
    node = *boolean;
  } else if (is_null_text(text)) {
  } else if (!maybe_number()) {
    node = text;
  } else if (const auto floating = parse_float(text)) {
    node = *floating;
  } else if (auto integer = parse_integer(text)) {
    node = std::move(*integer);
  } else {
    node = text;
  }
  node.set_text(text);
  return node;
}

}  // namespace attnscope
