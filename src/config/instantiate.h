#pragma once
#include <functional>
#include <string>

#include "config/cursor.h"
#include "config/resolvers.h"

namespace attnscope {

// What a `_target_` node asks for: a call, or with `partial` a factory that has these arguments.
struct TargetCall {
  std::string target;
  bool partial = false;
  ConfigNode::List arguments;
  ConfigNode::Dict keywords;
};

// The names that can be called. Nothing is ever run by its name alone.
struct TargetRegistry {
  enum class Kind { none, callable, value };
  std::function<Kind(const std::string& target)> kind;
  std::function<ConfigNode(const TargetCall& call)> call;          // throws std::exception
  std::function<std::string(const std::string& target)> describe;  // of a value: "'reg' of type 'str'"
};

// Hydra's `instantiate` at a key of a tree: nested targets first, references resolved against the whole tree,
// `keywords` laid over the node. ConfigKindError "InstantiationException", "MissingMandatoryValue".
ConfigNode instantiate_hydra(const ConfigNode& root, const std::string& key, const ConfigNode& keywords,
                             const TargetRegistry& registry);

// The `target` + `params` nodes of latent-diffusion: one call, nothing nested.
ConfigNode instantiate_ldm(const ConfigNode& root, const std::string& key, const TargetRegistry& registry);

// Hydra refuses targets that run code.
bool is_blocked_target(const std::string& target);

}  // namespace attnscope
