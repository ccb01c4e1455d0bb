#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace attnscope {

// Reads the fields of a component's config.json. Absent and null count as the default; a value of the wrong type is
// a LoadError that names file and field.
class ConfigFields {
 public:
  ConfigFields(const nlohmann::json& json, std::string file);

  const std::string& file() const { return file_; }
  bool has(const char* field) const;  // present and not null
  int64_t integer(const char* field, int64_t otherwise) const;
  double number(const char* field, double otherwise) const;
  bool boolean(const char* field, bool otherwise) const;
  std::string text(const char* field, const std::string& otherwise) const;
  std::vector<int64_t> integers(const char* field, const std::vector<int64_t>& otherwise) const;
  std::vector<std::string> texts(const char* field, const std::vector<std::string>& otherwise) const;
  // One integer for all of `count` entries, or a list of that length.
  std::vector<int64_t> per_block(const char* field, int64_t otherwise, std::size_t count) const;
  const nlohmann::json& raw(const char* field) const;  // null when absent

  // For fields that change the numbers in ways this program does not compute: anything but absent, null or
  // `supported` is an error that names the field and its value.
  void only(const char* field, const nlohmann::json& supported) const;
  [[noreturn]] void refuse(const char* field, const std::string& why) const;

 private:
  const nlohmann::json& json_;
  std::string file_;
};

}  // namespace attnscope
