#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace attnscope {

// Typed access to a manifest that anyone may have edited: a field of the wrong type is a LoadError with the file and
// the field's path ("words[2].text"), never an exception of the JSON library.
class ManifestReader {
 public:
  ManifestReader(const nlohmann::ordered_json& value, std::string file, std::string path = {});

  // Members; the second form gives `otherwise` when the member is missing or null.
  std::string text(const std::string& key) const { return at(key).text(); }
  std::string text(const std::string& key, const std::string& otherwise) const;
  int64_t whole(const std::string& key) const { return at(key).whole(); }
  int64_t whole(const std::string& key, int64_t otherwise) const;
  double number(const std::string& key, double otherwise) const;
  bool flag(const std::string& key, bool otherwise) const;
  // Empty when missing or null.
  std::vector<ManifestReader> list(const std::string& key) const;
  ManifestReader object(const std::string& key) const;

  // This value itself. Whole numbers are 0 or more and fit an int.
  std::string text() const;
  int64_t whole() const;

  [[noreturn]] void fail(const std::string& key, const std::string& message) const;

 private:
  const nlohmann::ordered_json* find(const std::string& key) const;
  ManifestReader at(const std::string& key) const;
  std::string child(const std::string& key) const { return path_.empty() ? key : path_ + "." + key; }
  [[noreturn]] void fail(const std::string& message) const;

  const nlohmann::ordered_json& value_;
  std::string file_, path_;
};

}  // namespace attnscope
