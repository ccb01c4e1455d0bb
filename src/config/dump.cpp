#include "config/dump.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "config/emit_scalar.h"
#include "config/python_text.h"

namespace attnscope {
namespace {

// Block style as libyaml emits it.
class Dumper {
 public:
  explicit Dumper(bool sort_keys) : sort_keys_(sort_keys) {}

  std::string run(const ConfigNode& root) {
    emit(root, Context::root);
    out_.finish_line();
    return out_.take();
  }

 private:
  enum class Context { root, sequence, mapping, key };

  void emit(const ConfigNode& node, Context context) {
    if (node.is_scalar()) {
      emit_scalar(out_, scalar_of(node), context == Context::key);
    } else if (node.is_list() ? node.items().empty() : node.members().empty()) {
      out_.indicator(node.is_list() ? "[" : "{", true, true, false);
      out_.indicator(node.is_list() ? "]" : "}", false, false, false);
    } else if (node.is_list()) {
      emit_list(node, context);
    } else {
      emit_dict(node);
    }
  }

  void emit_list(const ConfigNode& node, Context context) {
    const int before = out_.indent();
    // A list under a key stands at the key's own column.
    if (!(context == Context::mapping && !out_.indention())) out_.deepen();
    for (const ConfigNode& item : node.items()) {
      out_.write_indent();
      out_.indicator("-", true, false, true);
      emit(item, Context::sequence);
    }
    out_.set_indent(before);
  }

  void emit_dict(const ConfigNode& node) {
    constexpr std::size_t kLongestSimpleKey = 128;
    const int before = out_.indent();
    out_.deepen();
    for (const std::size_t i : order(node.members())) {
      const auto& [key, value] = node.members()[i];
      out_.write_indent();
      const EmittedScalar scalar = scalar_of(key);
      const bool simple = scalar.text.size() <= kLongestSimpleKey && !analyze_scalar(scalar.text).multiline;
      if (simple) {
        emit_scalar(out_, scalar, true);
        out_.indicator(":", false, false, false);
      } else {
        out_.indicator("?", true, false, true);
        emit_scalar(out_, scalar, false);
        out_.write_indent();
        out_.indicator(":", true, false, true);
      }
      emit(value, Context::mapping);
    }
    out_.set_indent(before);
  }

  std::vector<std::size_t> order(const ConfigNode::Dict& members) const {
    std::vector<std::size_t> order(members.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const bool texts =
        std::all_of(members.begin(), members.end(), [](const auto& member) { return member.first.is_string(); });
    if (sort_keys_ && texts) {
      std::stable_sort(order.begin(), order.end(),
                       [&](std::size_t a, std::size_t b) { return members[a].first.text() < members[b].first.text(); });
    }
    return order;
  }

  static std::string float_text(double value) {
    std::string text = python_float(value);
    if (text == "nan" || text == "inf") return "." + text;
    if (text == "-inf") return "-.inf";
    if (text.find('.') == std::string::npos) text.insert(text.find('e'), ".0");
    return text;
  }

  static EmittedScalar string_of(const std::string& text) {
    static constexpr std::string_view kWords[] = {"y",  "Y",  "yes",  "Yes",  "YES",  "n",     "N",     "no",
                                                  "No", "NO", "true", "True", "TRUE", "false", "False", "FALSE",
                                                  "on", "On", "ON",   "off",  "Off",  "OFF"};
    EmittedScalar scalar{.text = text};
    scalar.plain_is_same = std::find(std::begin(kWords), std::end(kWords), text) == std::end(kWords) &&
                           !python_int(text) && !python_is_float(text) && reads_as_string(text);
    return scalar;
  }

  static EmittedScalar scalar_of(const ConfigNode& node) {
    switch (node.kind()) {
      case ConfigNode::Kind::null: return {.text = "null"};
      case ConfigNode::Kind::boolean: return {.text = node.as_bool() ? "true" : "false"};
      case ConfigNode::Kind::integer: return {.text = node.digits()};
      case ConfigNode::Kind::floating: return {.text = float_text(node.as_float())};
      case ConfigNode::Kind::bytes: return {.text = encode_base64(node.as_bytes(), 76), .binary = true};
      default: return string_of((node.is_literal() ? "\\" : "") + node.as_string());
    }
  }

  static EmittedScalar scalar_of(const ConfigKey& key) {
    switch (key.kind()) {
      case ConfigKey::Kind::string: return string_of(key.text());
      case ConfigKey::Kind::floating: return {.text = float_text(key.number())};
      case ConfigKey::Kind::boolean: return {.text = key.number() != 0 ? "true" : "false"};
      case ConfigKey::Kind::bytes: return {.text = encode_base64(key.text(), 76), .binary = true};
      default: return {.text = key.text()};
    }
  }

  bool sort_keys_;
  EmitterOutput out_;
};

}  // namespace

std::string omegaconf_yaml(const ConfigNode& node, bool sort_keys) { return Dumper(sort_keys).run(node); }

std::string encode_base64(const std::string& bytes, std::size_t line_length) {
  static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  std::size_t in_line = 0;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t bits = 0;
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    for (std::size_t k = 0; k < 3; ++k) bits = bits << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0);
    for (std::size_t k = 0; k < 4; ++k) out += k <= count ? kDigits[(bits >> (18 - 6 * k)) & 63] : '=';
    in_line += 4;
    if (line_length > 0 && (in_line >= line_length || i + 3 >= bytes.size())) {
      out += '\n';
      in_line = 0;
    }
  }
  return out;
}

}  // namespace attnscope
