#pragma once
#include <optional>
#include <string>

#include "config/text_edits.h"
#include "config/yaml_place.h"

namespace attnscope {

// The comment lines directly above a child and the comment behind its value, without "#" and the blank after it; lines
// are parted by "\n".
struct YamlComments {
  std::string above, behind;
  bool operator==(const YamlComments&) const = default;
};

YamlComments comments_of(const YamlText& text, const YamlSpot& spot);

// Lines that stay are not touched; new ones look like the file's. "EditRefused" where a comment has no room.
void change_comments(const YamlText& text, TextEdits& edits, const YamlSpot& spot, const YamlComments& wanted);

}  // namespace attnscope
