#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"
#include "config/key.h"
#include "config/origin.h"

namespace attnscope {

// A value of a config tree: null, bool, int, float, text, bytes, list or dict (in order), with the place it was written
// at. The text `???` is a missing value and text with `${` an interpolation (config/resolve.h).
class ConfigNode {
 public:
  enum class Kind { null, boolean, integer, floating, string, bytes, list, dict };
  using List = std::vector<ConfigNode>;
  using Dict = std::vector<std::pair<ConfigKey, ConfigNode>>;
  // A whole number that int64 cannot hold; its decimal digits with sign.
  struct BigInteger {
    std::string digits;
    bool operator==(const BigInteger&) const = default;
  };
  struct Bytes {
    std::string value;
    bool operator==(const Bytes&) const = default;
  };
  // Flags of a dict or list; those not set are the container's above.
  enum class Flag { struct_, readonly };

  ConfigNode() = default;
  ConfigNode(bool value) : value_(value) {}
  ConfigNode(int value) : ConfigNode(int64_t{value}) {}
  ConfigNode(int64_t value) : value_(value) {}
  ConfigNode(BigInteger value) : value_(std::move(value)) {}
  ConfigNode(Bytes value) : value_(std::move(value)) {}
  ConfigNode(double value) : value_(value) {}
  ConfigNode(const char* value) : ConfigNode(std::string(value)) {}
  ConfigNode(std::string value) : value_(std::move(value)) {}
  ConfigNode(List items) : value_(std::move(items)) {}
  ConfigNode(Dict members) : value_(std::move(members)) {}

  Kind kind() const {
    static constexpr Kind kKinds[] = {Kind::null,    Kind::boolean, Kind::integer, Kind::floating, Kind::string,
                                      Kind::integer, Kind::bytes,   Kind::list,    Kind::dict};
    return kKinds[value_.index()];
  }
  bool is_null() const { return kind() == Kind::null; }
  bool is_scalar() const { return kind() != Kind::list && kind() != Kind::dict; }
  bool is_list() const { return kind() == Kind::list; }
  bool is_dict() const { return kind() == Kind::dict; }

  // The value of that kind; anything else is a ConfigError at this place. as_float() takes whole numbers too.
  bool as_bool() const;
  int64_t as_int() const;
  double as_float() const;
  // A whole number's decimal digits with sign, however large.
  std::string digits() const;
  const std::string& as_string() const;
  const std::string& as_bytes() const;
  const List& items() const;
  List& items();
  const Dict& members() const;
  Dict& members();

  // The value `???`: one that must still be given. `\???` is the text.
  bool is_missing() const {
    const auto* text = std::get_if<std::string>(&value_);
    return text && !literal_ && *text == "???";
  }
  bool is_interpolation() const {
    const auto* text = std::get_if<std::string>(&value_);
    return text && text->find("${") != std::string::npos;
  }
  // Takes one backslash from `\???`, so that what stays is text and not missing.
  void unescape_missing();
  // Whether that was done: the writer puts the backslash back.
  bool is_literal() const { return literal_; }

  std::optional<bool> flag(Flag flag) const;
  void set_flag(Flag flag, std::optional<bool> value);

  // A scalar as it was written in the file, else as to_yaml would write it ("" for lists and dicts).
  std::string text() const;
  bool has_text() const { return !written_text().empty(); }
  void set_text(std::string_view text);

  // A dict's member; nullptr when there is none or this is no dict. A text names the text key, and where there is none
  // the whole number that it spells.
  const ConfigNode* find(std::string_view name) const;
  ConfigNode* find(std::string_view name);
  const ConfigNode* find_key(const ConfigKey& key) const;
  ConfigNode* find_key(const ConfigKey& key);
  // The key under which find() finds it; `name` itself when there is none.
  ConfigKey key_of(std::string_view name) const;
  // Replaces or appends a member. A null becomes a dict.
  ConfigNode& set(const ConfigKey& key, ConfigNode value);
  bool erase(const ConfigKey& key);
  // The node at "a.b[0].c" (also "a.b.0.c"); nullptr when there is none. "" is this node.
  const ConfigNode* select(std::string_view path) const;

  ConfigPlace place() const { return origin_ ? origin_->place(entry_) : ConfigPlace{}; }
  void set_place(ConfigPlace place);
  // The place and the spelling, both at once.
  void set_origin(std::shared_ptr<const ConfigOrigin> origin, uint32_t entry) {
    origin_ = std::move(origin);
    entry_ = entry;
  }
  uint32_t entry() const { return entry_; }

  // Kinds and values, not places or spelling. Not a number equals itself.
  bool operator==(const ConfigNode& other) const;

 private:
  using Value = std::variant<std::monostate, bool, int64_t, double, std::string, BigInteger, Bytes, List, Dict>;

  [[noreturn]] void wrong_kind(const char* expected) const;
  std::string_view written_text() const { return origin_ ? origin_->text(entry_) : std::string_view(); }

  Value value_;
  std::shared_ptr<const ConfigOrigin> origin_;
  uint32_t entry_ = 0;  // of origin_
  bool literal_ = false;
  int8_t flags_[2] = {-1, -1};
};

// "null", "a boolean", "a whole number", "a number", "text", "a list", "a dict".
const char* kind_name(ConfigNode::Kind kind);
// What the node holds, for messages: `text "30"`, `a list of 3`, `the number 1.5`.
std::string describe(const ConfigNode& node);

// "a.b", "a[0]".
std::string join_key(const std::string& parent, const std::string& key);
std::string join_key(const std::string& parent, std::size_t index);
// The steps of "a.b[0]": {"a", "b", "0"}. A backslash before . [ ] = makes that character part of the step. Empty steps
// are kept, so that callers can refuse them.
std::vector<std::string> split_key(std::string_view path);
// The value of text that is a list index (0, 12); -1 for anything else.
int64_t list_index(std::string_view text);

}  // namespace attnscope
