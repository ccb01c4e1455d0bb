#include "config/resolve.h"

namespace attnscope {
namespace {

// Goes down the tree and stores what each interpolation gives where it stands.
void resolve_below(ConfigResolver& resolver, const ConfigCursor& container, ConfigNode& node) {
  const auto visit = [&](const ConfigKey& key, ConfigNode& child) {
    if (child.is_interpolation()) {
      try {
        const ConfigCursor target = resolver.dereference(container.child(key, child));
        ConfigNode value = resolver.to_plain(target, true);
        value.set_place(child.place());
        child = std::move(value);
      } catch (const ConfigKindError& error) {
        if (error.located()) throw;
        ConfigPlace place = child.place();
        place.key = container.full_key(key);
        throw error.at(place);
      }
      if (child.is_scalar()) return;
    }
    if (!child.is_scalar()) resolve_below(resolver, container.child(key, child), child);
  };
  if (node.is_dict()) {
    for (auto& [key, child] : node.members()) visit(key, child);
  } else {
    for (std::size_t i = 0; i < node.items().size(); ++i) visit(ConfigKey::integer(std::to_string(i)), node.items()[i]);
  }
}

}  // namespace

void resolve_in_place(ConfigNode& root, const ResolverRegistry& registry) {
  if (root.is_scalar()) return;
  ConfigResolver resolver(root, registry);
  resolve_below(resolver, resolver.root(), root);
}

}  // namespace attnscope
