#include "config/hcp_config.h"

#include "config/errors.h"
#include "config/merge.h"
#include "config/yaml_loader.h"

namespace attnscope {
namespace {

constexpr int kMostLevels = 50;
using Read = std::function<std::string(const std::string& path)>;

ConfigNode load(const std::string& path, const Read& read, int level) {
  if (level > kMostLevels) {
    throw ConfigKindError("RecursionError", "the files that _base_ names include each other", {path});
  }
  ConfigNode tree = load_yaml_text(read(path), path, YamlLimits::reference());
  if (tree.is_null()) tree = ConfigNode(ConfigNode::Dict{});
  const ConfigNode* bases = tree.find("_base_");
  if (!bases) return tree;
  if (!bases->is_list()) {
    throw ConfigKindError("FileNotFoundError", "file not found", bases->place(),
                          "_base_ takes a list of files: the reference reads a text letter by letter.");
  }
  const ConfigNode::List files = bases->items();
  for (const ConfigNode& file : files) {
    ConfigNode base = load(file.as_string(), read, level + 1);
    ConfigEditor(base).merge(tree);
    tree = std::move(base);
  }
  tree.erase("_base_");
  return tree;
}

void remove_marked(ConfigNode& node) {
  if (node.is_dict()) {
    std::erase_if(node.members(), [](const auto& member) {
      return member.second.kind() == ConfigNode::Kind::string && member.second.as_string() == "---";
    });
    for (auto& [key, value] : node.members()) remove_marked(value);
  } else if (node.is_list()) {
    for (ConfigNode& item : node.items()) remove_marked(item);
  }
}

}  // namespace

ConfigNode load_hcp_config(const std::string& path, const Read& read, bool second_dialect) {
  ConfigNode tree = load(path, read, 0);
  if (second_dialect) remove_marked(tree);
  return tree;
}

}  // namespace attnscope
