#include "documents/config_edits.h"

#include <functional>

#include <QCoreApplication>

#include "config/children.h"
#include "config/errors.h"
#include "config/yaml_loader.h"

namespace attnscope::ui::config_edits {

namespace {

[[noreturn]] void refuse(const QString& message, const QString& hint = {}) {
  throw ConfigKindError("EditRefused", message.toStdString(), {}, hint.toStdString());
}

QString tr(const char* text) { return QCoreApplication::translate("ConfigEdits", text); }

// Several edits as one: when one is refused, those before it are taken back.
ConfigEdit together(std::function<void(EditableConfig&)> steps) {
  return [steps = std::move(steps)](EditableConfig& config) {
    const std::string before = config.bytes();
    try {
      steps(config);
    } catch (...) {
      config.apply(difference(config.bytes(), before));
      throw;
    }
    return difference(before, config.bytes());
  };
}

const ConfigNode& container_at(const EditableConfig& config, const ConfigPath& path) {
  const ConfigNode* node = node_at(config.root(), path);
  if (node && !node->is_scalar()) return *node;
  refuse(tr("This file has no dict or list “%1”.").arg(QString::fromStdString(path_text(config.root(), path))),
         tr("It is in another layer: add it here first."));
}

std::size_t position_of(const EditableConfig& config, const Spot& spot) {
  const ConfigNode& container = container_at(config, spot.container);
  return spot.before ? child_position(container, *spot.before) : child_count(container);
}

// A path after an item of the list at `list` came (+1) or went (-1) at `index`.
void shift(ConfigPath& path, const ConfigPath& list, std::size_t index, int by) {
  if (path.size() <= list.size() || !starts_with(path, list)) return;
  ConfigKey& step = path[list.size()];
  if (const auto at = index_of(step); at && *at >= index) step = index_key(*at + std::size_t(by));
}

void shift(Spot& spot, const ConfigPath& list, std::size_t index, int by) {
  shift(spot.container, list, index, by);
  if (spot.container != list || !spot.before) return;
  if (const auto at = index_of(*spot.before); at && *at >= index) spot.before = index_key(*at + std::size_t(by));
}

// Moves one child; the paths that follow and the spot are brought up to date.
void move_one(EditableConfig& config, const ConfigPath& path, Spot& spot, std::vector<ConfigPath>& rest) {
  const ConfigPath source = parent_path(path);
  const bool from_list = container_at(config, source).is_list();
  const bool to_list = container_at(config, spot.container).is_list();
  const std::size_t to = position_of(config, spot);
  config.move(path, spot.container, to);
  if (from_list) {
    const std::size_t index = index_of(path.back()).value_or(0);
    for (ConfigPath& one : rest) shift(one, source, index + 1, -1);
    shift(spot, source, index + 1, -1);
  }
  if (to_list) {
    // Counted after the item was taken out.
    std::size_t at = to;
    if (source == spot.container && index_of(path.back()).value_or(0) < to) --at;
    const ConfigPath container = spot.container;
    for (ConfigPath& one : rest) shift(one, container, at, 1);
    shift(spot, container, at, 1);
  }
}

void add_members(EditableConfig& config, const ConfigPath& dict, std::size_t at, const ConfigNode& members) {
  for (const auto& [key, value] : members.members())
    if (node_at(config.root(), dict)->find_key(key))
      refuse(tr("“%1” is there already.").arg(QString::fromStdString(key.text())),
             tr("Rename or remove it, or paste into another place."));
  for (const auto& [key, value] : members.members()) config.insert(dict, at++, key, value);
}

void add_items(EditableConfig& config, const ConfigPath& list, std::size_t at, const ConfigNode& value) {
  if (!value.is_list()) {
    config.insert(list, at, index_key(at), value);
    return;
  }
  for (const ConfigNode& item : value.items()) {
    config.insert(list, at, index_key(at), item);
    ++at;
  }
}

void paste_at(EditableConfig& config, const ConfigPath& at, const ConfigNode& value) {
  const ConfigNode* target = node_at(config.root(), at);
  if (target && target->is_dict() && value.is_dict()) return add_members(config, at, child_count(*target), value);
  if (target && target->is_list()) return add_items(config, at, child_count(*target), value);
  if (target && target->is_dict())
    refuse(tr("A dict takes keys, and what was copied has none."), tr("Copy lines such as “key: value”."));
  if (at.empty()) refuse(tr("Nothing can be pasted here."));
  const ConfigPath container = parent_path(at);
  const ConfigNode* around = node_at(config.root(), container);
  const bool in_list = around && around->is_list();
  if (value.is_scalar() || (value.is_list() && !in_list)) {
    config.set(at, value);
    return;
  }
  const std::size_t behind = child_position(container_at(config, container), at.back()) + 1;
  in_list ? add_items(config, container, behind, value) : add_members(config, container, behind, value);
}

}  // namespace

std::string free_key(const ConfigNode& dict, const std::string& name) {
  std::string key = name;
  for (int n = 2; dict.find(key); ++n) key = name + "_" + std::to_string(n);
  return key;
}

ConfigEdit insert(const Spot& spot, const ConfigKey& key, const ConfigNode& value) {
  return [=](EditableConfig& config) {
    const ConfigNode* container = node_at(config.root(), spot.container);
    if (container && container->is_dict() && container->find_key(key))
      refuse(tr("“%1” is there already.").arg(QString::fromStdString(key.text())));
    if (!container && !spot.before)  // a dict of another layer
      return config.set(child_path(spot.container, key), value);
    return config.insert(spot.container, position_of(config, spot), key, value);
  };
}

ConfigEdit remove(const std::vector<ConfigPath>& paths) {
  return [=](EditableConfig& config) { return config.remove(paths); };
}

ConfigEdit rename(const ConfigPath& path, const ConfigKey& key) {
  return [=](EditableConfig& config) { return config.rename(path, key); };
}

ConfigEdit move(const std::vector<ConfigPath>& paths, const Spot& spot) {
  if (paths.size() == 1)
    return [=](EditableConfig& config) { return config.move(paths[0], spot.container, position_of(config, spot)); };
  return together([=](EditableConfig& config) {
    std::vector<ConfigPath> rest(paths.rbegin(), paths.rend());
    Spot to = spot;
    while (!rest.empty()) {
      const ConfigPath path = std::move(rest.back());
      rest.pop_back();
      move_one(config, path, to, rest);
    }
  });
}

ConfigEdit duplicate(const std::vector<ConfigPath>& paths) {
  return together([=](EditableConfig& config) {
    std::vector<ConfigPath> rest(paths.rbegin(), paths.rend());
    while (!rest.empty()) {
      const ConfigPath path = std::move(rest.back());
      rest.pop_back();
      const ConfigPath container = parent_path(path);
      const ConfigNode& around = container_at(config, container);
      if (around.is_dict()) {
        config.duplicate(path, free_key(around, path.back().text() + "_copy"));
        continue;
      }
      const std::size_t index = index_of(path.back()).value_or(0);
      config.duplicate(path, index_key(index + 1));
      for (ConfigPath& one : rest) shift(one, container, index + 1, 1);
    }
  });
}

ConfigEdit paste(const ConfigPath& at, const std::string& yaml) {
  return together([=](EditableConfig& config) {
    if (yaml.find_first_not_of(" \t\r\n") == std::string::npos) refuse(tr("The clipboard holds no text."));
    paste_at(config, at, load_yaml_text(yaml, "clipboard"));
  });
}

}  // namespace attnscope::ui::config_edits
