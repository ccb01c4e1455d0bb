#include "config/hydra_compose.h"

#include <algorithm>
#include <map>
#include <set>

#include "config/errors.h"
#include "config/hydra_override.h"
#include "config/merge.h"
#include "config/python_text.h"
#include "config/resolve.h"
#include "config/yaml_loader.h"

namespace attnscope {
namespace {

constexpr int kMostLevels = 50;

// An entry of a defaults list.
struct Default {
  bool self = false;
  bool optional = false;
  bool is_override = false;
  std::string group;                   // "" for a config without a group
  std::optional<std::string> package;  // after @
  ConfigNode option;                   // text, a list of texts, null
};

// A config of the final list.
struct Part {
  std::string package;
  ConfigNode tree;
};

std::string joined(const std::string& a, const std::string& b, char separator) {
  return a.empty() ? b : b.empty() ? a : a + separator + b;
}

ConfigKindError composition_error(const std::string& message) { return {"ConfigCompositionException", message}; }

// `# @package name` in a line before the first content.
std::optional<std::string> package_header(const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::string line = text.substr(at, text.find('\n', at) - at);
    at += line.size() + 1;
    const auto start = line.find_first_not_of(" \t\r");
    if (start == std::string::npos) continue;
    if (line[start] != '#') return std::nullopt;
    const auto mark = line.find("@package");
    if (mark == std::string::npos) continue;
    std::string name = line.substr(mark + 8);
    name.erase(0, std::min(name.find_first_not_of(" \t"), name.size()));
    name.erase(name.find_last_not_of(" \t\r") + 1);
    return name;
  }
  return std::nullopt;
}

class Composer {
 public:
  explicit Composer(const ConfigFolder& folder) : folder_(folder) {}

  ConfigNode run(const std::string& config, const std::vector<std::string>& texts) {
    std::vector<HydraOverride> values;
    for (const std::string& text : texts) {
      HydraOverride override = parse_hydra_override(text);
      if (folder_.has_group(override.key)) {
        take_group_override(override);
      } else {
        values.push_back(std::move(override));
      }
    }
    // Once to find the `override` entries, which may stand behind what they change, and once to use them.
    expand(config, {}, "", 0, config, true);
    parts_.clear();
    choices_ = ConfigNode();
    expand(config, {}, "", 0, config, true);
    for (const auto& [key, option] : options_) {
      if (used_.count(key)) continue;
      throw composition_error("Could not override '" + key +
                              "'. No match in the defaults list.\nTo append to your default list use +" + key + "=" +
                              python_str(option));
    }
    ConfigNode root{ConfigNode::Dict{}};
    ConfigEditor editor(root);
    for (Part& part : parts_) editor.merge(in_package(part));
    apply_hydra_overrides(root, values);
    return root;
  }

 private:
  void take_group_override(const HydraOverride& override) {
    const std::string key = override.package ? override.key + "@" + *override.package : override.key;
    const ConfigNode option = override.value.value_or(ConfigNode());
    if (override.type == HydraOverride::Type::remove) {
      removed_[key] = option;
    } else if (override.type == HydraOverride::Type::change) {
      options_[key] = option;
    } else {
      appended_.push_back({.group = override.key, .package = override.package, .option = option});
    }
  }

  static std::string key_of(const Default& entry, const std::string& group) {
    return entry.package ? group + "@" + *entry.package : group;
  }

  // Adds the configs of one file to parts_, in order. `path` is the config without ".yaml", `group` its folder.
  void expand(const std::string& path, const std::string& group, const std::string& package, int level,
              const std::string& parent, bool primary = false, bool optional = false) {
    if (level > kMostLevels) throw composition_error("The defaults of '" + path + "' include each other");
    const std::optional<std::string> text = folder_.read(path + ".yaml");
    if (!text) {
      if (optional) return;
      throw ConfigKindError("MissingConfigException", primary ? "Cannot find primary config '" + path + "'"
                                                              : "In '" + parent + "': Could not find '" + path + "'");
    }
    ConfigNode tree = load_yaml_text(*text, path + ".yaml", YamlLimits::reference());
    if (tree.is_null()) tree = ConfigNode(ConfigNode::Dict{});
    std::string home = package;
    if (const auto header = package_header(*text); header && !explicit_package_) home = header_package(*header, group);
    explicit_package_ = false;
    std::vector<Default> entries = read_defaults(tree, path);
    if (primary) entries.insert(entries.end(), appended_.begin(), appended_.end());
    if (std::none_of(entries.begin(), entries.end(), [](const Default& entry) { return entry.self; })) {
      const auto at = primary ? entries.end() - static_cast<std::ptrdiff_t>(appended_.size()) : entries.end();
      entries.insert(at, Default{.self = true});
    }
    tree.erase("defaults");
    for (const Default& entry : entries) {
      if (entry.self) {
        parts_.push_back({home, tree});
      } else if (entry.group.empty()) {
        const std::string name = entry.option.as_string();
        const bool absolute = name.starts_with('/');
        expand(absolute ? name.substr(1) : joined(group, name, '/'), absolute ? "" : group,
               entry.package ? child_package(*entry.package, home) : home, level + 1, path, false, entry.optional);
      } else {
        expand_group(entry, group, home, level, path);
      }
    }
  }

  void expand_group(const Default& entry, const std::string& parent_group, const std::string& home, int level,
                    const std::string& path) {
    const bool absolute = entry.group.starts_with('/');
    const std::string group = absolute ? entry.group.substr(1) : joined(parent_group, entry.group, '/');
    const std::string key = key_of(entry, group);
    if (entry.is_override) {
      inner_options_.emplace(key, entry.option);
      return;
    }
    if (const auto removed = removed_.find(key); removed != removed_.end()) {
      if (removed->second.is_null() || removed->second == entry.option) return;
    }
    ConfigNode option = entry.option;
    if (const auto inner = inner_options_.find(key); inner != inner_options_.end()) option = inner->second;
    if (const auto chosen = options_.find(key); chosen != options_.end()) {
      option = chosen->second;
      used_.insert(key);
    }
    std::string dotted = group;
    std::replace(dotted.begin(), dotted.end(), '/', '.');
    std::string package = dotted;
    if (entry.package) package = child_package(*entry.package, home, dotted);
    const ConfigNode::List options = option.is_list() ? option.items() : ConfigNode::List{option};
    for (const ConfigNode& each : options) {
      if (each.is_null()) continue;
      if (each.is_missing()) {
        throw composition_error("You must specify '" + key + "', e.g, " + key + "=<OPTION>");
      }
      const std::string name = resolved_option(each);
      choices_.set(key, ConfigNode(name));
      explicit_package_ = entry.package.has_value();
      expand(joined(group, name, '/'), group, package, level + 1, path, false, entry.optional);
    }
  }

  // An option may refer to the choices made before it.
  std::string resolved_option(const ConfigNode& option) {
    if (!option.is_interpolation()) return python_str(option);
    ConfigNode tree = choices_.is_null() ? ConfigNode(ConfigNode::Dict{}) : choices_;
    tree.set("$option", option);
    ConfigResolver resolver(tree);
    return python_str(resolver.access(resolver.root(), "$option").node());
  }

  static std::string child_package(const std::string& package, const std::string& home, const std::string& group = {}) {
    if (package == "_global_") return {};
    if (package.starts_with("_global_.")) return package.substr(9);
    if (package == "_here_") return home;
    if (package == "_group_") return group;
    return joined(home, package, '.');
  }

  static std::string header_package(const std::string& name, std::string group) {
    std::replace(group.begin(), group.end(), '/', '.');
    if (name == "_global_") return {};
    if (name == "_group_") return group;
    return name;
  }

  std::vector<Default> read_defaults(const ConfigNode& tree, const std::string& path) const {
    std::vector<Default> entries;
    const ConfigNode* defaults = tree.find("defaults");
    if (!defaults) return entries;
    if (!defaults->is_list()) throw composition_error("Error in '" + path + "': the defaults must be a list");
    for (const ConfigNode& item : defaults->items()) {
      Default entry;
      if (item.kind() == ConfigNode::Kind::string) {
        std::string name = item.as_string();
        entry.self = name == "_self_";
        take_word(name, "optional ", entry.optional);
        split_package(name, entry);
        entry.option = ConfigNode(name);
      } else if (item.is_dict() && item.members().size() == 1) {
        std::string name = item.members()[0].first.text();
        take_word(name, "optional ", entry.optional);
        take_word(name, "override ", entry.is_override);
        split_package(name, entry);
        entry.group = name;
        entry.option = item.members()[0].second;
      } else {
        throw composition_error("Error in '" + path + "': a default is a config, or one group with its option");
      }
      entries.push_back(std::move(entry));
    }
    return entries;
  }

  static void take_word(std::string& name, std::string_view word, bool& found) {
    if (!name.starts_with(word)) return;
    found = true;
    name.erase(0, word.size());
  }

  static void split_package(std::string& name, Default& entry) {
    const auto at = name.find('@');
    if (at == std::string::npos) return;
    entry.package = name.substr(at + 1);
    name.erase(at);
  }

  static ConfigNode in_package(Part& part) {
    if (part.package.empty()) return std::move(part.tree);
    ConfigNode root{ConfigNode::Dict{}};
    ConfigEditor(root).update(part.package, std::move(part.tree));
    return root;
  }

  const ConfigFolder& folder_;
  std::map<std::string, ConfigNode> options_, inner_options_, removed_;
  std::set<std::string> used_;
  std::vector<Default> appended_;
  std::vector<Part> parts_;
  ConfigNode choices_;
  bool explicit_package_ = false;
};

}  // namespace

ConfigNode compose_hydra(const ConfigFolder& folder, const std::string& config,
                         const std::vector<std::string>& overrides) {
  return Composer(folder).run(config, overrides);
}

}  // namespace attnscope
