#pragma once
#include <string>

#include "case_values.h"
#include "config/errors.h"

namespace attnscope {

// Runs one case of a file of executed OmegaConf cases. `folder` holds the files that cases name. "" when it passes,
// else what was wanted and what came.
std::string run_config_case(const Json& test, const std::string& folder);

// The same for a byte-exact edit of a sample file.
std::string run_config_edit(const Json& test, const std::string& folder);

// Whether an error is the wanted one, as far as the format says so: of YAML errors the kind and place count, of others
// the kind, the first line of the text and the key. The texts of parser generators do not count.
std::string compare_error(const Json& want, const ConfigKindError& got);

}  // namespace attnscope
