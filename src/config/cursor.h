#pragma once
#include <memory>
#include <optional>
#include <string>

#include "config/node.h"

namespace attnscope {

// A node together with the containers that hold it, up to the root of its tree: what an interpolation is resolved
// against. Cheap to copy; the tree must outlive it, nodes that a resolver made live in it.
class ConfigCursor {
 public:
  ConfigCursor() = default;
  explicit ConfigCursor(const ConfigNode& root) : link_(std::make_shared<Link>(Link{nullptr, &root})) {}

  explicit operator bool() const { return link_ != nullptr; }
  const ConfigNode& node() const { return *link_->node; }
  const ConfigNode* operator->() const { return link_->node; }

  ConfigCursor parent() const { return ConfigCursor(link_->parent); }
  ConfigCursor root() const;
  // The member of a dict, the item of a list.
  ConfigCursor child(const ConfigKey& key, const ConfigNode& node) const;
  ConfigCursor item(std::size_t index) const;
  // A node that is not in the tree but stands at `key` of this container (nullopt: nowhere in particular). Opaque ones
  // are plain values although they may be lists or dicts: no path goes into them.
  ConfigCursor made(std::optional<ConfigKey> key, ConfigNode node, bool opaque) const;

  const std::optional<ConfigKey>& key() const { return link_->key; }
  // A dict or list that paths may go into.
  bool is_container() const { return !link_->opaque && !node().is_scalar(); }
  bool is_within(const ConfigNode& ancestor) const;

  // "a.b[0]", as the reference writes it.
  std::string full_key() const;
  // The same of a child of this node, whether there is one or not.
  std::string full_key(const ConfigKey& key) const;

 private:
  struct Link {
    std::shared_ptr<const Link> parent;
    const ConfigNode* node;
    std::optional<ConfigKey> key;
    bool opaque = false;
    std::shared_ptr<const ConfigNode> owned;
  };
  explicit ConfigCursor(std::shared_ptr<const Link> link) : link_(std::move(link)) {}

  std::shared_ptr<const Link> link_;
};

}  // namespace attnscope
