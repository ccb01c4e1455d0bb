#pragma once
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "config/yaml_change.h"
#include "config/yaml_place.h"

namespace attnscope {

// One edit of a text while it is put together: changes of its bytes, and what the tree must be afterwards. Every
// function may refuse (ConfigKindError "EditRefused").
class ConfigEdit {
 public:
  explicit ConfigEdit(const YamlText& text) : text_(text), edits_(text), change_(text, edits_) {}

  void set(const ConfigPath& path, const ConfigNode& value);
  void remove(std::vector<ConfigPath> paths);
  void insert(const ConfigPath& container, std::size_t index, const ConfigKey& key, const ConfigNode& value);

  void rename(const ConfigPath& path, const ConfigKey& key);
  void duplicate(const ConfigPath& path, const ConfigKey& key);
  void move(const ConfigPath& path, const ConfigPath& container, std::size_t index);
  void override_beside(const ConfigPath& path, const ConfigNode& value);

  // The spot, which must exist and be written where the path says; its container may be asked for with may_alias.
  YamlSpot own_spot(const ConfigPath& path, bool may_alias = false) const;
  YamlChild child_at(const YamlSpot& spot) const;
  ChildEdits& children(const ConfigPath& container, const YamlSpot& spot);
  // The entry or item before which the `index`-th child of the tree's container stands.
  std::size_t written_index(const ConfigPath& container, const YamlSpot& spot, std::size_t index) const;

  TextEdits& edits() { return edits_; }
  // What must be at a path afterwards. It may change there, and where the same is used through aliases and `<<`.
  void expect(const ConfigPath& path, ConfigNode value);
  void allow(const ConfigPath& path);
  // A child of a container may change.
  void allow_child(const ConfigPath& container, const YamlSpot& spot, const ConfigKey& key);
  // Copies of containers, the outermost of them, to be changed into what is expected.
  void expect_containers(std::vector<ConfigPath> paths);
  ConfigNode& expected(const ConfigPath& path);

  struct Result {
    BytePatches patches;
    std::unique_ptr<YamlText> text;  // nullptr when nothing changes
  };
  // Reads what comes out and compares it.
  Result finish(const YamlLimits& limits);

 private:
  // Children for a dict or list that has none yet, or at the end of one.
  struct Addition {
    YamlSpot spot;
    ConfigPath path;
    ConfigNode children;
  };

  NewChild piece_with_comments(const YamlSpot& spot, const ChildEdits& source, const ConfigNode& value,
                               const ChildEdits& target) const;
  // The comment lines from `begin` to a child, as they stand above one at another column.
  std::string comments_over(const YamlChild& child, std::size_t begin, std::size_t column) const;
  bool permute(const ChildEdits& edits, const YamlSpot& spot, std::size_t index);
  void move_into_empty(const YamlSpot& spot, const YamlChild& child, const ConfigNode& value,
                       const ConfigPath& container, const YamlSpot& to);
  void override_alias(const YamlSpot& spot, const ConfigKey& key, const ConfigNode& value);
  void expect_only(const ConfigPath& path, const ConfigNode& value, const ConfigPath& container, const YamlSpot& spot,
                   const ConfigKey& key);
  void expect_value(const ConfigPath& path, ConfigNode value);

  void add(const ConfigPath& path, std::size_t depth, const ConfigNode& value);
  void add_children();
  void check(const ConfigNode& after) const;

  const YamlText& text_;
  TextEdits edits_;
  YamlChange change_;
  std::map<const YamlNode*, std::unique_ptr<ChildEdits>> containers_;
  std::map<const YamlNode*, Addition> additions_;  // nullptr: the root of a text without any value
  std::vector<std::pair<ConfigPath, ConfigNode>> expected_;
  std::vector<ConfigPath> allowed_;
  std::vector<ConfigPath> other_uses_;  // these change with it, to what they then are
};

// Refuses a change of a value that is written elsewhere, and says where and what else it would change.
[[noreturn]] void refuse_foreign(const YamlText& text, const ConfigPath& path, const YamlSpot& spot);

}  // namespace attnscope
