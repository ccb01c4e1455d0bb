#pragma once
#include <cstddef>

#include "config/path.h"

namespace attnscope {

// The members of a dict and the items of a list alike, by their position. Scalars have none.

std::size_t child_count(const ConfigNode& container);

// Where the child at a key stands; child_count() when there is none.
std::size_t child_position(const ConfigNode& container, const ConfigKey& key);

// Puts a child before the one at `position`. A null becomes a dict; `key` counts in dicts and must not be there.
void insert_child(ConfigNode& container, std::size_t position, const ConfigKey& key, const ConfigNode& value);

// Takes out the child at a key, which must be there.
void erase_child(ConfigNode& container, const ConfigKey& key);

// Calls visit(key, child) for each, in order.
template <class Visit>
void for_each_child(const ConfigNode& container, const Visit& visit) {
  if (container.is_dict())
    for (const auto& [key, child] : container.members()) visit(key, child);
  if (container.is_list())
    for (std::size_t i = 0; i < container.items().size(); ++i) visit(index_key(i), container.items()[i]);
}

}  // namespace attnscope
