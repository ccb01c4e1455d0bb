#pragma once
#include <string>

#include "config/node.h"

namespace attnscope {

// YAML text that reads back as the same tree, here and in OmegaConf: block style, two spaces, short lists of scalars in
// one line. Text is quoted where it would read as something else.
std::string to_yaml(const ConfigNode& node);

// One scalar: `true`, `1.0e-05`, `plain text`, `"12:30"`.
std::string scalar_to_yaml(const ConfigNode& node);

// A text in double quotes, in one line.
std::string double_quoted(const std::string& text);

}  // namespace attnscope
