#include "models/config_fields.h"

#include "base/error.h"

namespace attnscope {
namespace {
const nlohmann::json null_value;
}

ConfigFields::ConfigFields(const nlohmann::json& json, std::string file) : json_(json), file_(std::move(file)) {
  if (!json.is_object()) throw LoadError("a JSON object is needed", file_);
}

const nlohmann::json& ConfigFields::raw(const char* field) const {
  const auto it = json_.find(field);
  return it == json_.end() ? null_value : *it;
}

bool ConfigFields::has(const char* field) const { return !raw(field).is_null(); }

void ConfigFields::refuse(const char* field, const std::string& why) const { throw LoadError(why, file_, field); }

int64_t ConfigFields::integer(const char* field, int64_t otherwise) const {
  const auto& value = raw(field);
  if (value.is_null()) return otherwise;
  if (!value.is_number_integer()) refuse(field, "an integer is needed, not " + value.dump());
  return value.get<int64_t>();
}

double ConfigFields::number(const char* field, double otherwise) const {
  const auto& value = raw(field);
  if (value.is_null()) return otherwise;
  if (!value.is_number()) refuse(field, "a number is needed, not " + value.dump());
  return value.get<double>();
}

bool ConfigFields::boolean(const char* field, bool otherwise) const {
  const auto& value = raw(field);
  if (value.is_null()) return otherwise;
  if (!value.is_boolean()) refuse(field, "true or false is needed, not " + value.dump());
  return value.get<bool>();
}

std::string ConfigFields::text(const char* field, const std::string& otherwise) const {
  const auto& value = raw(field);
  if (value.is_null()) return otherwise;
  if (!value.is_string()) refuse(field, "a text is needed, not " + value.dump());
  return value.get<std::string>();
}

std::vector<int64_t> ConfigFields::integers(const char* field, const std::vector<int64_t>& otherwise) const {
  const auto& value = raw(field);
  if (value.is_null()) return otherwise;
  std::vector<int64_t> result;
  if (!value.is_array()) refuse(field, "a list of integers is needed, not " + value.dump());
  for (const auto& item : value) {
    if (!item.is_number_integer()) refuse(field, "a list of integers is needed, not " + value.dump());
    result.push_back(item.get<int64_t>());
  }
  return result;
}

std::vector<std::string> ConfigFields::texts(const char* field, const std::vector<std::string>& otherwise) const {
  const auto& value = raw(field);
  if (value.is_null()) return otherwise;
  std::vector<std::string> result;
  if (!value.is_array()) refuse(field, "a list of names is needed, not " + value.dump());
  for (const auto& item : value) {
    if (!item.is_string()) refuse(field, "a list of names is needed, not " + value.dump());
    result.push_back(item.get<std::string>());
  }
  return result;
}

std::vector<int64_t> ConfigFields::per_block(const char* field, int64_t otherwise, std::size_t count) const {
  if (!raw(field).is_array()) return std::vector<int64_t>(count, integer(field, otherwise));
  auto values = integers(field, {});
  if (values.size() != count)
    refuse(field, std::to_string(values.size()) + " values given for " + std::to_string(count) + " blocks");
  return values;
}

void ConfigFields::only(const char* field, const nlohmann::json& supported) const {
  const auto& value = raw(field);
  if (value.is_null() || value == supported) return;
  throw LoadError(value.dump() + " is not supported", file_, field, "Supported: " + supported.dump() + ".");
}

}  // namespace attnscope
