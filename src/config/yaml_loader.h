#pragma once
#include <string>
#include <string_view>

#include "config/node.h"
#include "config/yaml_limits.h"

namespace attnscope {

// Reads one YAML document. Scalars are read as OmegaConf does (config/scalar.h), aliases become copies, `<<` merges.
// ConfigError with file:line:column: no such file, a folder, not UTF-8, not YAML, a key given twice, tabs as
// indentation, unknown tags, more than one document, an interpolation that is not closed. An empty file is an empty
// dict.
ConfigNode load_yaml_file(const std::string& path, const YamlLimits& limits = YamlLimits::generous());

// `source` stands for the file in messages and places. Any kind of value may be the root.
ConfigNode load_yaml_text(std::string_view text, const std::string& source,
                          const YamlLimits& limits = YamlLimits::generous());

// The bytes of a config file. ConfigError: no such file, a folder, not readable.
std::string read_config_file(const std::string& path);

}  // namespace attnscope
