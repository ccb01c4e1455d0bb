#include "config/writer.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "config/dump.h"
#include "config/scalar.h"

namespace attnscope {
namespace {

constexpr std::size_t kLongestFlowList = 100;
constexpr std::size_t kLongestKey = 1000;  // YAML takes up to 1 024 characters before a ":"

// Every YAML reader takes "1.0e-05" for a float; the "1e-05" of to_chars is text to some.
std::string float_text(double value) {
  if (std::isnan(value)) return ".nan";
  if (std::isinf(value)) return value < 0 ? "-.inf" : ".inf";
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  std::string text(buffer, end);
  if (text.find('.') != std::string::npos) return text;
  const auto exponent = std::min(text.find('e'), text.size());
  return text.insert(exponent, ".0");
}

bool plain_start(unsigned char c) { return std::isalnum(c) || c == '_' || c == '/' || c >= 0x80; }
bool plain_inside(unsigned char c) {
  return plain_start(c) || std::string_view(" .-+()$=;<>~^'").find(static_cast<char>(c)) != std::string_view::npos;
}

// Bytes of the character at `i` when YAML does not take it as it is: C1 controls (with U+0085, a line break), the line
// and paragraph separators, the byte order mark. 0 for all others.
std::size_t special_length(std::string_view text, std::size_t i) {
  const std::string_view here = text.substr(i, 3);
  if (here == "\xE2\x80\xA8" || here == "\xE2\x80\xA9" || here == "\xEF\xBB\xBF") return 3;
  return here.size() > 1 && here[0] == '\xC2' && static_cast<unsigned char>(here[1]) < 0xA0 ? 2 : 0;
}

// Careful rather than complete: what is not surely text in every place gets quotes.
bool reads_as_itself(const std::string& text) {
  if (text.empty() || text.size() > 1000 || !plain_start(static_cast<unsigned char>(text.front())) ||
      text.back() == ' ')
    return false;
  if (!std::all_of(text.begin(), text.end(), [](char c) { return plain_inside(static_cast<unsigned char>(c)); }))
    return false;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (special_length(text, i) > 0) return false;
  return parse_plain_scalar(text).kind() == ConfigNode::Kind::string;
}

std::string string_text(const std::string& text) { return reads_as_itself(text) ? text : double_quoted(text); }

std::string key_text(const ConfigKey& key) {
  if (key.is_string()) return string_text(key.text());
  if (key.kind() == ConfigKey::Kind::boolean) return key.number() != 0 ? "true" : "false";
  if (key.kind() == ConfigKey::Kind::bytes) return "!!binary " + double_quoted(encode_base64(key.text()));
  return key.kind() == ConfigKey::Kind::floating ? float_text(key.number()) : key.text();
}

// "[a, b]" for a list of scalars that fits on a line, else "".
std::string flow_list(const ConfigNode::List& items) {
  std::string text = "[";
  for (const ConfigNode& item : items) {
    if (!item.is_scalar() || text.size() > kLongestFlowList) return {};
    text += (text.size() > 1 ? ", " : "") + scalar_to_yaml(item);
  }
  return text.size() > kLongestFlowList ? std::string() : text + "]";
}

// What follows "key:" or "-"; ends its line.
void write_value(std::string& out, const ConfigNode& node, std::size_t indent);

void write_block(std::string& out, const ConfigNode& node, std::size_t indent, bool first_inline) {
  const auto start_line = [&] {
    if (!first_inline) out.append(indent, ' ');
    first_inline = false;
  };
  if (node.is_dict()) {
    for (const auto& [key, value] : node.members()) {
      start_line();
      const std::string text = key_text(key);
      out += text.size() > kLongestKey ? "? " + text + "\n" + std::string(indent, ' ') + ":" : text + ":";
      write_value(out, value, indent);
    }
  } else {
    for (const ConfigNode& item : node.items()) {
      start_line();
      out += '-';
      const bool block =
          !item.is_scalar() && !(item.is_dict() ? item.members().empty() : !flow_list(item.items()).empty());
      if (block) {
        out += ' ';
        write_block(out, item, indent + 2, true);
      } else {
        write_value(out, item, indent);
      }
    }
  }
}

void write_value(std::string& out, const ConfigNode& node, std::size_t indent) {
  const std::string flow = node.is_list() ? flow_list(node.items()) : std::string();
  if (node.is_scalar()) {
    out += ' ';
    out += scalar_to_yaml(node);
    out += '\n';
  } else if (!flow.empty()) {
    out += ' ';
    out += flow;
    out += '\n';
  } else if (node.is_dict() && node.members().empty()) {
    out += " {}\n";
  } else {
    out += '\n';
    write_block(out, node, indent + 2, false);
  }
}

}  // namespace

std::string double_quoted(const std::string& text) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto byte = static_cast<unsigned char>(c);
    if (const std::size_t length = special_length(text, i)) {
      const auto last = static_cast<unsigned char>(text[i + length - 1]);
      if (length == 2) out += {'\\', 'x', kHex[last >> 4], kHex[last & 15]};
      if (length == 3) out += c == '\xEF' ? "\\uFEFF" : last == 0xA8 ? "\\u2028" : "\\u2029";
      i += length - 1;
    } else if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (byte < 0x20 || byte == 0x7F) {
      out += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string scalar_to_yaml(const ConfigNode& node) {
  switch (node.kind()) {
    case ConfigNode::Kind::boolean: return node.as_bool() ? "true" : "false";
    case ConfigNode::Kind::integer: return node.digits();
    case ConfigNode::Kind::floating: return float_text(node.as_float());
    case ConfigNode::Kind::string: return string_text((node.is_literal() ? "\\" : "") + node.as_string());
    case ConfigNode::Kind::bytes: return "!!binary " + double_quoted(encode_base64(node.as_bytes()));
    default: return "null";
  }
}

std::string to_yaml(const ConfigNode& node) {
  std::string out;
  const bool empty = (node.is_dict() && node.members().empty()) || (node.is_list() && node.items().empty());
  if (node.is_scalar() || empty) {
    write_value(out, node, 0);
    return out.substr(1);
  }
  write_block(out, node, 0, false);
  return out;
}

}  // namespace attnscope
