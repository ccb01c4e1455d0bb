#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "config/layers.h"

namespace attnscope {

// Loads a config of HCP-Diffusion's dialect: the files that `_base_` lists are loaded in the same way and laid under
// it, the first-listed on top. `read` gives a file's text or throws. In the second dialect the value `---` takes a key
// away.
ConfigNode load_hcp_config(const std::string& path, const std::function<std::string(const std::string& path)>& read,
                           bool second_dialect);

struct HcpFile {
  std::string path;
  std::shared_ptr<const ConfigNode> tree;
};
// The file that `_base_` names in the file `by`, or throws.
using HcpLoad = std::function<HcpFile(const ConfigNode& name, const std::string& by)>;

// What a file's `_base_` names, what that names, and so on, as layers; the file itself last. ConfigKindError
// "RecursionError" for files that name each other, "FileNotFoundError" for a `_base_` that is no list; with
// `text_is_path` one text is a path as well.
std::vector<ConfigLayer> hcp_layers(const HcpFile& file, const HcpLoad& load, bool text_is_path);

}  // namespace attnscope
