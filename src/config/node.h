#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "config/key.h"

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
  };
  struct Bytes {
    std::string value;
  };
  // Flags of a dict or list; those not set are the container's above.
  enum class Flag { struct_, readonly };

  ConfigNode() = default;
  ConfigNode(bool value) : kind_(Kind::boolean), integer_(value) {}
  ConfigNode(int value) : ConfigNode(int64_t{value}) {}
  ConfigNode(int64_t value) : kind_(Kind::integer), integer_(value) {}
  ConfigNode(BigInteger value) : kind_(Kind::integer), string_(std::move(value.digits)) {}
  ConfigNode(Bytes value) : kind_(Kind::bytes), string_(std::move(value.value)) {}
  ConfigNode(double value) : kind_(Kind::floating), floating_(value) {}
  ConfigNode(const char* value) : ConfigNode(std::string(value)) {}
  ConfigNode(std::string value) : kind_(Kind::string), string_(std::move(value)) {}
  ConfigNode(List items) : kind_(Kind::list), list_(std::move(items)) {}
  ConfigNode(Dict members) : kind_(Kind::dict), dict_(std::move(members)) {}

  Kind kind() const { return kind_; }
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
  bool is_missing() const { return kind_ == Kind::string && !literal_ && string_ == "???"; }
  bool is_interpolation() const { return kind_ == Kind::string && string_.find("${") != std::string::npos; }
  // Takes one backslash from `\???`, so that what stays is text and not missing.
  void unescape_missing();
  // Whether that was done: the writer puts the backslash back.
  bool is_literal() const { return literal_; }

  std::optional<bool> flag(Flag flag) const;
  void set_flag(Flag flag, std::optional<bool> value);

  // A scalar as it was written in the file, else as to_yaml would write it ("" for lists and dicts).
  std::string text() const;
  bool has_text() const { return !text_.empty(); }
  void set_text(std::string text) { text_ = std::move(text); }

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

  const ConfigPlace& place() const { return place_; }
  void set_place(ConfigPlace place) { place_ = std::move(place); }

  // Kinds and values, not places or spelling. Not a number equals itself.
  bool operator==(const ConfigNode& other) const {
    const bool same_float =
        floating_ == other.floating_ || (floating_ != floating_ && other.floating_ != other.floating_);
    return kind_ == other.kind_ && integer_ == other.integer_ && same_float && string_ == other.string_ &&
           literal_ == other.literal_ && list_ == other.list_ && dict_ == other.dict_;
  }

 private:
  [[noreturn]] void wrong_kind(const char* expected) const;

  // One member a kind; those of other kinds stay empty.
  Kind kind_ = Kind::null;
  int64_t integer_ = 0;  // also a boolean
  double floating_ = 0;
  std::string string_;  // also bytes, and the digits of an integer that int64 cannot hold
  List list_;
  Dict dict_;
  bool literal_ = false;
  int8_t flags_[2] = {-1, -1};
  std::string text_;
  ConfigPlace place_;
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
