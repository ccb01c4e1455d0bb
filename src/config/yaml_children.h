#pragma once
#include <optional>
#include <vector>

#include "config/yaml_text.h"

namespace attnscope {

// A child of a dict or list as it stands in the text.
struct YamlChild {
  std::size_t begin = 0;  // of its key or, of block lists, its dash; of flow lists the value
  std::size_t end = 0;    // of its value, without the line ends and blank lines behind a block
  const YamlUse* key = nullptr;
  const YamlUse* value = nullptr;
  bool starts_line = false;  // only blanks before it
};

std::vector<YamlChild> children_of(const YamlText& text, const YamlNode& container);
YamlChild child_of(const YamlText& text, const YamlNode& container, std::size_t index);

// Where a value ends: of blocks the last line's content. `key` is the one it stands under.
std::size_t value_end(const YamlText& text, const YamlUse& value, const YamlUse* key);
// Behind the colon or dash and the value's anchor and tag.
std::size_t header_end(const YamlText& text, const YamlChild& child);
// Whether the value is a block dict or list, or a `|` or `>` text: it goes on below its first line.
bool is_block(const YamlUse& value);

// The comment that stands behind a child, from its "#" to the line's end; with what it is part of.
std::optional<ByteSpan> comment_behind(const YamlText& text, const YamlChild& child, bool flow);
// Where that comment stands, or would.
std::size_t behind_place(const YamlText& text, const YamlChild& child, bool flow);
// The first line of the comments directly above a child that starts its line; that line itself when there are none.
// Comments further to the right than the child belong to what is above. `floor`: not before.
std::size_t comments_begin(const YamlText& text, const YamlChild& child, std::size_t floor);

// Over blanks, line ends and comments.
std::size_t skip_space(const YamlText& text, std::size_t at);
// Where the comma behind a child in brackets stands; nullopt when there is none.
std::optional<std::size_t> comma_behind(const YamlText& text, const YamlChild& child);

}  // namespace attnscope
