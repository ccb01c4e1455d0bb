#include "config/path.h"

#include <algorithm>

namespace attnscope {

std::string path_step(std::string_view key) {
  std::string out;
  for (const char c : key) {
    if (c == '.' || c == '[' || c == ']' || c == '=') out += '\\';
    out += c;
  }
  return out;
}

ConfigKey index_key(std::size_t index) { return ConfigKey::integer(std::to_string(index)); }

std::optional<std::size_t> index_of(const ConfigKey& key) {
  const int64_t index = key.is_integer() ? list_index(key.text()) : -1;
  if (index < 0) return std::nullopt;
  return static_cast<std::size_t>(index);
}

std::string path_text(const ConfigNode& root, const ConfigPath& path) {
  std::string text;
  const ConfigNode* node = &root;
  for (const ConfigKey& key : path) {
    const bool item = node && node->is_list();
    if (item) {
      text += "[" + key.text() + "]";
    } else {
      text += (text.empty() ? "" : ".") + path_step(key.text());
    }
    node = node ? node_at(*node, {key}) : nullptr;
  }
  return text;
}

const ConfigNode* node_at(const ConfigNode& root, const ConfigPath& path) {
  const ConfigNode* node = &root;
  for (const ConfigKey& key : path) {
    if (node->is_list()) {
      const auto index = index_of(key);
      if (!index || *index >= node->items().size()) return nullptr;
      node = &node->items()[*index];
    } else {
      node = node->is_dict() ? node->find_key(key) : nullptr;
      if (!node) return nullptr;
    }
  }
  return node;
}

ConfigNode* node_at(ConfigNode& root, const ConfigPath& path) {
  return const_cast<ConfigNode*>(node_at(static_cast<const ConfigNode&>(root), path));
}

std::optional<ConfigPath> find_path(const ConfigNode& root, std::string_view text) {
  ConfigPath path;
  if (text.empty()) return path;
  const ConfigNode* node = &root;
  for (const std::string& step : split_key(text)) {
    ConfigKey key = node->is_list() ? ConfigKey::integer(step) : node->key_of(step);
    node = node_at(*node, {key});
    if (!node) return std::nullopt;
    path.push_back(std::move(key));
  }
  return path;
}

ConfigPath child_path(ConfigPath path, const ConfigKey& key) {
  path.push_back(key);
  return path;
}

ConfigPath parent_path(const ConfigPath& path) { return first_steps(path, path.size() - 1); }

ConfigPath first_steps(const ConfigPath& path, std::size_t count) {
  return {path.begin(), path.begin() + static_cast<std::ptrdiff_t>(count)};
}

bool starts_with(const ConfigPath& path, const ConfigPath& ancestor) {
  return path.size() >= ancestor.size() && std::equal(ancestor.begin(), ancestor.end(), path.begin());
}

}  // namespace attnscope
