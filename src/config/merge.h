#pragma once
#include <functional>
#include <string>
#include <vector>

#include "config/cursor.h"
#include "config/resolvers.h"

namespace attnscope {

// Changes a tree as OmegaConf does. Struct dicts take no new keys, read-only containers take none of these changes.
class ConfigEditor {
 public:
  explicit ConfigEditor(ConfigNode& root, ResolverRegistry registry = {})
      : root_(root), registry_(std::move(registry)) {}

  // Told of each value that was stored, and of each reference that gave way to a copy of the container it leads to.
  struct Watch {
    std::function<void(const ConfigCursor&node)> stored, copied;
  };
  void watch(Watch watch) { watch_ = std::move(watch); }
  const ConfigNode& root() const { return root_; }

  // Lays `over` on the tree: dicts are merged key by key, everything else is replaced. `???` replaces nothing; a
  // reference to a dict that a dict is laid on becomes a copy of that dict. ConfigKindError "TypeError" for a dict on a
  // list and a list on a dict.
  void merge(const ConfigNode& over);
  void merge(ConfigNode&& over);  // of another tree

  struct UpdateOptions {
    bool merge = true;       // a dict into a dict; else replaced
    bool force_add = false;  // also into a struct
  };
  // Sets the value at "a.b[0]". Dicts on the way are made; what is no container gives way to one. Below a reference to
  // a container its target changes.
  void update(const std::string& key, ConfigNode value, const UpdateOptions& options);
  void update(const std::string& key, ConfigNode value) { update(key, std::move(value), UpdateOptions()); }

  // `key=value` with a YAML value; no "=" is null.
  void update_from_dotlist(const std::string& text);

  // Takes out what stands at a key; false when nothing does.
  bool remove(const std::string& key);

 private:
  void merge_dict(const ConfigCursor& dest, ConfigNode& dict, ConfigNode&& over);
  void merge_container(const ConfigCursor& cursor, ConfigNode& node, ConfigNode&& over);
  void assign(const ConfigCursor& container, ConfigNode& node, const ConfigKey& key, ConfigNode value,
              const char* no_key_kind);
  // The same when it is known what stands at the key (nullptr: nothing).
  void store(const ConfigCursor& container, ConfigNode& node, const ConfigKey& key, ConfigNode* old, ConfigNode value,
             const char* no_key_kind);
  bool flag(const ConfigCursor& cursor, ConfigNode::Flag flag) const;
  ConfigCursor update_target(const ConfigCursor& node) const;

  ConfigNode& root_;
  ResolverRegistry registry_;
  Watch watch_;
  bool force_add_ = false;
  bool ignore_readonly_ = false;
};

// The tree of several, each laid on those before it.
ConfigNode merge_configs(ConfigNode base, const std::vector<ConfigNode>& others, const ResolverRegistry& registry = {});

// A tree made of `key=value` texts, to be merged on another. Lists cannot be addressed by index in this way.
ConfigNode tree_from_dotlist(const std::vector<std::string>& texts);

// The first "=" without a backslash before it; npos when there is none.
std::size_t dotlist_equals(const std::string& text);

}  // namespace attnscope
