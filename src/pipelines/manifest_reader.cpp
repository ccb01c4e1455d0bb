#include "pipelines/manifest_reader.h"

#include <limits>

#include "base/error.h"

namespace attnscope {

using Json = nlohmann::ordered_json;

ManifestReader::ManifestReader(const Json& value, std::string file, std::string path)
    : value_(value), file_(std::move(file)), path_(std::move(path)) {}

const Json* ManifestReader::find(const std::string& key) const {
  if (!value_.is_object()) fail("must be an object");
  const auto found = value_.find(key);
  return found == value_.end() || found->is_null() ? nullptr : &*found;
}

ManifestReader ManifestReader::at(const std::string& key) const {
  const Json* member = find(key);
  if (member == nullptr) fail(key, "is missing");
  return {*member, file_, child(key)};
}

std::string ManifestReader::text(const std::string& key, const std::string& otherwise) const {
  return find(key) ? at(key).text() : otherwise;
}

int64_t ManifestReader::whole(const std::string& key, int64_t otherwise) const {
  return find(key) ? at(key).whole() : otherwise;
}

double ManifestReader::number(const std::string& key, double otherwise) const {
  const Json* member = find(key);
  if (member == nullptr) return otherwise;
  if (!member->is_number()) fail(key, "must be a number");
  return member->get<double>();
}

bool ManifestReader::flag(const std::string& key, bool otherwise) const {
  const Json* member = find(key);
  if (member == nullptr) return otherwise;
  if (!member->is_boolean()) fail(key, "must be true or false");
  return member->get<bool>();
}

std::vector<ManifestReader> ManifestReader::list(const std::string& key) const {
  const Json* member = find(key);
  if (member == nullptr) return {};
  if (!member->is_array()) fail(key, "must be a list");
  std::vector<ManifestReader> entries;
  for (std::size_t i = 0; i < member->size(); ++i)
    entries.emplace_back((*member)[i], file_, child(key) + "[" + std::to_string(i) + "]");
  return entries;
}

ManifestReader ManifestReader::object(const std::string& key) const {
  static const Json empty = Json::object();
  const Json* member = find(key);
  if (member != nullptr && !member->is_object()) fail(key, "must be an object");
  return {member ? *member : empty, file_, child(key)};
}

std::string ManifestReader::text() const {
  if (!value_.is_string()) fail("must be text");
  return value_.get<std::string>();
}

int64_t ManifestReader::whole() const {
  const bool fits = value_.is_number_unsigned() && value_.get<uint64_t>() <= std::numeric_limits<int>::max();
  if (!fits) fail("must be a whole number, 0 or more");
  return value_.get<int64_t>();
}

void ManifestReader::fail(const std::string& key, const std::string& message) const {
  throw LoadError(message, file_, child(key));
}

void ManifestReader::fail(const std::string& message) const { throw LoadError(message, file_, path_); }

}  // namespace attnscope
