#include "config/merge.h"

#include <unordered_map>

#include "config/grammar.h"
#include "config/python_text.h"
#include "config/resolve.h"
#include "config/yaml_constructor.h"
#include "config/yaml_loader.h"

namespace attnscope {
namespace {

using Flag = ConfigNode::Flag;

ConfigPlace place_of(const ConfigCursor& container, const ConfigNode* child, const ConfigKey& key) {
  ConfigPlace place = child ? child->place() : container->place();
  place.key = container.full_key(key);
  return place;
}

// Finds the members of a dict. Two dicts mostly have the same keys in the same order, so that the next one is tried
// first; large dicts that do not are looked up by hash.
class KeyIndex {
 public:
  ConfigNode* find(ConfigNode& dict, const ConfigKey& key) {
    auto& members = dict.members();
    if (next_ < members.size() && members[next_].first == key) return &members[next_++].second;
    if (members.size() < kLarge || !key.is_string()) return dict.find_key(key);
    if (!known_) {
      known_.emplace();
      for (std::size_t i = 0; i < members.size(); ++i) insert(members[i].first, i);
    }
    const auto found = known_->find(key.text());
    if (found == known_->end()) return nullptr;
    next_ = found->second + 1;
    return &members[found->second].second;
  }
  // The last member is new.
  void add(const ConfigNode& dict) {
    if (known_) insert(dict.members().back().first, dict.members().size() - 1);
  }

 private:
  static constexpr std::size_t kLarge = 32;
  void insert(const ConfigKey& key, std::size_t index) {
    if (key.is_string()) known_->emplace(key.text(), index);
  }

  std::size_t next_ = 0;
  std::optional<std::unordered_map<std::string, std::size_t>> known_;
};

// The nodes that a cursor names belong to a tree that its owner may change.
ConfigNode& mutable_node(const ConfigCursor& cursor) { return const_cast<ConfigNode&>(cursor.node()); }

}  // namespace

bool ConfigEditor::flag(const ConfigCursor& cursor, Flag flag) const {
  for (ConfigCursor at = cursor; at; at = at.parent())
    if (const auto value = at->flag(flag)) return *value;
  return false;
}

void ConfigEditor::assign(const ConfigCursor& container, ConfigNode& node, const ConfigKey& key, ConfigNode value,
                          const char* no_key_kind) {
  store(container, node, key, child_at(node, key), std::move(value), no_key_kind);
}

void ConfigEditor::store(const ConfigCursor& container, ConfigNode& node, const ConfigKey& key, ConfigNode* old,
                         ConfigNode value, const char* no_key_kind) {
  if (node.is_dict()) {
    if (!old && !force_add_ && flag(container, Flag::struct_)) {
      throw ConfigKindError(no_key_kind, "Key '" + key.text() + "' is not in struct" + key_suggestion(key.text(), node))
          .at(place_of(container, nullptr, key));
    }
    const bool text = key.is_string();
    const auto digits = text ? python_int(key.text()) : std::nullopt;
    const bool canonical = text && digits && *digits == key.text();
    const ConfigKey twin = text ? ConfigKey::integer(key.text()) : ConfigKey(key.text());
    if ((canonical || key.is_integer())) {
      for (const auto& [name, member] : node.members()) {
        if (name.kind() != twin.kind() || !(name == twin)) continue;
        throw ConfigKindError("KeyValidationError",
                              "Conflicting integer and string keys: " + python_repr(name) + " and " + python_repr(key))
            .at(place_of(container, &member, key));
      }
    }
  } else if (!old) {
    throw ConfigKindError("ConfigIndexError", "list index out of range").at(place_of(container, nullptr, key));
  }
  if (!ignore_readonly_ && flag(container, Flag::readonly)) {
    throw ConfigKindError("ReadonlyConfigError", "Cannot change read-only config container")
        .at(place_of(container, old, key));
  }
  ConfigNode& stored = old ? *old : node.members().emplace_back(key, ConfigNode()).second;
  stored = std::move(value);
  if (watch_.stored) watch_.stored(container.child(key, stored));
}

void ConfigEditor::merge(const ConfigNode& over) {
  merge(ConfigNode(over));  // a copy: `over` may be a part of this tree
}

void ConfigEditor::merge(ConfigNode&& over) {
  ignore_readonly_ = true;
  merge_container(ConfigCursor(root_), root_, std::move(over));
  ignore_readonly_ = false;
}

void ConfigEditor::merge_container(const ConfigCursor& cursor, ConfigNode& node, ConfigNode&& over) {
  if (node.is_dict() && over.is_dict()) {
    merge_dict(cursor, node, std::move(over));
  } else if (node.is_list() && over.is_list()) {
    node.items() = std::move(over.items());
    node.set_place(over.place());
    if (watch_.stored) watch_.stored(cursor);
  } else {
    ConfigPlace place = over.place();
    place.key = cursor.full_key();
    throw ConfigKindError(
        "TypeError", "Cannot merge incompatible container types", place,
        std::string(over.is_dict() ? "A dict cannot be laid on a list" : "A list cannot be laid on a dict") + " at " +
            (place.key.empty() ? "the root" : place.key) + ".");
  }
  for (const Flag flag : {Flag::struct_, Flag::readonly})
    if (const auto value = over.flag(flag)) node.set_flag(flag, value);
}

void ConfigEditor::merge_dict(const ConfigCursor& dest, ConfigNode& dict, ConfigNode&& over) {
  KeyIndex keys;
  for (auto& [key, source] : over.members()) {
    ConfigNode* old = keys.find(dict, key);
    if (old && old->is_interpolation()) {
      ConfigResolver resolver(root_, registry_);
      ConfigCursor target;
      try {
        target = resolver.dereference(dest.child(key, *old));
      } catch (const ConfigKindError& error) {
        if (!error.is_resolution_error()) throw;
      }
      if (target && target.is_container()) {
        ConfigNode copy = target.node();
        *old = std::move(copy);
        if (watch_.copied && (source.is_dict() || source.is_missing())) watch_.copied(dest.child(key, *old));
      }
    }
    if (!old) {
      store(dest, dict, key, nullptr, std::move(source), "ConfigKeyError");
      keys.add(dict);
    } else if (!old->is_scalar() && !source.is_scalar()) {
      merge_container(dest.child(key, *old), *old, std::move(source));
    } else if (!source.is_missing()) {
      *old = std::move(source);
      if (watch_.stored) watch_.stored(dest.child(key, *old));
    }
  }
}

// The container that a reference leads to, along a chain of references; none for anything else.
ConfigCursor ConfigEditor::update_target(const ConfigCursor& node) const {
  if (!node->is_interpolation()) return {};
  const std::vector<GrammarPiece> pieces = parse_interpolation(node->as_string());
  if (pieces.size() != 1 || !pieces[0].interpolation || pieces[0].interpolation->is_resolver) return {};
  ConfigResolver resolver(root_, registry_);
  const ConfigCursor target = resolver.dereference(node);
  // What a resolver made on the way is not part of this tree.
  return target.is_container() && &target.root().node() == &root_ && target.key() ? target : ConfigCursor();
}

void ConfigEditor::update(const std::string& key, ConfigNode value, const UpdateOptions& options) {
  check_tree(value);
  force_add_ = options.force_add;
  struct Reset {
    bool& flag;
    ~Reset() { flag = false; }
  } reset{force_add_};
  const std::vector<std::string> steps = split_key(key);
  ConfigCursor at(root_);
  for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
    ConfigNode& node = mutable_node(at);
    if (node.is_list() && !python_int(steps[i])) {
      throw ConfigKindError("TypeError", "Index '" + steps[i] + "' (str) is not an int");
    }
    const std::optional<ConfigKey> found = find_step(node, steps[i]);
    ConfigCursor next;
    if (found) {
      next = at.child(*found, *child_at(node, *found));
      if (const ConfigCursor target = update_target(next)) next = target;
    }
    if (next && next.is_container()) {
      at = next;
      continue;
    }
    const ConfigKey made = found            ? *found
                           : node.is_list() ? ConfigKey::integer(*python_int(steps[i]))
                                            : ConfigKey(steps[i]);
    ConfigNode dict{ConfigNode::Dict{}};
    dict.set_place(value.place());
    assign(at, node, made, std::move(dict), "ConfigKeyError");
    at = at.child(made, *child_at(node, made));
  }
  ConfigNode& container = mutable_node(at);
  const std::string& last = steps.back();
  ConfigKey name = last;
  if (container.is_list()) {
    const auto digits = python_int(last);
    if (!digits) throw ConfigKindError("ValueError", "invalid literal for int() with base 10: " + python_quoted(last));
    name = find_step(container, last).value_or(ConfigKey::integer(*digits));
  } else if (const auto found = find_step(container, last)) {
    name = *found;
  }
  ConfigNode* old = child_at(container, name);
  if (options.merge && old && !old->is_scalar() && !value.is_scalar()) {
    const ConfigCursor child = at.child(name, *old);
    if (!ignore_readonly_ && flag(child, Flag::readonly)) {
      throw ConfigKindError("ReadonlyConfigError", "Cannot change read-only config container")
          .at(place_of(at, old, name));
    }
    try {
      merge_container(child, *old, std::move(value));
    } catch (const ConfigKindError& error) {
      if (error.located() || error.kind() != "TypeError") throw;
      throw error.as("ConfigTypeError").at(place_of(at, old, name));
    }
    return;
  }
  assign(at, container, name, std::move(value), name.is_string() ? "ConfigAttributeError" : "ConfigKeyError");
}

std::size_t dotlist_equals(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() &&
        std::string_view(".[]=").find(text[i + 1]) != std::string_view::npos) {
      ++i;
    } else if (text[i] == '=') {
      return i;
    }
  }
  return std::string::npos;
}

void ConfigEditor::update_from_dotlist(const std::string& text) {
  const std::size_t equals = dotlist_equals(text);
  ConfigNode value;
  if (equals != std::string::npos)
    value = load_yaml_text(std::string_view(text).substr(equals + 1), "command line", YamlLimits::reference());
  update(text.substr(0, equals), std::move(value));
}

bool ConfigEditor::remove(const std::string& key) {
  std::vector<std::string> steps = split_key(key);
  ConfigCursor at(root_);
  for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
    const auto found = find_step(at.node(), steps[i]);
    if (!found) return false;
    at = at.child(*found, *child_at(at.node(), *found));
    if (const ConfigCursor target = update_target(at)) at = target;
    if (!at.is_container()) return false;
  }
  const auto found = find_step(at.node(), steps.back());
  if (!found) return false;
  if (!ignore_readonly_ && flag(at, Flag::readonly)) {
    throw ConfigKindError("ReadonlyConfigError", at->is_dict()
                                                     ? "DictConfig in read-only mode does not support deletion"
                                                     : "Cannot delete item from read-only ListConfig")
        .at(place_of(at, child_at(at.node(), *found), *found));
  }
  ConfigNode& node = mutable_node(at);
  if (node.is_dict()) {
    node.erase(*found);
  } else {
    node.items().erase(node.items().begin() + list_index(found->text()));
  }
  return true;
}

ConfigNode merge_configs(ConfigNode base, const std::vector<ConfigNode>& others, const ResolverRegistry& registry) {
  ConfigEditor editor(base, registry);
  for (const ConfigNode& other : others) editor.merge(other);
  return base;
}

ConfigNode tree_from_dotlist(const std::vector<std::string>& texts) {
  ConfigNode tree{ConfigNode::Dict{}};
  ConfigEditor editor(tree);
  for (const std::string& text : texts) editor.update_from_dotlist(text);
  return tree;
}

}  // namespace attnscope
