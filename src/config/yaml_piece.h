#pragma once
#include <string>

#include "config/yaml_child_edits.h"
#include "config/yaml_place.h"

namespace attnscope {

// Lines below the first with as many blanks more or less as the columns say.
std::string reindented(const std::string& lines, std::size_t from, std::size_t to);

// The text of a child that is put somewhere else.
struct PieceTarget {
  bool dict = false;               // it gets a key there, which is its own or `key`
  bool flow = false;               // it will stand in brackets
  std::size_t column = 0;          // in blocks
  const ConfigKey* key = nullptr;  // another key
  bool without_anchors = false;    // a second copy cannot have them
};

// As it is written, with the comment behind it. "EditRefused" for comments that have no room there, and for items that
// would need a key.
NewChild piece_of(const YamlText& text, const YamlSpot& spot, const YamlChild& child, const ConfigNode& value,
                  const PieceTarget& target);

}  // namespace attnscope
