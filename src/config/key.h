#pragma once
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>

namespace attnscope {

// The key of a dict. Nearly always text; YAML also makes whole numbers, floats, booleans and bytes of it.
class ConfigKey {
 public:
  enum class Kind { string, integer, floating, boolean, bytes, null };

  ConfigKey() = default;
  ConfigKey(const char* text) : text_(text) {}
  ConfigKey(std::string text) : text_(std::move(text)) {}
  ConfigKey(std::string_view text) : text_(text) {}
  static ConfigKey integer(std::string digits) { return {Kind::integer, std::move(digits)}; }
  static ConfigKey floating(double value);
  static ConfigKey boolean(bool value) { return {Kind::boolean, value ? "True" : "False"}; }
  static ConfigKey bytes(std::string value) { return {Kind::bytes, std::move(value)}; }
  static ConfigKey null() { return {Kind::null, "None"}; }

  Kind kind() const { return kind_; }
  bool is_string() const { return kind_ == Kind::string; }
  bool is_integer() const { return kind_ == Kind::integer; }
  bool is_number() const { return is_integer() || kind_ == Kind::floating || kind_ == Kind::boolean; }
  // Of whole numbers, floats and booleans (0 or 1).
  double number() const;
  // As Python's str() writes it: "a", "0", "1.5", "True". Bytes as they are.
  const std::string& text() const { return text_; }
  operator const std::string&() const { return text_; }

  // As in Python true, 1 and 1.0 are one key; 1 and "1" are two.
  bool operator==(const ConfigKey& other) const;
  // The text key of that name.
  template <std::convertible_to<std::string_view> Text>
  bool operator==(const Text& text) const {
    return kind_ == Kind::string && text_ == std::string_view(text);
  }

 private:
  ConfigKey(Kind kind, std::string text) : kind_(kind), text_(std::move(text)) {}

  Kind kind_ = Kind::string;
  std::string text_;
};

// Equal keys have equal ones.
struct ConfigKeyHash {
  std::size_t operator()(const ConfigKey& key) const;
};

}  // namespace attnscope
