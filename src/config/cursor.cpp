#include "config/cursor.h"

namespace attnscope {

ConfigCursor ConfigCursor::root() const {
  std::shared_ptr<const Link> link = link_;
  while (link->parent) link = link->parent;
  return ConfigCursor(link);
}

ConfigCursor ConfigCursor::child(const ConfigKey& key, const ConfigNode& node) const {
  return ConfigCursor(std::make_shared<Link>(Link{link_, &node, key}));
}

ConfigCursor ConfigCursor::item(std::size_t index) const {
  return child(ConfigKey::integer(std::to_string(index)), node().items()[index]);
}

ConfigCursor ConfigCursor::made(std::optional<ConfigKey> key, ConfigNode node, bool opaque) const {
  auto owned = std::make_shared<const ConfigNode>(std::move(node));
  return ConfigCursor(std::make_shared<Link>(Link{link_, owned.get(), std::move(key), opaque, owned}));
}

bool ConfigCursor::is_within(const ConfigNode& ancestor) const {
  for (const Link* link = link_.get(); link; link = link->parent.get())
    if (link->node == &ancestor) return true;
  return false;
}

std::string ConfigCursor::full_key() const {
  std::string text;
  for (const Link* link = link_.get(); link->parent; link = link->parent.get()) {
    if (!link->key) continue;
    const std::string key = link->parent->node->is_list() ? "[" + link->key->text() + "]" : link->key->text();
    text = key + (text.empty() || text.front() == '[' ? "" : ".") + text;
  }
  return text;
}

std::string ConfigCursor::full_key(const ConfigKey& key) const {
  const std::string above = full_key();
  if (node().is_list()) return above + "[" + key.text() + "]";
  return above.empty() ? key.text() : above + "." + key.text();
}

}  // namespace attnscope
