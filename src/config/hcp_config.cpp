#include "config/hcp_config.h"

#include <algorithm>

#include "config/errors.h"
#include "config/yaml_loader.h"

namespace attnscope {
namespace {

constexpr std::size_t kMostLevels = 50;

// "a.yaml -> b.yaml -> a.yaml", without the folder when it is one for all.
std::string chain(const std::vector<std::string>& files) {
  const std::string folder = files[0].substr(0, files[0].rfind('/') + 1);
  const bool same =
      std::all_of(files.begin(), files.end(), [&](const std::string& file) { return file.starts_with(folder); });
  std::string text;
  for (const std::string& file : files) text += (text.empty() ? "" : " -> ") + file.substr(same ? folder.size() : 0);
  return text;
}

// Follows `_base_` from file to file.
class Bases {
 public:
  Bases(const HcpLoad& load, bool text_is_path) : load_(load), text_is_path_(text_is_path) {}

  void add(const HcpFile& file, ConfigLayer::Kind kind) {
    open_.push_back(file.path);
    // The first-listed lies on top of the others.
    const std::vector<const ConfigNode*> names = named_by(*file.tree);
    for (auto name = names.rbegin(); name != names.rend(); ++name) {
      const HcpFile base = load_(**name, file.path);
      check_cycle(base.path, (*name)->place());
      add(base, ConfigLayer::Kind::base);
    }
    open_.pop_back();
    layers_.push_back({.kind = kind,
                       .name = file.path,
                       .tree = file.tree,
                       .overrides = {},
                       .enabled = true,
                       .depth = static_cast<int>(open_.size())});
  }
  std::vector<ConfigLayer> take() { return std::move(layers_); }

 private:
  std::vector<const ConfigNode*> named_by(const ConfigNode& tree) const {
    std::vector<const ConfigNode*> names;
    const ConfigNode* bases = tree.find("_base_");
    if (!bases) return names;
    if (bases->is_list()) {
      for (const ConfigNode& name : bases->items()) names.push_back(&name);
    } else if (text_is_path_ && bases->kind() == ConfigNode::Kind::string) {
      names.push_back(bases);
    } else {
      throw ConfigKindError("FileNotFoundError", "file not found", bases->place(),
                            "_base_ takes a list of files: the reference reads a text letter by letter.");
    }
    return names;
  }

  void check_cycle(const std::string& path, const ConfigPlace& place) const {
    if (const auto first = std::find(open_.begin(), open_.end(), path); first != open_.end()) {
      std::vector<std::string> files(first, open_.end());
      files.push_back(path);
      throw ConfigKindError("RecursionError", "the files that _base_ names include each other: " + chain(files), place);
    }
    if (open_.size() > kMostLevels) {
      throw ConfigKindError("RecursionError", "_base_ leads through more than 50 files", place);
    }
  }

  const HcpLoad& load_;
  bool text_is_path_;
  std::vector<std::string> open_;  // the files on the way to the one that is being read
  std::vector<ConfigLayer> layers_;
};

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

std::vector<ConfigLayer> hcp_layers(const HcpFile& file, const HcpLoad& load, bool text_is_path) {
  Bases bases(load, text_is_path);
  bases.add(file, ConfigLayer::Kind::file);
  return bases.take();
}

ConfigNode load_hcp_config(const std::string& path, const std::function<std::string(const std::string& path)>& read,
                           bool second_dialect) {
  const auto load = [&](const std::string& file) {
    return HcpFile{file, std::make_shared<const ConfigNode>(load_yaml_text(read(file), file, YamlLimits::reference()))};
  };
  const auto load_named = [&](const ConfigNode& name, const std::string&) { return load(name.as_string()); };
  ConfigNode tree = MergedConfig(hcp_layers(load(path), load_named, false)).tree();
  if (tree.is_dict()) tree.erase("_base_");
  if (second_dialect) remove_marked(tree);
  return tree;
}

}  // namespace attnscope
