#include "config/instantiate.h"

#include <algorithm>
#include <array>

#include "config/errors.h"
#include "config/merge.h"
#include "config/python_text.h"
#include "config/resolve.h"

namespace attnscope {
namespace {

using Node = ConfigNode;

class Instantiator {
 public:
  explicit Instantiator(const TargetRegistry& registry) : registry_(registry) {}

  Node run(const ConfigCursor& cursor, bool recursive) {
    if (!cursor.is_container()) return cursor.node();
    if (cursor->is_list()) {
      Node::List items;
      for (std::size_t i = 0; i < cursor->items().size(); ++i) items.push_back(run(cursor.item(i), recursive));
      return items;
    }
    recursive = flag(cursor, "_recursive_", recursive);
    if (cursor->find("_target_")) return call(cursor, recursive);
    Node dict{Node::Dict{}};
    for (const auto& [key, value] : cursor->members()) dict.set(key, run(cursor.child(key, value), recursive));
    return dict;
  }

 private:
  static ConfigKindError error(const std::string& message, const ConfigCursor& node) {
    ConfigPlace place = node->place();
    place.key = node.full_key();
    return ConfigKindError("InstantiationException", message + (place.key.empty() ? "" : "\nfull_key: " + place.key))
        .at(place);
  }

  static bool flag(const ConfigCursor& node, const std::string& name, bool fallback) {
    const Node* value = node->find(name);
    if (!value) return fallback;
    if (value->kind() == Node::Kind::boolean) return value->as_bool();
    ConfigPlace place = value->place();
    place.key = node.full_key();
    throw ConfigKindError("TypeError",
                          "Instantiation: " + name + " flag must be a bool, got <class '" + python_type(*value) + "'>")
        .at(place);
  }

  void check_target(const std::string& target, const ConfigCursor& node) const {
    if (is_blocked_target(target)) {
      throw error("Target " + python_quoted(target) +
                      " is blocklisted because it allows\nconfig data to control executable behavior or belongs to "
                      "an\nexecution-capable target family. It cannot be authorized "
                      "with\nHYDRA_INSTANTIATE_ALLOWLIST_OVERRIDE.",
                  node);
    }
    const TargetRegistry::Kind kind = registry_.kind(target);
    if (kind == TargetRegistry::Kind::none) {
      throw error("Error locating target '" + target + "', set env var HYDRA_FULL_ERROR=1 to see chained exception.",
                  node);
    }
    if (kind == TargetRegistry::Kind::value) {
      throw error("Expected a callable target, got " + registry_.describe(target), node);
    }
  }

  Node call(const ConfigCursor& node, bool recursive) {
    static constexpr std::array<std::string_view, 4> kOwn{"_target_", "_convert_", "_recursive_", "_partial_"};
    TargetCall call{.partial = flag(node, "_partial_", false)};
    call.target = python_str(*node->find("_target_"));
    check_target(call.target, node);
    for (const auto& [key, value] : node->members()) {
      if (std::find(kOwn.begin(), kOwn.end(), key.text()) != kOwn.end()) continue;
      const ConfigCursor child = node.child(key, value);
      if (value.is_missing()) {
        if (call.partial) continue;
        ConfigPlace place = value.place();
        place.key = child.full_key();
        throw ConfigKindError("MissingMandatoryValue", "Missing mandatory value: " + place.key).at(place);
      }
      Node made = recursive ? run(child, recursive) : value;
      if (key == "_args_") {
        if (!made.is_list()) {
          throw error("Error in collecting args and kwargs for '" + call.target +
                          "':\nInstantiationException(\"Unsupported _args_ type: '" +
                          (value.is_dict() ? "DictConfig" : python_type(value)) + "'. value: '" + python_str(value) +
                          "'\")",
                      node);
        }
        call.arguments = made.items();
      } else {
        call.keywords.emplace_back(key, std::move(made));
      }
    }
    try {
      return registry_.call(call);
    } catch (const ConfigKindError& thrown) {
      throw error("Error in call to target '" + call.target + "':\n" + thrown.kind() + "(" +
                      python_quoted(thrown.message()) + ")",
                  node);
    }
  }

  const TargetRegistry& registry_;
};

// The node at a key; the root for "".
ConfigCursor node_at(ConfigResolver& resolver, const std::string& key) {
  return key.empty() ? resolver.root() : resolver.select(resolver.root(), key);
}

}  // namespace

bool is_blocked_target(const std::string& target) {
  static constexpr std::array<std::string_view, 12> kNames{
      "builtins.eval",  "builtins.exec",   "builtins.compile", "builtins.__import__", "eval",
      "exec",           "os.system",       "os.popen",         "os.startfile",        "importlib.import_module",
      "runpy.run_path", "runpy.run_module"};
  static constexpr std::array<std::string_view, 5> kFamilies{"subprocess.", "os.exec", "os.spawn", "os.posix_spawn",
                                                             "pty."};
  return std::find(kNames.begin(), kNames.end(), target) != kNames.end() ||
         std::any_of(kFamilies.begin(), kFamilies.end(),
                     [&](std::string_view family) { return target.starts_with(family); });
}

ConfigNode instantiate_hydra(const ConfigNode& root, const std::string& key, const ConfigNode& keywords,
                             const TargetRegistry& registry) {
  Node tree = root;
  if (!keywords.is_null() && !keywords.members().empty()) {
    ConfigResolver resolver(tree);
    const_cast<Node&>(node_at(resolver, key).node()) = merge_configs(node_at(resolver, key).node(), {keywords});
  }
  ConfigResolver resolver(tree);
  const ConfigCursor node = node_at(resolver, key);
  if (!node || node->is_null()) return {};
  // Resolved first, so that a reference to a target node stands for a call of its own.
  Node resolved = resolver.to_plain(node, true);
  if (!node.parent()) return Instantiator(registry).run(ConfigCursor(resolved), true);
  return Instantiator(registry).run(node.parent().made(node.key(), std::move(resolved), false), true);
}

ConfigNode instantiate_ldm(const ConfigNode& root, const std::string& key, const TargetRegistry& registry) {
  ConfigResolver resolver(root);
  const ConfigCursor node = node_at(resolver, key);
  const Node* target = node ? node->find("target") : nullptr;
  if (!target) {
    const bool none = node && node->kind() == Node::Kind::string &&
                      (node->as_string() == "__is_first_stage__" || node->as_string() == "__is_unconditional__");
    if (none) return {};
    throw ConfigKindError("KeyError", "'Expected key `target` to instantiate.'", node ? node->place() : ConfigPlace());
  }
  TargetCall call{.target = python_str(*target)};
  if (call.target.find('.') == std::string::npos) {
    throw ConfigKindError("ValueError", "not enough values to unpack (expected 2, got 1)", target->place(),
                          "A target is a class path such as package.module.Class.");
  }
  if (const ConfigNode* params = node->find("params"); params && params->is_dict()) {
    call.keywords = resolver.to_plain(node.child("params", *params), true).members();
  }
  return registry.call(call);
}

}  // namespace attnscope
