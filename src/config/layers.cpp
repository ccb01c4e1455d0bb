#include "config/layers.h"

#include <algorithm>
#include <filesystem>

#include "config/errors.h"
#include "config/hcp_config.h"
#include "config/merge.h"
#include "config/override.h"
#include "config/yaml_loader.h"

namespace attnscope {
namespace {

namespace fs = std::filesystem;

ConfigPath path_of(const ConfigCursor& cursor) {
  ConfigPath path;
  for (ConfigCursor at = cursor; at; at = at.parent())
    if (at.key()) path.push_back(*at.key());
  std::reverse(path.begin(), path.end());
  return path;
}

// Without what is below a container.
ConfigNode top_of(const ConfigNode& node) {
  if (node.is_scalar()) return node;
  return node.is_list() ? ConfigNode(ConfigNode::List{}) : ConfigNode(ConfigNode::Dict{});
}

ConfigNode container_of(const ConfigLayer& layer) {
  if (!layer.enabled || !layer.tree || layer.tree->is_null()) return ConfigNode(ConfigNode::Dict{});
  if (layer.tree->is_scalar()) {
    throw ConfigError("must hold keys and values, not just " + describe(*layer.tree), layer.tree->place());
  }
  return *layer.tree;
}

// From the working folder when it lies below it, else absolute: one text for each file.
std::string short_path(const fs::path& path) {
  std::error_code ignored;
  const fs::path here = fs::current_path(ignored);
  const fs::path whole = (here / path).lexically_normal();
  const fs::path inside = whole.lexically_relative(here);
  return (inside.empty() || *inside.begin() == ".." ? whole : inside).string();
}

std::string find_base(const ConfigNode& name, const std::string& by) {
  if (name.kind() != ConfigNode::Kind::string) {
    throw ConfigError("_base_ takes paths, not " + describe(name), name.place());
  }
  const fs::path named(name.as_string());
  std::error_code ignored;
  if (fs::exists(named, ignored)) return short_path(named);
  const fs::path file = fs::current_path(ignored) / by;
  for (fs::path folder = file.parent_path(); named.is_relative(); folder = folder.parent_path()) {
    if (fs::exists(folder / named, ignored)) return short_path(folder / named);
    if (folder == folder.parent_path()) break;
  }
  throw ConfigKindError("FileNotFoundError", "no such file: " + named.string(), name.place(),
                        "_base_ is looked for in the working folder, beside the file and in the folders above.");
}

}  // namespace

MergedConfig::MergedConfig(std::vector<ConfigLayer> layers, const ResolverRegistry& registry)
    : layers_(std::move(layers)) {
  ConfigNode tree{ConfigNode::Dict{}};
  bool empty = true;
  for (std::size_t first = 0; first < layers_.size();) {
    std::size_t last = first;
    while (last + 1 < layers_.size() && layers_[last].depth > 0) ++last;
    const bool counts = std::any_of(layers_.begin() + static_cast<std::ptrdiff_t>(first),
                                    layers_.begin() + static_cast<std::ptrdiff_t>(last) + 1,
                                    [](const ConfigLayer& layer) { return layer.enabled; });
    if (counts && layers_[last].kind == ConfigLayer::Kind::overrides) {
      apply(tree, last, registry);
    } else if (counts && empty) {
      tree = lay_group(first, last, registry);
      empty = false;
    } else if (counts) {
      lay(tree, lay_group(first, last, registry), first, registry);
    }
    first = last + 1;
  }
  const bool has_bases = std::any_of(layers_.begin(), layers_.end(),
                                     [](const ConfigLayer& layer) { return layer.kind == ConfigLayer::Kind::base; });
  if (has_bases && tree.is_dict()) tree.erase("_base_");
  tree_ = std::make_shared<const ConfigNode>(std::move(tree));
  std::stable_sort(given_.begin(), given_.end(), [](const Given& a, const Given& b) { return a.layer < b.layer; });
}

// The file `last` with its bases, which stand before it, under it: each of them comes with its own bases.
ConfigNode MergedConfig::lay_group(std::size_t first, std::size_t last, const ResolverRegistry& registry) {
  ConfigNode tree = container_of(layers_[last]);
  std::size_t top = last;
  for (std::size_t end = last; end > first;) {
    const std::size_t base = end - 1;
    std::size_t begin = base;
    while (begin > first && layers_[begin - 1].depth > layers_[base].depth) --begin;
    ConfigNode under = lay_group(begin, base, registry);
    lay(under, std::move(tree), top, registry);
    tree = std::move(under);
    top = end = begin;
  }
  return tree;
}

void MergedConfig::lay(ConfigNode& under, ConfigNode over, std::size_t layer, const ResolverRegistry& registry) {
  ConfigEditor editor(under, registry);
  editor.watch({.stored = {}, .copied = [&](const ConfigCursor& node) {
                  given_.push_back({layer, path_of(node), node.node(), true});
                }});
  editor.merge(std::move(over));
}

void MergedConfig::apply(ConfigNode& under, std::size_t layer, const ResolverRegistry& registry) {
  ConfigEditor editor(under, registry);
  editor.watch({.stored =
                    [&](const ConfigCursor& node) {
                      given_.push_back({layer, path_of(node), node.node(), false});
                    },
                .copied = {}});
  const auto& texts = layers_[layer].overrides;
  for (std::size_t i = 0; i < texts.size(); ++i)
    apply_override(editor, texts[i], {layers_[layer].name, static_cast<int>(i) + 1});
}

std::vector<MergedConfig::Source> MergedConfig::blame(const ConfigPath& path) const {
  std::vector<Source> sources;
  const ConfigNode* in_force = node_at(*tree_, path);
  if (!in_force) return sources;
  auto given = given_.rbegin();
  for (std::size_t layer = layers_.size(); layer-- > 0;) {
    const ConfigLayer& here = layers_[layer];
    if (here.enabled && here.tree) {
      if (const ConfigNode* node = node_at(*here.tree, path)) add_source(sources, layer, *node);
    }
    for (; given != given_.rend() && given->layer == layer; ++given) {
      if (!starts_with(path, given->path)) continue;
      const ConfigPath rest(path.begin() + static_cast<std::ptrdiff_t>(given->path.size()), path.end());
      const ConfigNode* node = node_at(given->value, rest);
      if (!node || (given->copied && rest.empty())) continue;
      add_source(sources, given->copied ? layer_of(node->place(), layer) : layer, *node);
    }
  }
  return sources;
}

void MergedConfig::add_source(std::vector<Source>& sources, std::size_t layer, const ConfigNode& value) const {
  // What a file leaves open with `???` is taken from below.
  while (!sources.empty() && sources.back().value.is_missing() &&
         layers_[sources.back().layer].kind != ConfigLayer::Kind::overrides)
    sources.pop_back();
  sources.push_back({layer, value.place(), top_of(value)});
}

std::size_t MergedConfig::layer_of(const ConfigPlace& place, std::size_t fallback) const {
  for (std::size_t layer = layers_.size(); layer-- > 0;) {
    const ConfigLayer& here = layers_[layer];
    if (here.enabled && (here.tree ? here.tree->place().file : here.name) == place.file) return layer;
  }
  return fallback;
}

std::vector<ConfigLayer> layers_of_file(const std::string& path, std::shared_ptr<const ConfigNode> tree) {
  const auto load = [](const ConfigNode& name, const std::string& by) {
    const std::string file = find_base(name, by);
    return HcpFile{file, std::make_shared<const ConfigNode>(load_yaml_file(file))};
  };
  std::vector<ConfigLayer> layers = hcp_layers({short_path(path), std::move(tree)}, load, true);
  layers.back().name = path;
  return layers;
}

}  // namespace attnscope
