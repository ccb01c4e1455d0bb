// ConfigEdit: what the tree must be afterwards, and whether it is.
#include <algorithm>

#include "config/config_edit.h"
#include "config/diff.h"
#include "config/yaml_constructor.h"

namespace attnscope {

void ConfigEdit::expect(const ConfigPath& path, ConfigNode value) {
  expect_value(path, std::move(value));
  allow(path);
}

void ConfigEdit::expect_value(const ConfigPath& path, ConfigNode value) {
  try {
    check_tree(value);  // \???
  } catch (const ConfigError& error) {
    refuse_edit(error.what(), {text_.source().file(), 0, 0, path_text(*text_.tree(), path)});
  }
  expected_.emplace_back(path, std::move(value));
}

void ConfigEdit::expect_containers(std::vector<ConfigPath> paths) {
  std::sort(paths.begin(), paths.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
  for (const ConfigPath& path : paths) {
    const bool covered = std::any_of(expected_.begin(), expected_.end(),
                                     [&](const auto& other) { return starts_with(path, other.first); });
    if (!covered) expected_.emplace_back(path, *node_at(*text_.tree(), path));
  }
}

ConfigNode& ConfigEdit::expected(const ConfigPath& path) {
  for (auto& [top, value] : expected_)
    if (starts_with(path, top))
      return *node_at(value, {path.begin() + static_cast<std::ptrdiff_t>(top.size()), path.end()});
  refuse_edit("nothing is expected there");
}

void ConfigEdit::allow(const ConfigPath& path) {
  allowed_.push_back(path);
  const auto spot = find_spot(text_, path);
  if (!spot || !spot->anchored) return;
  for (ConfigPath& other : uses_of(text_, spot->use->node))
    if (other != path) other_uses_.push_back(std::move(other));
}

void ConfigEdit::allow_child(const ConfigPath& container, const YamlSpot& spot, const ConfigKey& key) {
  const YamlNode* node = spot.use->node;
  if (node->kind != YamlNode::Kind::mapping) return allow(container);
  allowed_.push_back(child_path(container, key));
  if (!spot.anchored) return;
  for (const ConfigPath& taker : takers_of(text_, node))
    if (taker != container) other_uses_.push_back(child_path(taker, key));
}

ConfigEdit::Result ConfigEdit::finish(const YamlLimits& limits) {
  add_children();
  change_.settle_aliases();
  for (const auto& [node, edits] : containers_) edits->finish(edits_);
  Result result{edits_.patches(), nullptr};
  if (result.patches.empty()) {
    check(*text_.tree());
    return result;
  }
  try {
    result.text =
        std::make_unique<YamlText>(apply_patches(text_.bytes(), result.patches), std::string(text_.source().file()));
    result.text->read(limits);
  } catch (const ConfigError& error) {
    refuse_edit(std::string("what would be written does not read back: ") + error.what(), {text_.source().file()});
  }
  check(*result.text->tree());
  return result;
}

void ConfigEdit::check(const ConfigNode& after) const {
  const auto is_in = [](const std::vector<ConfigPath>& ancestors, const ConfigPath& path) {
    return std::any_of(ancestors.begin(), ancestors.end(),
                       [&](const ConfigPath& ancestor) { return starts_with(path, ancestor); });
  };
  for (const auto& [path, value] : expected_) {
    const ConfigNode* node = node_at(after, path);
    bool same = node && *node == value;
    if (node && !same && text_.has_anchors()) {
      // Keys from `<<` stand first, wherever the own ones were put; an alias further in follows its anchor.
      same = true;
      for (const ConfigChange& change : diff_configs(value, *node)) {
        ConfigPath place = path;
        place.insert(place.end(), change.path.begin(), change.path.end());
        same = same && is_in(other_uses_, place);
      }
    }
    if (!same)
      refuse_edit("what would be written reads back as something else",
                  {text_.source().file(), 0, 0, path_text(*text_.tree(), path)});
  }
  for (const ConfigChange& change : diff_configs(*text_.tree(), after))
    if (!is_in(allowed_, change.path) && !is_in(other_uses_, change.path))
      refuse_edit("it would also change " + path_text(after, change.path), {text_.source().file()});
}

}  // namespace attnscope
