#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "config/cursor.h"
#include "config/errors.h"
#include "config/grammar.h"
#include "config/resolvers.h"

namespace attnscope {

struct SelectOptions {
  bool throw_on_missing = false;            // a `???` on the way or at the end
  bool throw_on_resolution_failure = true;  // an interpolation that fails; else it counts as absent
  bool absolute = false;                    // a key without leading dots starts at the root
};

// Resolves the interpolations of one tree, each time it is asked. The tree must not change meanwhile.
class ConfigResolver {
 public:
  explicit ConfigResolver(const ConfigNode& root, ResolverRegistry registry = {});

  const ConfigCursor& root() const { return root_; }

  // What the node stands for: itself, or what its interpolation gives. ConfigKindError, not located.
  ConfigCursor dereference(const ConfigCursor& node);

  // The node at "a.b[0]", "..c"; none when there is none. Errors are located at the key.
  ConfigCursor select(const ConfigCursor& from, const std::string& key, const SelectOptions& options = {});
  // The same without the place.
  ConfigCursor select_node(ConfigCursor from, const std::string& key, const SelectOptions& options);

  // The child of a container without the look-up of paths; its interpolation resolved. ConfigKeyError with the nearest
  // keys when there is none, MissingMandatoryValue.
  ConfigCursor access(const ConfigCursor& container, const ConfigKey& key);

  // The tree below a node as plain values.
  ConfigNode to_plain(const ConfigCursor& node, bool resolve, bool throw_on_missing = false);

  // The keys whose value is `???` or refers to one. Values that call a resolver are not looked at.
  std::vector<std::string> missing_keys();

  // What a text of the grammar stands for at a place.
  ResolvedValue evaluate_element(const GrammarElement& element, const ConfigCursor& parent, const ConfigCursor& node);

 private:
  struct Place {
    const ConfigCursor& parent;
    const ConfigCursor& node;
  };
  ResolvedValue evaluate_text(const std::vector<GrammarPiece>& pieces, const Place& place);
  ResolvedValue evaluate(const GrammarInterpolation& interpolation, const Place& place);
  ResolvedValue call_resolver(const GrammarInterpolation& interpolation, const Place& place);
  ResolvedValue primitive(const std::vector<GrammarPiece>& pieces, const Place& place);
  ConfigNode unescape(const std::vector<GrammarPiece>& pieces, const Place& place);
  ConfigNode plain_value(const ResolvedValue& value);
  ConfigCursor follow(const GrammarInterpolation& interpolation, const Place& place);
  std::string key_of(const GrammarInterpolation::Step& step, const Place& place);

  struct Selected {
    ConfigCursor parent;  // none when the path does not lead there
    ConfigCursor node;
  };
  Selected select_path(const ConfigCursor& from, const std::vector<std::string>& steps, const std::string& spelled,
                       const SelectOptions& options);
  ConfigCursor step(const ConfigCursor& container, const std::string& key, bool throw_on_missing,
                    bool throw_on_type_error);
  void gather_missing(const ConfigCursor& container, std::vector<std::string>& keys);

  ConfigCursor root_;
  ResolverRegistry registry_;
  std::vector<const ConfigNode*> open_;  // selected nodes whose interpolation is being resolved
  int depth_ = 0;
  std::map<std::pair<std::string, std::vector<std::string>>, ResolvedValue> cache_;
};

// ". Did you mean: 'k'?" for the names nearest to `name`, or "".
std::string key_suggestion(const std::string& name, const ConfigNode& dict);

// The child that a path's step names: a text key, else the whole number it spells; an item by its index, from the end
// when negative. nullopt when there is none.
std::optional<ConfigKey> find_step(const ConfigNode& container, const std::string& step);
// The child at a key that is there; nullptr when it is not.
const ConfigNode* child_at(const ConfigNode& container, const ConfigKey& key);
ConfigNode* child_at(ConfigNode& container, const ConfigKey& key);

// Replaces every interpolation of a tree by what it gives. ConfigKindError.
void resolve_in_place(ConfigNode& root, const ResolverRegistry& registry = {});

}  // namespace attnscope
