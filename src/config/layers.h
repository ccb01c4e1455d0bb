#pragma once
#include <memory>
#include <string>
#include <vector>

#include "config/path.h"
#include "config/resolvers.h"

namespace attnscope {

// One of several configs that are laid on each other.
struct ConfigLayer {
  enum class Kind { base, file, overrides };  // base: named by a file's own `_base_`
  Kind kind = Kind::file;
  std::string name;                        // the file as it was named; of overrides what to call them
  std::shared_ptr<const ConfigNode> tree;  // of a base or file
  std::vector<std::string> overrides;      // key=value texts, applied to what lies below
  bool enabled = true;
};

// The tree of several layers and where each part of it is from.
class MergedConfig {
 public:
  // Lays the enabled ones on each other, first at the bottom, as OmegaConf.merge does. ConfigError with the place of
  // what does not fit (a dict on a list, an override that does not parse).
  explicit MergedConfig(std::vector<ConfigLayer> layers, const ResolverRegistry& registry = {});

  const std::vector<ConfigLayer>& layers() const { return layers_; }
  const ConfigNode& tree() const { return *tree_; }
  std::shared_ptr<const ConfigNode> shared_tree() const { return tree_; }

  // Who gave a node: the layer in force first, then those that it hides. Empty when there is no such node.
  struct Source {
    std::size_t layer;  // of layers()
    ConfigPlace place;
    ConfigNode value;  // containers: empty ones of that kind
  };
  std::vector<Source> blame(const ConfigPath& path) const;

 private:
  std::vector<ConfigLayer> layers_;
  std::shared_ptr<const ConfigNode> tree_;
  // … whatever blame() needs
};

// The layers of a file: what its `_base_` names (from its folder, in the order in which they are laid), then itself.
// ConfigError for a file that is not there and for one that is its own base (the cycle is shown).
std::vector<ConfigLayer> layers_of_file(const std::string& path, std::shared_ptr<const ConfigNode> tree);

}  // namespace attnscope
