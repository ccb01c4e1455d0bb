#include "config/yaml_loader.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "config/yaml_constructor.h"

namespace attnscope {

ConfigNode load_yaml_text(std::string_view text, const std::string& source, const YamlLimits& limits) {
  const YamlSource characters(text, source);
  const YamlDocument document(characters);
  check_yaml_limits(characters, document, limits);
  ConfigNode root = construct_yaml(characters, document);
  if (!root.is_scalar()) check_tree(root);  // a lone text is no value yet
  return root;
}

std::string read_config_file(const std::string& path) {
  const ConfigPlace file{path};
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) {
      throw ConfigKindError("FileNotFoundError", "no such file", file, "Check the path.");
    }
    throw ConfigError("cannot be read: " + std::string(std::strerror(errno)), file);
  }
  if (S_ISDIR(info.st_mode)) throw ConfigError("is a folder, not a config file", file);
  std::ifstream in(path, std::ios::binary);
  std::ostringstream content;
  content << in.rdbuf();
  if (!in.is_open() || in.bad()) throw ConfigError("cannot be read", file);
  return std::move(content).str();
}

ConfigNode load_yaml_file(const std::string& path, const YamlLimits& limits) {
  ConfigNode root = load_yaml_text(read_config_file(path), path, limits);
  if (root.is_null()) {
    root = ConfigNode(ConfigNode::Dict{});
    root.set_place({path});
  }
  if (root.is_scalar()) throw ConfigError("must hold keys and values, not just " + describe(root), root.place());
  return root;
}

}  // namespace attnscope
