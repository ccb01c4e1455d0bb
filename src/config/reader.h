#pragma once
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/node.h"

namespace attnscope {

// Both ends are allowed values.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

// Typed access to a dict. Every key that is asked for becomes a known one; finish() refuses the others, so that a typo
// is never ignored. A null value counts as not given. Errors are ConfigErrors with the value's place that say what
// was expected and what was found.
class ConfigReader {
 public:
  // `node` must outlive the reader. Throws unless it is a dict (or null: an empty one).
  explicit ConfigReader(const ConfigNode& node);
  ConfigReader(const ConfigReader&) = delete;
  ConfigReader& operator=(const ConfigReader&) = delete;

  // Given, and not null.
  bool has(const std::string& key);
  // The value as it is; nullptr when not given or null.
  const ConfigNode* find(const std::string& key);

  std::optional<bool> find_bool(const std::string& key);
  std::optional<int64_t> find_int(const std::string& key, Range range = {});
  std::optional<double> find_float(const std::string& key, Range range = {});
  // Numbers and booleans are taken as they are spelled (`prompt: 7 cats` and `prompt: 7` are both text).
  std::optional<std::string> find_string(const std::string& key);
  std::optional<std::string> find_enum(const std::string& key, const std::vector<std::string>& allowed);
  // One value stands for a list of one.
  std::optional<std::vector<std::string>> find_string_list(const std::string& key);
  std::optional<std::vector<int64_t>> find_int_list(const std::string& key, Range range = {});
  std::optional<std::vector<double>> find_float_list(const std::string& key, Range range = {});
  // -2^63 … 2^64 - 1, as torch's manual_seed takes it (a negative seed is 2^64 + seed).
  std::optional<uint64_t> find_seed(const std::string& key);

  bool get_bool(const std::string& key, bool fallback) { return find_bool(key).value_or(fallback); }
  int64_t get_int(const std::string& key, int64_t fallback, Range range = {}) {
    return find_int(key, range).value_or(fallback);
  }
  double get_float(const std::string& key, double fallback, Range range = {}) {
    return find_float(key, range).value_or(fallback);
  }
  std::string get_string(const std::string& key, const std::string& fallback) {
    return find_string(key).value_or(fallback);
  }
  std::string get_enum(const std::string& key, const std::string& fallback, const std::vector<std::string>& allowed) {
    return find_enum(key, allowed).value_or(fallback);
  }
  std::vector<std::string> get_string_list(const std::string& key, const std::vector<std::string>& fallback = {}) {
    return find_string_list(key).value_or(fallback);
  }
  std::vector<int64_t> get_int_list(const std::string& key, const std::vector<int64_t>& fallback = {},
                                    Range range = {}) {
    return find_int_list(key, range).value_or(fallback);
  }
  uint64_t get_seed(const std::string& key, uint64_t fallback) { return find_seed(key).value_or(fallback); }
  // Throws when the key is not given.
  std::string require_string(const std::string& key);

  // The reader of a dict below this one (of an empty one when it is not given). Lives as long as this reader, and
  // finish() of this reader includes it.
  ConfigReader& child(const std::string& key);

  // Throws for keys nobody asked for, here and in the children.
  void finish() const;

  const ConfigNode& node() const { return *node_; }
  // The value's place, or where it would be.
  ConfigPlace place(const std::string& key) const;
  // For what this class cannot check.
  [[noreturn]] void fail(const std::string& key, const std::string& message, const std::string& hint = {}) const;

 private:
  [[noreturn]] void wrong_type(const ConfigNode& value, const std::string& expected) const;
  template <class T, class Convert>
  std::optional<std::vector<T>> find_list(const std::string& key, const Convert& convert);

  const ConfigNode* node_;
  std::string prefix_;
  std::vector<std::string> known_;
  std::vector<std::pair<std::string, std::unique_ptr<ConfigReader>>> children_;
};

}  // namespace attnscope
