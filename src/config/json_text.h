#pragma once
#include <string>

#include "config/node.h"

namespace attnscope {

// A tree as JSON, two spaces of indentation, a newline at the end. Whole numbers keep all their digits. What JSON does
// not have is text: `.nan`, `.inf`, `-.inf` as YAML spells them, bytes in base64, keys as Python's json spells them
// ("1", "1.5", "true", "null").
std::string to_json(const ConfigNode& node);

}  // namespace attnscope
