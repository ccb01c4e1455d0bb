#include "config/open_values.h"

#include "config/children.h"

namespace attnscope {
namespace {

void visit_expression(ConfigResolver& resolver, const ConfigCursor& at, const ConfigPath& path,
                      const std::function<void(const OpenValue&)>& visit) {
  ConfigCursor target;
  try {
    target = resolver.dereference(at);
  } catch (const ConfigKindError& error) {
    return visit({at, path, {}, &error});
  }
  visit({at, path, std::move(target)});
}

void look_below(ConfigResolver& resolver, const ConfigCursor& container, ConfigPath& path,
                const std::function<void(const OpenValue&)>& visit) {
  for_each_child(container.node(), [&](const ConfigKey& key, const ConfigNode& child) {
    const bool expression = child.is_interpolation();
    if (child.is_scalar() && !child.is_missing() && !expression) return;
    const ConfigCursor at = container.child(key, child);
    path.push_back(key);
    if (!child.is_scalar()) {
      look_below(resolver, at, path, visit);
    } else if (expression) {
      visit_expression(resolver, at, path, visit);
    } else {
      visit({at, path, {}});
    }
    path.pop_back();
  });
}

}  // namespace

void for_each_open_value(ConfigResolver& resolver, const std::function<void(const OpenValue&)>& visit) {
  ConfigPath path;
  look_below(resolver, resolver.root(), path, visit);
}

std::size_t count_nodes(const ConfigNode& node) {
  std::size_t count = 1;
  if (node.is_list())
    for (const ConfigNode& item : node.items()) count += count_nodes(item);
  if (node.is_dict())
    for (const auto& member : node.members()) count += 1 + count_nodes(member.second);
  return count;
}

}  // namespace attnscope
