#pragma once
#include <string>
#include <string_view>

#include "config/node.h"

namespace attnscope {

// A file's bytes with only those changed that must be, so that it reads as `wanted`: comments, quotes, indentation,
// number forms, anchors, line ends and a byte order mark stay. Of lists the items that stay are found again. What is
// made is read back and compared; ConfigKindError "EditRefused" when it is not the same, or where no such edit is known
// (another order of keys, keys that come from `<<`).
std::string edit_yaml(std::string_view bytes, const std::string& file, const ConfigNode& wanted);

// The same for one scalar of a file that may not load as a tree (tags of other programs). `path` as in select().
std::string edit_yaml_scalar(std::string_view bytes, const std::string& file, const std::string& path,
                             const std::string& text);

}  // namespace attnscope
