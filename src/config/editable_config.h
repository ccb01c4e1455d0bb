#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "config/byte_patch.h"
#include "config/path.h"
#include "config/yaml_limits.h"

namespace attnscope {

// A config file that is being edited: its bytes and the tree they read as. Every edit changes only the bytes it must
// (comments, quotes, indentation, number forms, anchors, line ends and a byte order mark stay), is read back and
// compared, and returns what it did to the bytes; ConfigKindError "EditRefused" says why not, and nothing changed.
class EditableConfig {
 public:
  // Throws what load_yaml_text throws. `file` stands for the text in places.
  EditableConfig(std::string bytes, std::string file, const YamlLimits& limits = YamlLimits::generous());
  EditableConfig(EditableConfig&&) noexcept;
  EditableConfig& operator=(EditableConfig&&) noexcept;
  ~EditableConfig();

  const std::string& bytes() const;
  const ConfigNode& root() const;
  // The same tree, to be kept beyond the next edit.
  std::shared_ptr<const ConfigNode> shared_root() const;

  // Replaces a value, or adds it at the end of its dict; missing dicts on the way are made. A scalar keeps the place's
  // quotes and number form; one with text() is written like that.
  BytePatches set(const ConfigPath& path, const ConfigNode& value);
  BytePatches set_all(const std::vector<std::pair<ConfigPath, ConfigNode>>& values);
  // Puts a value before the `index`-th child of a dict or list (at the end when there are fewer). `key` counts in
  // dicts.
  BytePatches insert(const ConfigPath& container, std::size_t index, const ConfigKey& key, const ConfigNode& value);
  BytePatches remove(const std::vector<ConfigPath>& paths);
  BytePatches rename(const ConfigPath& path, const ConfigKey& key);
  // Moves a child with its comments before the `index`-th child of a container (counted before the move); within its
  // container this reorders. In another dict it keeps its key.
  BytePatches move(const ConfigPath& path, const ConfigPath& container, std::size_t index);
  // A copy right behind it, as it is written; `key` counts in dicts.
  BytePatches duplicate(const ConfigPath& path, const ConfigKey& key);

  // The comment lines above a child and the comment behind its value, without "#"; lines parted by "\n".
  struct Comments {
    std::string above, behind;
    bool operator==(const Comments&) const = default;
  };
  Comments comments(const ConfigPath& path) const;
  BytePatches set_comments(const ConfigPath& path, const Comments& comments);

  // Any change of the bytes, such as what was typed or an undo. Throws what loading throws; nothing changed then.
  void apply(const BytePatches& patches);

  // What else changes with a value because it stands behind an anchor.
  std::vector<ConfigPath> also_changes(const ConfigPath& path) const;
  // For a value that comes from an alias or `<<`, which set() refuses: writes it beside, so that only this place
  // changes (an own key next to `<<`; an alias becomes a dict with `<<` and the key).
  BytePatches override_beside(const ConfigPath& path, const ConfigNode& value);

  // The bytes of a value (of a child with its key when `with_key`): begin and end. An alias has its own place.
  std::pair<std::size_t, std::size_t> span(const ConfigPath& path, bool with_key = false) const;
  // The deepest node that a byte belongs to (its key and comment behind it as well).
  ConfigPath path_at(std::size_t byte) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace attnscope
