#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "config/node.h"

namespace attnscope {

// A plain (unquoted) YAML scalar as OmegaConf reads it: YAML 1.1 without dates, and numbers such as 1e-4 are floats.
// "yes", "Off", "TRUE" are booleans; "017" is octal; "12:30" is base 60; "1_000" is 1000; "", "~", "null" are null.
ConfigNode parse_plain_scalar(const std::string& text);

// The same for one type (tags !!int, !!float, !!bool); nullopt when the text does not spell such a value.
std::optional<ConfigNode> parse_integer(std::string_view text);
std::optional<double> parse_float(std::string_view text);
std::optional<bool> parse_boolean(std::string_view text);
bool is_null_text(std::string_view text);

// Digits of Python's float(): "1e5", "1.", "nan"; blanks and underscores as python_is_float takes them.
double parse_python_float(std::string_view text);

}  // namespace attnscope
