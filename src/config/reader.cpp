#include "config/reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

namespace attnscope {
namespace {

const ConfigNode& empty_dict() {
  static const ConfigNode kEmpty{ConfigNode::Dict{}};
  return kEmpty;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string range_text(Range range) {
  std::ostringstream text;
  text.precision(17);
  const bool low = std::isfinite(range.low), high = std::isfinite(range.high);
  if (low && high) text << " from " << range.low << " to " << range.high;
  if (low && !high) text << " of at least " << range.low;
  if (!low && high) text << " of at most " << range.high;
  return text.str();
}

// A number in quotes or with a dot is the usual slip; say how to write it.
std::string slip_hint(const ConfigNode& value, const std::string& expected) {
  if (value.kind() == ConfigNode::Kind::string && expected.find("number") != std::string::npos) {
    return "Write the number without quotes.";
  }
  if (value.is_dict() && expected.find("text") != std::string::npos) return "Put text that holds \": \" in quotes.";
  return {};
}

int64_t whole_number(const ConfigNode& value, Range range, const auto& wrong) {
  const std::string expected = "a whole number" + range_text(range);
  if (value.kind() != ConfigNode::Kind::integer) wrong(value, expected);
  const double size = value.as_float();
  if (!(size >= range.low && size <= range.high)) wrong(value, expected);
  return value.as_int();
}

double number(const ConfigNode& value, Range range, const auto& wrong) {
  const std::string expected = "a number" + range_text(range);
  if (value.kind() != ConfigNode::Kind::integer && value.kind() != ConfigNode::Kind::floating) wrong(value, expected);
  const double size = value.as_float();
  if (!std::isfinite(size)) wrong(value, "a finite number" + range_text(range));
  if (!(size >= range.low && size <= range.high)) wrong(value, expected);
  return size;
}

std::string spelled(const ConfigNode& value, const auto& wrong) {
  if (!value.is_scalar() || value.is_null()) wrong(value, "text");
  return value.kind() == ConfigNode::Kind::string ? value.as_string() : value.text();
}

}  // namespace

ConfigReader::ConfigReader(const ConfigNode& node)
    : node_(node.is_null() ? &empty_dict() : &node), prefix_(node.place().key) {
  if (!node_->is_dict()) wrong_type(node, "a dict of keys and values");
}

bool ConfigReader::has(const std::string& key) { return find(key) != nullptr; }

const ConfigNode* ConfigReader::find(const std::string& key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.push_back(key);
  const ConfigNode* value = node_->find(key);
  return value && !value->is_null() ? value : nullptr;
}

ConfigPlace ConfigReader::place(const std::string& key) const {
  ConfigPlace place = node_->place();
  if (const ConfigNode* value = node_->find(key)) place = value->place();
  place.key = join_key(prefix_, key);
  return place;
}

void ConfigReader::fail(const std::string& key, const std::string& message, const std::string& hint) const {
  throw ConfigError(message, place(key), hint);
}

void ConfigReader::wrong_type(const ConfigNode& value, const std::string& expected) const {
  throw ConfigError("must be " + expected + ", not " + describe(value), value.place(), slip_hint(value, expected));
}

std::optional<bool> ConfigReader::find_bool(const std::string& key) {
  const ConfigNode* value = find(key);
  if (!value) return std::nullopt;
  if (value->kind() != ConfigNode::Kind::boolean) wrong_type(*value, "true or false");
  return value->as_bool();
}

std::optional<int64_t> ConfigReader::find_int(const std::string& key, Range range) {
  const ConfigNode* value = find(key);
  if (!value) return std::nullopt;
  return whole_number(*value, range, [this](const auto&... what) { wrong_type(what...); });
}

std::optional<double> ConfigReader::find_float(const std::string& key, Range range) {
  const ConfigNode* value = find(key);
  if (!value) return std::nullopt;
  return number(*value, range, [this](const auto&... what) { wrong_type(what...); });
}

std::optional<std::string> ConfigReader::find_string(const std::string& key) {
  const ConfigNode* value = find(key);
  if (!value) return std::nullopt;
  return spelled(*value, [this](const auto&... what) { wrong_type(what...); });
}

std::optional<std::string> ConfigReader::find_enum(const std::string& key, const std::vector<std::string>& allowed) {
  const auto value = find_string(key);
  if (!value || std::find(allowed.begin(), allowed.end(), *value) != allowed.end()) return value;
  const std::string nearest = nearest_name(*value, allowed);
  fail(key, "must be one of " + joined(allowed) + ", not \"" + *value + "\"",
       nearest.empty() ? "" : "Did you mean " + nearest + "?");
}

template <class T, class Convert>
std::optional<std::vector<T>> ConfigReader::find_list(const std::string& key, const Convert& convert) {
  const ConfigNode* value = find(key);
  if (!value) return std::nullopt;
  const auto wrong = [this](const auto&... what) { wrong_type(what...); };
  std::vector<T> list;
  if (value->is_scalar()) {
    list.push_back(convert(*value, wrong));
  } else {
    if (!value->is_list()) wrong_type(*value, "a list");
    for (const ConfigNode& item : value->items()) list.push_back(convert(item, wrong));
  }
  return list;
}

std::optional<std::vector<std::string>> ConfigReader::find_string_list(const std::string& key) {
  return find_list<std::string>(key, [](const ConfigNode& item, const auto& wrong) { return spelled(item, wrong); });
}

std::optional<std::vector<int64_t>> ConfigReader::find_int_list(const std::string& key, Range range) {
  return find_list<int64_t>(
      key, [&](const ConfigNode& item, const auto& wrong) { return whole_number(item, range, wrong); });
}

std::optional<std::vector<double>> ConfigReader::find_float_list(const std::string& key, Range range) {
  return find_list<double>(key, [&](const ConfigNode& item, const auto& wrong) { return number(item, range, wrong); });
}

std::optional<uint64_t> ConfigReader::find_seed(const std::string& key) {
  const ConfigNode* value = find(key);
  if (!value) return std::nullopt;
  const char* expected = "a whole number from -9223372036854775808 to 18446744073709551615";
  if (value->kind() != ConfigNode::Kind::integer) wrong_type(*value, expected);
  const std::string digits = value->digits();
  const bool negative = digits.front() == '-';
  uint64_t seed = 0;
  int64_t below_zero = 0;
  const char *begin = digits.data(), *end = begin + digits.size();
  const auto result = negative ? std::from_chars(begin, end, below_zero) : std::from_chars(begin, end, seed);
  if (result.ec != std::errc()) wrong_type(*value, expected);
  return negative ? static_cast<uint64_t>(below_zero) : seed;
}

std::string ConfigReader::require_string(const std::string& key) {
  auto value = find_string(key);
  if (!value) fail(key, "is missing");
  return *value;
}

ConfigReader& ConfigReader::child(const std::string& key) {
  for (auto& [name, reader] : children_)
    if (name == key) return *reader;
  const ConfigNode* value = find(key);
  children_.emplace_back(key, std::make_unique<ConfigReader>(value ? *value : empty_dict()));
  children_.back().second->prefix_ = join_key(prefix_, key);
  return *children_.back().second;
}

void ConfigReader::finish() const {
  for (const auto& [key, value] : node_->members()) {
    if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
    const std::string nearest = nearest_name(key, known_);
    fail(key, "unknown key " + key.text(),
         nearest.empty() ? "Known here: " + joined(known_) + "." : "Did you mean " + nearest + "?");
  }
  for (const auto& [name, reader] : children_) reader->finish();
}

}  // namespace attnscope
