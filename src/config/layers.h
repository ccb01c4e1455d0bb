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
  int depth = 0;  // of a base: 1 when the file behind it names it, 2 when a base of depth 1 does, …
};

// The tree of several layers and where each part of it is from.
class MergedConfig {
 public:
  // Lays the enabled ones on each other, first at the bottom, as OmegaConf.merge does. Bases are first laid under the
  // file that names them, as HCP-Diffusion does, and `_base_` is gone then. ConfigError with the place of what does not
  // fit (a dict on a list, an override that does not parse).
  explicit MergedConfig(std::vector<ConfigLayer> layers, const ResolverRegistry& registry = {});

  const std::vector<ConfigLayer>& layers() const { return layers_; }
  const ConfigNode& tree() const { return *tree_; }
  std::shared_ptr<const ConfigNode> shared_tree() const { return tree_; }

  // Who gave a node: the layer in force first, then those that it hides. Empty when there is no such node. A `???` in a
  // later layer hides nothing.
  struct Source {
    std::size_t layer;  // of layers()
    ConfigPlace place;  // of an override: the layer's name, as the line which of its overrides (from 1), and the key
    ConfigNode value;   // containers: empty ones of that kind
  };
  std::vector<Source> blame(const ConfigPath& path) const;

 private:
  // A value that is in the tree although no layer has it at that path.
  struct Given {
    std::size_t layer;  // the one that did it; of a copy the lowest of those that it lies under
    ConfigPath path;
    ConfigNode value;
    bool copied;  // from elsewhere in the tree, as it stood there before that layer
  };

  ConfigNode lay_group(std::size_t first, std::size_t last, const ResolverRegistry& registry);
  void lay(ConfigNode& under, ConfigNode over, std::size_t layer, const ResolverRegistry& registry);
  void apply(ConfigNode& under, std::size_t layer, const ResolverRegistry& registry);
  void add_source(std::vector<Source>& sources, std::size_t layer, const ConfigNode& value) const;
  std::size_t layer_of(const ConfigPlace& place, std::size_t fallback) const;

  std::vector<ConfigLayer> layers_;
  std::shared_ptr<const ConfigNode> tree_;
  std::vector<Given> given_;  // in the order in which it happened
};

// The layers of a file: what its `_base_` names (a list or one path), in the order in which they are laid, then itself.
// As in HCP-Diffusion paths start at the working folder; what is not there is looked for beside the file that names it
// and in the folders above. ConfigError for a file that is not there and for files that name each other (the cycle is
// shown).
std::vector<ConfigLayer> layers_of_file(const std::string& path, std::shared_ptr<const ConfigNode> tree);

}  // namespace attnscope
