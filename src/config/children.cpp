#include "config/children.h"

#include <algorithm>

namespace attnscope {

std::size_t child_count(const ConfigNode& container) {
  return container.is_list() ? container.items().size() : container.is_dict() ? container.members().size() : 0;
}

std::size_t child_position(const ConfigNode& container, const ConfigKey& key) {
  if (container.is_list()) return index_of(key).value_or(child_count(container));
  const auto& members = container.members();
  const auto found =
      std::find_if(members.begin(), members.end(), [&](const auto& member) { return member.first == key; });
  return static_cast<std::size_t>(found - members.begin());
}

void insert_child(ConfigNode& container, std::size_t position, const ConfigKey& key, const ConfigNode& value) {
  const auto at = static_cast<std::ptrdiff_t>(position);
  if (container.is_null()) container = ConfigNode(ConfigNode::Dict{});
  if (container.is_list()) {
    container.items().insert(container.items().begin() + at, value);
  } else {
    container.members().insert(container.members().begin() + at, {key, value});
  }
}

void erase_child(ConfigNode& container, const ConfigKey& key) {
  if (container.is_list()) {
    container.items().erase(container.items().begin() + static_cast<std::ptrdiff_t>(*index_of(key)));
  } else {
    container.erase(key);
  }
}

}  // namespace attnscope
