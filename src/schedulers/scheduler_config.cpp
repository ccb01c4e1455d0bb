#include "schedulers/scheduler_config.h"

#include <cmath>
#include <filesystem>
#include <limits>

#include "base/error.h"
#include "io/json_file.h"
#include "io/mapped_file.h"

namespace attnscope {
namespace {

// The value as messages show it, cut where a list of betas would fill the screen.
std::string shown(const nlohmann::json& value) {
  std::string text = value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (text.size() > 60) text = text.substr(0, 57) + "...";
  return text;
}

// `text` with the bare words NaN, Infinity and -Infinity put in quotes.
std::string quote_python_numbers(std::string_view text) {
  std::string result;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string && c == '\\' && i + 1 < text.size()) {
      result += text.substr(i++, 2);
      continue;
    }
    if (c == '"') in_string = !in_string;
    if (!in_string) {
      std::string_view word;
      for (const std::string_view name : {"-Infinity", "Infinity", "NaN"}) {
        if (text.substr(i, name.size()) == name) word = name;
        if (!word.empty()) break;
      }
      if (!word.empty()) {
        result += '"';
        result += word;
        result += '"';
        i += word.size() - 1;
        continue;
      }
    }
    result += c;
  }
  return result;
}

}  // namespace

SchedulerConfig::SchedulerConfig(nlohmann::json values, std::string file)
    : values_(std::move(values)), file_(std::move(file)) {
  if (!values_.is_object()) {
    throw LoadError("a scheduler config must be a JSON object, this is " + std::string(values_.type_name()), file_);
  }
}

bool SchedulerConfig::has(const std::string& key) const {
  const auto found = values_.find(key);
  return found != values_.end() && !found->is_null();
}

void SchedulerConfig::refuse(const std::string& key, const std::string& message, const std::string& hint) const {
  const bool given = values_.contains(key);
  throw LoadError((given ? shown(values_[key]) + " " : std::string()) + message, file_, key, hint);
}

bool SchedulerConfig::flag(const std::string& key, bool fallback) const {
  if (!has(key)) return fallback;
  if (!values_[key].is_boolean()) refuse(key, "is not true or false");
  return values_[key].get<bool>();
}

double SchedulerConfig::number(const std::string& key, double fallback) const {
  if (!has(key)) return fallback;
  const nlohmann::json& value = values_[key];
  if (value.is_string()) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const auto& name = value.get_ref<const std::string&>();
    if (name == "Infinity") return infinity;
    if (name == "-Infinity") return -infinity;
    if (name == "NaN") return std::numeric_limits<double>::quiet_NaN();
  }
  if (!value.is_number()) refuse(key, "is not a number");
  return value.get<double>();
}

std::optional<double> SchedulerConfig::optional_number(const std::string& key) const {
  if (!has(key)) return std::nullopt;
  return number(key, 0);
}

int64_t SchedulerConfig::integer(const std::string& key, int64_t fallback, int64_t min, int64_t max) const {
  if (!has(key)) return fallback;
  const double value = number(key, 0);
  if (std::floor(value) != value) refuse(key, "is not a whole number");
  if (value < static_cast<double>(min) || value > static_cast<double>(max)) {
    refuse(key, "is outside " + std::to_string(min) + " ... " + std::to_string(max));
  }
  return static_cast<int64_t>(value);
}

std::vector<double> SchedulerConfig::numbers(const std::string& key) const {
  if (!has(key)) return {};
  const nlohmann::json& list = values_[key];
  if (!list.is_array() || list.empty()) refuse(key, "is not a list of numbers");
  std::vector<double> result;
  for (const nlohmann::json& value : list) {
    if (!value.is_number()) refuse(key, "is not a list of numbers");
    result.push_back(value.get<double>());
  }
  return result;
}

std::string SchedulerConfig::text(const std::string& key, const std::string& fallback) const {
  if (!has(key)) return fallback;
  if (!values_[key].is_string()) refuse(key, "is not a text");
  return values_[key].get<std::string>();
}

std::string SchedulerConfig::choice(const std::string& key, const std::string& fallback,
                                    std::initializer_list<const char*> allowed) const {
  const std::string value = text(key, fallback);
  std::string list;
  for (const char* name : allowed) {
    if (value == name) return value;
    list += (list.empty() ? "" : ", ") + std::string(name);
  }
  const std::string nearest = nearest_name(value, std::vector<std::string>(allowed.begin(), allowed.end()));
  refuse(key, "is not supported",
         "Supported: " + list + "." + (nearest.empty() ? "" : " Did you mean " + nearest + "?"));
}

nlohmann::json read_scheduler_config(const std::string& path) {
  std::string file = path;
  if (std::filesystem::is_directory(path)) file = (std::filesystem::path(path) / "scheduler_config.json").string();
  return parse_json(quote_python_numbers(read_file(file)), file);
}

}  // namespace attnscope
