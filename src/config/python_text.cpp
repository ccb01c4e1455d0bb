#include "config/python_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace attnscope {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\n\r\f\v");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\n\r\f\v") - begin + 1);
}

// Takes "12_34" off the front of `text` into `out`; false when it does not start with such digits.
bool take_digits(std::string_view& text, std::string& out) {
  if (text.empty() || !is_digit(text.front())) return false;
  while (!text.empty()) {
    if (is_digit(text.front())) {
      out += text.front();
      text.remove_prefix(1);
    } else if (text.front() == '_' && text.size() > 1 && is_digit(text[1])) {
      text.remove_prefix(1);
    } else {
      break;
    }
  }
  return true;
}

// C0 and C1 controls, and the separators, which Python's repr() escapes too.
std::string escaped_code(uint32_t code) {
  char buffer[16];
  std::snprintf(buffer, sizeof buffer, code < 0x100 ? "\\x%02x" : "\\u%04x", code);
  return buffer;
}

std::string quoted_with(const std::string& text, bool bytes) {
  const char quote = text.find('\'') != std::string::npos && text.find('"') == std::string::npos ? '"' : '\'';
  std::string out(1, quote);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c == static_cast<unsigned char>(quote) || c == '\\') {
      out += '\\';
      out += text[i];
    } else if (c == '\n' || c == '\r' || c == '\t') {
      out += c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t";
    } else if (c < 0x20 || c == 0x7F || (bytes && c >= 0x80)) {
      out += escaped_code(c);
    } else if (!bytes && c == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) <= 0xA0) {
      out += escaped_code(static_cast<unsigned char>(text[++i]));
    } else {
      out += text[i];
    }
  }
  return out + quote;
}

}  // namespace

std::string python_float(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char buffer[40];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific).ptr;
  const std::string_view text(buffer, static_cast<std::size_t>(end - buffer));
  const auto e = text.find('e');
  const int exponent = std::stoi(std::string(text.substr(e + 1)));
  std::string digits(text.substr(0, e));
  const bool negative = digits.front() == '-';
  if (negative) digits.erase(0, 1);
  if (digits.size() > 1) digits.erase(1, 1);  // the point
  std::string out;
  const int count = static_cast<int>(digits.size());
  if (exponent < -4 || exponent >= 16) {
    out = digits.substr(0, 1);
    if (count > 1) out += "." + digits.substr(1);
    const int size = std::abs(exponent);
    out += exponent < 0 ? "e-" : "e+";
    out += (size < 10 ? "0" : "") + std::to_string(size);
  } else if (exponent < 0) {
    out = "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  } else if (exponent + 1 >= count) {
    out = digits + std::string(static_cast<std::size_t>(exponent + 1 - count), '0') + ".0";
  } else {
    out = digits.substr(0, static_cast<std::size_t>(exponent) + 1) + "." +
          digits.substr(static_cast<std::size_t>(exponent) + 1);
  }
  return negative ? "-" + out : out;
}

std::string python_quoted(const std::string& text) { return quoted_with(text, false); }
std::string python_bytes(const std::string& bytes) { return "b" + quoted_with(bytes, true); }

std::string python_repr(const ConfigKey& key) {
  if (key.is_string()) return python_quoted(key.text());
  return key.kind() == ConfigKey::Kind::bytes ? python_bytes(key.text()) : key.text();
}

std::string python_repr(const ConfigNode& node) {
  if (node.kind() == ConfigNode::Kind::string) return python_quoted(node.as_string());
  if (node.is_list()) {
    std::string out = "[";
    for (const ConfigNode& item : node.items()) out += (out.size() > 1 ? ", " : "") + python_repr(item);
    return out + "]";
  }
  if (node.is_dict()) {
    std::string out = "{";
    for (const auto& [key, value] : node.members())
      out += (out.size() > 1 ? ", " : "") + python_repr(key) + ": " + python_repr(value);
    return out + "}";
  }
  return python_str(node);
}

std::string python_str(const ConfigNode& node) {
  switch (node.kind()) {
    case ConfigNode::Kind::null: return "None";
    case ConfigNode::Kind::boolean: return node.as_bool() ? "True" : "False";
    case ConfigNode::Kind::integer: return node.digits();
    case ConfigNode::Kind::floating: return python_float(node.as_float());
    case ConfigNode::Kind::string: return node.as_string();
    case ConfigNode::Kind::bytes: return python_bytes(node.as_bytes());
    default: return python_repr(node);
  }
}

const char* python_type(const ConfigNode& node) {
  static constexpr const char* kNames[] = {"NoneType", "bool", "int", "float", "str", "bytes", "list", "dict"};
  return kNames[static_cast<int>(node.kind())];
}

std::optional<std::string> python_int(std::string_view text) {
  text = trimmed(text);
  bool negative = false;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    negative = text.front() == '-';
    text.remove_prefix(1);
  }
  std::string digits;
  if (!take_digits(text, digits) || !text.empty()) return std::nullopt;
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
  return negative && digits != "0" ? "-" + digits : digits;
}

bool python_is_float(std::string_view text) {
  text = trimmed(text);
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  if (lower == "inf" || lower == "infinity" || lower == "nan") return true;
  std::string digits;
  bool any = take_digits(text, digits);
  if (!text.empty() && text.front() == '.') {
    text.remove_prefix(1);
    any = take_digits(text, digits) || any;
  }
  if (!any) return false;
  if (!text.empty() && (text.front() == 'e' || text.front() == 'E')) {
    text.remove_prefix(1);
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
    if (!take_digits(text, digits)) return false;
  }
  return text.empty();
}

}  // namespace attnscope
