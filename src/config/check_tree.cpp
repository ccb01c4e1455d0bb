#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "config/grammar.h"
#include "config/python_text.h"
#include "config/yaml_constructor.h"

namespace attnscope {
namespace {

// A whole number and the text that spells it would be one name in a path.
void check_keys(const ConfigNode& dict) {
  const auto is_text = [](const auto& member) { return member.first.is_string(); };
  if (std::all_of(dict.members().begin(), dict.members().end(), is_text)) return;
  std::unordered_set<std::string_view> texts, numbers;
  for (const auto& [key, value] : dict.members()) {
    if (key.kind() == ConfigKey::Kind::null) {
      ConfigPlace place = value.place();
      place.key = dict.place().key;
      throw ConfigKindError("KeyValidationError", "Incompatible key type 'NoneType'", place, "Put the key in quotes.")
          .at(place);
    }
    if (!key.is_string() && !key.is_integer()) continue;
    const std::string& text = key.text();
    if ((key.is_string() ? numbers : texts).count(text)) {
      const std::string quoted = python_quoted(text);
      throw ConfigKindError("KeyValidationError",
                            "Conflicting integer and string keys: " +
                                (key.is_string() ? text + " and " + quoted : quoted + " and " + text))
          .at(value.place());
    }
    (key.is_string() ? texts : numbers).insert(text);
  }
}

}  // namespace

void check_tree(ConfigNode& node) {
  if (node.is_list()) {
    for (ConfigNode& item : node.items()) check_tree(item);
  } else if (node.is_dict()) {
    check_keys(node);
    for (auto& [key, value] : node.members()) check_tree(value);
  } else if (node.kind() == ConfigNode::Kind::string) {
    node.unescape_missing();
    if (node.is_interpolation()) {
      try {
        parse_interpolation(node.as_string());
      } catch (const ConfigKindError& error) {
        throw error.at(node.place());
      }
    }
  }
}

}  // namespace attnscope
