#include "config/key.h"

#include <functional>

#include "config/python_text.h"
#include "config/scalar.h"

namespace attnscope {

ConfigKey ConfigKey::floating(double value) { return {Kind::floating, python_float(value)}; }

double ConfigKey::number() const { return kind_ == Kind::boolean ? text_ == "True" : parse_python_float(text_); }

bool ConfigKey::operator==(const ConfigKey& other) const {
  if (kind_ == other.kind_ && kind_ != Kind::floating) return text_ == other.text_;
  return is_number() && other.is_number() && number() == other.number();
}

std::size_t ConfigKeyHash::operator()(const ConfigKey& key) const {
  return key.is_number() ? std::hash<double>()(key.number()) : std::hash<std::string>()(key.text());
}

}  // namespace attnscope
