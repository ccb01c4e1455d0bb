#include <optional>

#include "case_runner.h"
#include "config/yaml_edit.h"
#include "config/yaml_loader.h"

namespace attnscope {
namespace {

// Paths of edits join keys with dots that the keys themselves may hold, so they are read along the tree. Calls `use`
// with the container and the last step: an index, or a key that may be new.
template <class Use>
void at_path(ConfigNode& node, const std::string& path, const Use& use) {
  if (node.is_list()) {
    const auto close = path.find(']');
    const auto index = static_cast<std::size_t>(std::stoul(path.substr(1, close - 1)));
    const std::string rest = path.substr(close + 1);
    if (rest.empty()) return use(node, ConfigKey::integer(std::to_string(index)), index);
    return at_path(node.items().at(index), rest.starts_with(".") ? rest.substr(1) : rest, use);
  }
  const std::pair<ConfigKey, ConfigNode>* found = nullptr;
  for (const auto& member : node.members()) {
    const std::string& key = member.first.text();
    const bool matches = path == key || path.starts_with(key + ".") || path.starts_with(key + "[");
    if (matches && (!found || key.size() > found->first.text().size())) found = &member;
  }
  if (!found) return use(node, ConfigKey(path), 0);
  const std::string rest = path.substr(found->first.text().size());
  if (rest.empty()) return use(node, found->first, 0);
  at_path(*node.find_key(found->first), rest.starts_with(".") ? rest.substr(1) : rest, use);
}

void apply_change(ConfigNode& root, const Json& change) {
  at_path(root, change["path"], [&](ConfigNode& container, const ConfigKey& key, std::size_t index) {
    if (change.contains("removed")) {
      if (container.is_list()) {
        container.items().erase(container.items().begin() + static_cast<std::ptrdiff_t>(index));
      } else {
        container.erase(key);
      }
      return;
    }
    ConfigNode value = node_of_json(change.contains("added") ? change["added"] : change["new"]);
    if (!container.is_list()) {
      container.set(key, std::move(value));
    } else if (change.contains("added")) {
      container.items().insert(container.items().begin() + static_cast<std::ptrdiff_t>(index), std::move(value));
    } else {
      container.items().at(index) = std::move(value);
    }
  });
}

std::string shown_difference(const std::string& want, const std::string& got) {
  std::size_t at = 0;
  while (at < want.size() && at < got.size() && want[at] == got[at]) ++at;
  const std::size_t from = at < 30 ? 0 : at - 30;
  return "want " + Json(want.substr(from, 90)).dump(-1, ' ', false, Json::error_handler_t::replace) + " got " +
         Json(got.substr(from, 90)).dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string run_config_edit(const Json& test, const std::string& folder) {
  try {
    const std::string file = test["file"], before = test["before"], after = test["after"];
    const std::string bytes = read_config_file(folder + "/" + file);
    const auto at = bytes.find(before);
    if (at == std::string::npos || bytes.find(before, at + 1) != std::string::npos)
      return "the text to replace is not there once";
    std::string want = bytes;
    want.replace(at, before.size(), after);

    std::optional<ConfigNode> tree;
    try {
      tree = load_yaml_text(bytes, file);
    } catch (const ConfigError&) {
      // A file with tags of another program: its scalars can be edited all the same.
    }
    std::string got = bytes;
    if (tree) {
      for (const Json& change : test["changes"]) apply_change(*tree, change);
      got = edit_yaml(bytes, file, *tree);
    } else {
      for (const Json& change : test["changes"]) got = edit_yaml_scalar(got, file, change["path"], change["new"]);
    }
    return got == want ? "" : shown_difference(want, got);
  } catch (const std::exception& error) {
    return std::string("got the error ") + error.what();
  }
}

}  // namespace attnscope
