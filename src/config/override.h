#pragma once
#include <string>
#include <vector>

#include "config/merge.h"

namespace attnscope {

// Sets values from a dotlist: "a.b=c", "a.b[0]=c". The value is YAML; nothing after "=" is null; a dict is merged into
// a dict. Missing dicts on the way are made, a list item must exist. ConfigError shows the text with a caret under the
// place that is wrong.
void apply_override(ConfigNode& root, const std::string& text);
// `place` is what the values and errors have for theirs, with the key set.
void apply_override(ConfigEditor& editor, const std::string& text, const ConfigPlace& place);
void apply_overrides(ConfigNode& root, const std::vector<std::string>& texts);

}  // namespace attnscope
