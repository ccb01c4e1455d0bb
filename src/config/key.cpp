#include "config/key.h"

#include <charconv>
#include <cmath>

#include "config/python_text.h"

namespace attnscope {

ConfigKey ConfigKey::floating(double value) { return {Kind::floating, python_float(value), value}; }

bool ConfigKey::same_number(const ConfigKey& other) const {
  const auto numeric = [](const ConfigKey& key) {
    return key.kind_ == Kind::integer || key.kind_ == Kind::floating || key.kind_ == Kind::boolean;
  };
  if (!numeric(*this) || !numeric(other)) return false;
  const auto value = [](const ConfigKey& key) {
    if (key.kind_ != Kind::integer) return key.number_;
    double number = NAN;
    std::from_chars(key.text_.data(), key.text_.data() + key.text_.size(), number);
    return number;
  };
  return value(*this) == value(other);
}

}  // namespace attnscope
