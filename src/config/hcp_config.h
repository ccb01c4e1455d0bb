#pragma once
#include <functional>
#include <string>

#include "config/node.h"

namespace attnscope {

// Loads a config of HCP-Diffusion's dialect: the files that `_base_` lists are loaded in the same way and laid under
// it, the first-listed on top. `read` gives a file's text or throws. In the second dialect the value `---` takes a key
// away.
ConfigNode load_hcp_config(const std::string& path, const std::function<std::string(const std::string& path)>& read,
                           bool second_dialect);

}  // namespace attnscope
