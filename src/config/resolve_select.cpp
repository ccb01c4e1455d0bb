// The part of ConfigResolver that goes along paths, and makes plain trees.
#include <algorithm>
#include <map>

#include "config/python_text.h"
#include "config/resolve.h"

namespace attnscope {
namespace {

constexpr std::size_t kMostOpen = 200;

std::string joined(const std::vector<std::string>& steps, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += (i ? "." : "") + steps[i];
  return text;
}

// Twice the characters in common (Ratcliff and Obershelp) over both lengths, as Python's difflib counts.
std::size_t matched(std::string_view a, std::string_view b) {
  std::size_t best = 0, at_a = 0, at_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      std::size_t length = 0;
      while (i + length < a.size() && j + length < b.size() && a[i + length] == b[j + length]) ++length;
      if (length > best) {
        best = length;
        at_a = i;
        at_b = j;
      }
    }
  }
  if (best == 0) return 0;
  return best + matched(a.substr(0, at_a), b.substr(0, at_b)) + matched(a.substr(at_a + best), b.substr(at_b + best));
}

}  // namespace

std::string key_suggestion(const std::string& name, const ConfigNode& dict) {
  constexpr std::size_t kLongestName = 100, kMost = 3;
  std::vector<std::pair<double, std::string>> near;
  for (const auto& [key, value] : dict.members()) {
    const std::string& text = key.text();
    if (name.size() > kLongestName || text.size() > kLongestName) continue;
    const double ratio = name.empty() && text.empty() ? 1.0
                                                      : 2.0 * static_cast<double>(matched(text, name)) /
                                                            static_cast<double>(text.size() + name.size());
    if (ratio >= 0.6) near.emplace_back(ratio, text);
  }
  std::sort(near.rbegin(), near.rend());
  if (near.size() > kMost) near.resize(kMost);
  if (near.empty()) return {};
  std::string text = near.size() == 1 ? ". Did you mean: " : ". Did you mean one of: ";
  for (std::size_t i = 0; i < near.size(); ++i) text += (i ? ", " : "") + python_quoted(near[i].second);
  return text + "?";
}

ConfigCursor ConfigResolver::step(const ConfigCursor& container, const std::string& key, bool throw_on_missing,
                                  bool throw_on_type_error) {
  if (container->is_list() && !python_int(key)) {
    if (throw_on_type_error) throw ConfigKindError("TypeError", "Index '" + key + "' (str) is not an int");
    return {};
  }
  const auto found = find_step(container.node(), key);
  if (!found) return {};
  const ConfigNode& node = *child_at(container.node(), *found);
  if (node.is_missing() && throw_on_missing) {
    throw ConfigKindError("MissingMandatoryValue", "Missing mandatory value: " + container.full_key(*found));
  }
  return container.child(*found, node);
}

ConfigResolver::Selected ConfigResolver::select_path(const ConfigCursor& from, const std::vector<std::string>& steps,
                                                     const std::string& spelled, const SelectOptions& options) {
  if (steps.empty() || (steps.size() == 1 && steps[0].empty() && spelled.empty())) return {from, from};
  const auto resolved = [&](const ConfigCursor& node) -> ConfigCursor {
    try {
      return dereference(node);
    } catch (const ConfigKindError& error) {
      if (options.throw_on_resolution_failure || !error.is_resolution_error()) throw;
      return {};
    }
  };
  ConfigCursor container = from;
  for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
    ConfigCursor next = step(container, steps[i], options.throw_on_missing, options.throw_on_resolution_failure);
    if (next) next = resolved(next);
    if (!next) return {};
    if (!next.is_container()) {
      throw ConfigKindError("ConfigTypeError", "Error trying to access " + spelled + ": node `" + joined(steps, i + 1) +
                                                   "` is not a container and thus cannot contain `" + steps[i + 1] +
                                                   "`");
    }
    container = next;
  }
  ConfigCursor node = step(container, steps.back(), options.throw_on_missing, options.throw_on_resolution_failure);
  if (!node) return {container, {}};
  const ConfigNode* identity = &node.node();
  if (std::find(open_.begin(), open_.end(), identity) != open_.end() || open_.size() > kMostOpen) {
    throw ConfigKindError("InterpolationResolutionError", "Recursive interpolation detected");
  }
  if (!node->is_interpolation()) return {container, node};
  open_.push_back(identity);
  try {
    node = resolved(node);
  } catch (...) {
    open_.pop_back();
    throw;
  }
  open_.pop_back();
  return {container, node};
}

ConfigCursor ConfigResolver::select_node(ConfigCursor from, const std::string& key, const SelectOptions& options) {
  // One dot is the container itself, each further one a container up.
  std::size_t dots = std::min(key.find_first_not_of('.'), key.size());
  if (dots == 0 && options.absolute) from = from.root();
  for (std::size_t i = 1; i < dots; ++i) {
    from = from.parent();
    if (!from) return {};
  }
  const std::string rest = key.substr(dots);
  try {
    return select_path(from, rest.empty() ? std::vector<std::string>() : split_key(rest), rest, options).node;
  } catch (const ConfigKindError& error) {
    if (error.kind() == "ConfigTypeError") return {};
    throw;
  }
}

ConfigCursor ConfigResolver::select(const ConfigCursor& from, const std::string& key, const SelectOptions& options) {
  try {
    return select_node(from, key, options);
  } catch (const ConfigKindError& error) {
    if (error.located()) throw;
    ConfigPlace place = from->place();
    const ConfigCursor found = [&]() -> ConfigCursor {
      const auto child = find_step(from.node(), key);
      return child ? from.child(*child, *child_at(from.node(), *child)) : ConfigCursor();
    }();
    if (found) place = found->place();
    place.key = found ? found.full_key() : from.full_key(key);
    throw error.as(error.kind() == "TypeError" ? "ConfigTypeError" : error.kind()).at(place);
  }
}

ConfigCursor ConfigResolver::access(const ConfigCursor& container, const ConfigKey& key) {
  ConfigPlace place = container->place();
  place.key = container.full_key(key);
  const ConfigNode* node = child_at(container.node(), key);
  if (!node && container->is_list()) throw ConfigKindError("ConfigIndexError", "list index out of range").at(place);
  if (!node) {
    throw ConfigKindError("ConfigKeyError", "Missing key " + key.text() + key_suggestion(key.text(), container.node()))
        .at(place);
  }
  place = node->place();
  place.key = container.full_key(key);
  if (node->is_missing()) {
    throw ConfigKindError("MissingMandatoryValue", "Missing mandatory value: " + place.key).at(place);
  }
  try {
    return dereference(container.child(key, *node));
  } catch (const ConfigKindError& error) {
    if (error.located()) throw;
    throw error.at(place);
  }
}

ConfigNode ConfigResolver::to_plain(const ConfigCursor& cursor, bool resolve, bool throw_on_missing) {
  constexpr int kMostDepth = 200;
  if (depth_ > kMostDepth) throw ConfigKindError("InterpolationResolutionError", "Recursive interpolation detected");
  const ConfigNode& node = cursor.node();
  if (!cursor.is_container()) return node;
  const auto child = [&](const ConfigKey& key, const ConfigNode& value) {
    ConfigPlace place = value.place();
    const auto located = [&] {
      place.key = cursor.full_key(key);
      return place;
    };
    if (value.is_missing() && throw_on_missing) {
      throw ConfigKindError("MissingMandatoryValue", "Missing mandatory value: " + key.text()).at(located());
    }
    ConfigCursor target = cursor.child(key, value);
    if (resolve) {
      try {
        target = dereference(target);
      } catch (const ConfigKindError& error) {
        if (error.located()) throw;
        throw error.at(located());
      }
    }
    ++depth_;
    ConfigNode plain = to_plain(target, resolve, throw_on_missing);
    --depth_;
    return plain;
  };
  ConfigNode plain = node.is_dict() ? ConfigNode(ConfigNode::Dict{}) : ConfigNode(ConfigNode::List{});
  plain.set_place(node.place());
  if (node.is_dict()) {
    plain.members().reserve(node.members().size());
    for (const auto& [key, value] : node.members()) plain.members().emplace_back(key, child(key, value));
  } else {
    plain.items().reserve(node.items().size());
    for (std::size_t i = 0; i < node.items().size(); ++i)
      plain.items().push_back(child(ConfigKey::integer(std::to_string(i)), node.items()[i]));
  }
  return plain;
}

namespace {

bool calls_resolver(const std::vector<GrammarPiece>& pieces);

bool calls_resolver(const GrammarInterpolation& interpolation) {
  if (interpolation.is_resolver) return true;
  return std::any_of(interpolation.path.begin(), interpolation.path.end(), [](const GrammarInterpolation::Step& step) {
    return step.interpolation && calls_resolver(*step.interpolation);
  });
}

bool calls_resolver(const std::vector<GrammarPiece>& pieces) {
  return std::any_of(pieces.begin(), pieces.end(), [](const GrammarPiece& piece) {
    return piece.interpolation && calls_resolver(*piece.interpolation);
  });
}

}  // namespace

void ConfigResolver::gather_missing(const ConfigCursor& container, std::vector<std::string>& keys) {
  const auto visit = [&](const ConfigKey& key, const ConfigNode& node) {
    const std::string full_key = container.full_key(key);
    if (node.is_missing()) {
      keys.push_back(full_key);
      return;
    }
    if (node.is_interpolation() && calls_resolver(parse_interpolation(node.as_string()))) return;
    try {
      const ConfigCursor value = access(container, key);
      ++depth_;
      if (value.is_container() && depth_ < 200) gather_missing(value, keys);
      --depth_;
    } catch (const ConfigKindError& error) {
      if (error.kind() != "InterpolationToMissingValueError" && error.kind() != "MissingMandatoryValue") throw;
      keys.push_back(full_key);
    }
  };
  if (container->is_dict()) {
    for (const auto& [key, node] : container->members()) visit(key, node);
  } else {
    for (std::size_t i = 0; i < container->items().size(); ++i)
      visit(ConfigKey::integer(std::to_string(i)), container->items()[i]);
  }
}

std::vector<std::string> ConfigResolver::missing_keys() {
  std::vector<std::string> keys;
  if (root_.is_container()) gather_missing(root_, keys);
  return keys;
}

}  // namespace attnscope
