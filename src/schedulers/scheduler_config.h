#pragma once
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace attnscope {

// Typed access to a scheduler_config.json. A missing field (or null) takes the default given, which is the default of
// diffusers' constructor; a value of the wrong type or range, or one that is not supported, is a LoadError that names
// the file and the field.
class SchedulerConfig {
 public:
  // LoadError unless `values` is a JSON object.
  SchedulerConfig(nlohmann::json values, std::string file);

  const nlohmann::json& values() const { return values_; }
  const std::string& file() const { return file_; }

  bool has(const std::string& key) const;  // present and not null
  bool flag(const std::string& key, bool fallback) const;
  // JSON numbers, and the strings Infinity, -Infinity and NaN (what read_scheduler_config makes of Python's names).
  double number(const std::string& key, double fallback) const;
  std::optional<double> optional_number(const std::string& key) const;
  int64_t integer(const std::string& key, int64_t fallback, int64_t min, int64_t max) const;
  std::vector<double> numbers(const std::string& key) const;  // empty when missing
  std::string text(const std::string& key, const std::string& fallback) const;
  // One of `allowed`; the error lists them and suggests the nearest.
  std::string choice(const std::string& key, const std::string& fallback,
                     std::initializer_list<const char*> allowed) const;
  [[noreturn]] void refuse(const std::string& key, const std::string& message, const std::string& hint = {}) const;

 private:
  nlohmann::json values_;
  std::string file_;
};

// Reads scheduler_config.json (or the one in a folder). Python's json writes -Infinity, Infinity and NaN where
// diffusers has such defaults, which is not JSON; they are read as strings of the same name. LoadError as
// io/json_file.h.
nlohmann::json read_scheduler_config(const std::string& path);

}  // namespace attnscope
