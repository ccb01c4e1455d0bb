#pragma once
#include "config/yaml_child_edits.h"
#include "config/yaml_spelling.h"

namespace attnscope {

// How the text writes a new value there.
YamlPlace place_in(const YamlText& text, bool flow, const YamlNode* like = nullptr);

// The root as a child of nothing.
YamlChild root_child(const YamlText& text);

// Writes another value at a child's place; keeps its anchor, its quotes and number form, a `|`, the comments behind it,
// and a tag that names the type. `flow`: it stands in brackets.
void replace_value(const YamlText& text, TextEdits& edits, const YamlChild& child, const ConfigNode& value, bool flow);

// A new child of a container: `key` is nullptr for items. Its text is quoted as its siblings are.
NewChild new_child(const YamlText& text, const ChildEdits& container, std::size_t index, const ConfigKey* key,
                   const ConfigNode& value);

// The first children of a dict or list that is empty or null. `child` is that; `flow`: it stands in brackets itself.
void fill_empty(const YamlText& text, TextEdits& edits, const YamlChild& child, const ConfigNode& children, bool flow);

}  // namespace attnscope
