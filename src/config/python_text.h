#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "config/node.h"

namespace attnscope {

// Values as Python's str() writes them, which is what an interpolation inside a text puts there: True, None, 1e-05,
// [1, 'a'], {'c': 1}.
std::string python_str(const ConfigNode& node);
std::string python_repr(const ConfigNode& node);
std::string python_float(double value);
std::string python_quoted(const std::string& text);
std::string python_bytes(const std::string& bytes);
std::string python_repr(const ConfigKey& key);
// "str", "int", "NoneType", …
const char* python_type(const ConfigNode& node);

// What Python's int(text) gives, in digits with sign: blanks around, one sign, single underscores between digits.
std::optional<std::string> python_int(std::string_view text);
bool python_is_float(std::string_view text);

}  // namespace attnscope
