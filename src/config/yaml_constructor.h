#pragma once
#include "config/node.h"
#include "config/yaml_document.h"

namespace attnscope {

// The tree that a YAML document stands for: typed scalars, aliases copied, `<<` merged. ConfigKindError
// "ConstructorError" and others for keys given twice, unknown tags, and texts that are not of their tag's type.
ConfigNode construct_yaml(const YamlSource& source, const YamlDocument& document);

// What OmegaConf checks of a tree when it makes it: key types, whole numbers against their text as keys, and the syntax
// of interpolations. Takes the backslash from `\???`.
void check_tree(ConfigNode& node);

}  // namespace attnscope
