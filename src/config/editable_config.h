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

  // Replaces a value, or adds it at the end of its dict, or of a list when the index is its size; missing dicts on the
  // way are made, also of nulls. A scalar keeps the place's quotes and number form; one with text() is written like
  // that. A new key that is taken out again by remove() leaves the bytes that were there, if its dict was there.
  BytePatches set(const ConfigPath& path, const ConfigNode& value);
  BytePatches set_all(const std::vector<std::pair<ConfigPath, ConfigNode>>& values);
  // Puts a value before the `index`-th child of a dict or list (at the end when there are fewer). `key` counts in
  // dicts.
  BytePatches insert(const ConfigPath& container, std::size_t index, const ConfigKey& key, const ConfigNode& value);
  // Comments above what is removed stay. A dict or list that loses all children becomes {} or [] in place; a file that
  // loses its last key is an empty dict.
  BytePatches remove(const std::vector<ConfigPath>& paths);
  BytePatches rename(const ConfigPath& path, const ConfigKey& key);
  // Moves a child with its comments before the `index`-th child of a container (counted before the move); within its
  // container this reorders. In another dict it keeps its key, in a list it loses it; an item cannot go into a dict.
  // Comments that would come to stand inside one line of brackets are refused.
  BytePatches move(const ConfigPath& path, const ConfigPath& container, std::size_t index);
  // A copy right behind it, as it is written, without its anchors and the comments above it; `key` counts in dicts.
  BytePatches duplicate(const ConfigPath& path, const ConfigKey& key);

  // The comment lines directly above a child, not further to the right than it, and the comment behind its value (of a
  // block: behind its key or "|"), without "#" and the blank after it; lines parted by "\n".
  struct Comments {
    std::string above, behind;
    bool operator==(const Comments&) const = default;
  };
  Comments comments(const ConfigPath& path) const;
  BytePatches set_comments(const ConfigPath& path, const Comments& comments);

  // Any change of the bytes, such as what was typed or an undo. Throws what loading throws, and std::invalid_argument
  // for patches of another text; nothing changed then.
  void apply(const BytePatches& patches);

  // What else changes with a value because it stands behind an anchor.
  std::vector<ConfigPath> also_changes(const ConfigPath& path) const;
  // For a value that comes from an alias or `<<`, which set() refuses: writes it beside, so that only this place
  // changes (an own key next to `<<`; an alias becomes a dict with `<<` and the key).
  BytePatches override_beside(const ConfigPath& path, const ConfigNode& value);

  // The bytes of a value (of a child with its key or dash when `with_key`): begin and end. An alias has its own place;
  // what is inside one or comes from `<<` has the place where it is written. "EditRefused" when there is none.
  std::pair<std::size_t, std::size_t> span(const ConfigPath& path, bool with_key = false) const;
  // The deepest node that a byte belongs to (its key and comment behind it as well).
  ConfigPath path_at(std::size_t byte) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace attnscope
