// ConfigEdit: values that come through aliases and `<<`, written where they are used.
#include "config/config_edit.h"

namespace attnscope {
namespace {

// Where a path leaves what is written in its place: at an alias, or before a key that `<<` brings.
std::optional<std::size_t> leaves_at(const YamlText& text, const ConfigPath& path) {
  for (std::size_t i = 0; i <= path.size(); ++i) {
    const auto spot = find_spot(text, first_steps(path, i));
    if (!spot) break;
    if (spot->foreign) return *spot->foreign;
    if (spot->use->alias) return i;
  }
  return std::nullopt;
}

// `value` put into a copy, dicts on the way made.
ConfigNode with_value(const ConfigNode* copy, const ConfigPath& path, std::size_t step, const ConfigNode& value) {
  if (step == path.size()) return value;
  ConfigNode out = copy ? *copy : ConfigNode(ConfigNode::Dict{});
  if (out.is_null()) out = ConfigNode(ConfigNode::Dict{});
  const ConfigNode* child = node_at(out, {path[step]});
  ConfigNode changed = with_value(child, path, step + 1, value);
  if (child) {
    *node_at(out, {path[step]}) = std::move(changed);
  } else if (out.is_dict()) {
    out.set(path[step], std::move(changed));
  } else {
    refuse_edit("there is nothing to put it into");
  }
  return out;
}

}  // namespace

void ConfigEdit::override_beside(const ConfigPath& path, const ConfigNode& value) {
  const auto leaves = leaves_at(text_, path);
  if (!leaves) return set(path, value);
  const ConfigPath place = first_steps(path, *leaves);
  const YamlSpot spot = *find_spot(text_, place);
  if (!spot.use->alias) {
    // An own key wins over what `<<` brings.
    const ConfigNode own = with_value(node_at(*text_.tree(), first_steps(path, *leaves + 1)), path, *leaves + 1, value);
    ChildEdits& edits = children(place, spot);
    edits.insert(new_child(text_, edits, edits.children().size(), &path[*leaves], own));
    expect_only(path, value, place, spot, path[*leaves]);
    return;
  }
  const ConfigPath parent = parent_path(place);
  expect_only(path, value, parent, own_spot(parent), place.back());
  if (*leaves == path.size()) return replace_value(text_, edits_, child_at(spot), value, spot.flow);
  const ConfigNode* copy = node_at(*text_.tree(), place);
  if (!copy->is_dict())
    return replace_value(text_, edits_, child_at(spot), with_value(copy, path, *leaves, value), spot.flow);
  override_alias(spot, path[*leaves], with_value(copy->find_key(path[*leaves]), path, *leaves + 1, value));
}

// `b: *A` becomes a dict of `<<: *A` and the key.
void ConfigEdit::override_alias(const YamlSpot& spot, const ConfigKey& key, const ConfigNode& value) {
  const YamlChild child = child_at(spot);
  const std::size_t begin = text_.offset(spot.use->start);
  const std::string alias = "<<: " + text_.bytes().substr(begin, child.end - begin);
  const ConfigNode entry(ConfigNode::Dict{{key, value}});
  if (spot.flow) {
    const std::string inside = spell_value(entry, place_in(text_, true));
    return edits_.add(begin, child.end, "{" + alias + ", " + inside.substr(1));
  }
  const std::size_t column = text_.column(child.begin) + (child.key ? text_.indent_step() : 2);
  const std::string line = text_.newline() + std::string(column, ' ');
  const std::string own =
      line + spell_block(entry, {column, text_.indent_step(), text_.newline()}, place_in(text_, false));
  if (!child.key) return edits_.add(begin, child.end, alias + own);
  const std::size_t header = header_end(text_, child);
  edits_.remove(header, child.end);
  edits_.insert(text_.line_end(child.end), (line + alias + own).substr(text_.newline().size()) + text_.newline());
}

// The value at the path, and nothing else unless the container is used elsewhere too.
void ConfigEdit::expect_only(const ConfigPath& path, const ConfigNode& value, const ConfigPath& container,
                             const YamlSpot& spot, const ConfigKey& key) {
  expect_value(path, value);
  if (spot.anchored) {
    allow_child(container, spot, key);
  } else {
    allowed_.push_back(path);
  }
}

}  // namespace attnscope
