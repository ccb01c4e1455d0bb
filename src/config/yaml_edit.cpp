#include "config/yaml_edit.h"

#include "config/python_text.h"
#include "config/scalar.h"
#include "config/yaml_change.h"
#include "config/yaml_loader.h"

namespace attnscope {
namespace {

bool same_tree(const ConfigNode& tree, const ConfigNode& wanted) {
  // A text without any value is both.
  return tree == wanted || (wanted.is_null() && tree.is_dict() && tree.members().empty());
}

}  // namespace

std::string edit_yaml(std::string_view bytes, const std::string& file, const ConfigNode& wanted) {
  YamlText text{std::string(bytes), file};
  text.read(YamlLimits::generous());
  if (same_tree(*text.tree(), wanted)) return text.bytes();
  TextEdits edits(text);
  if (text.is_blank()) {
    edits.insert(text.end(), wanted.is_scalar()
                                 ? spell_value(wanted, place_in(text, false)) + text.newline()
                                 : spell_block(wanted, {0, text.indent_step(), text.newline()}, place_in(text, false)) +
                                       text.newline());
  } else {
    YamlChange change(text, edits);
    change.change(root_child(text), *text.tree(), wanted, false);
    change.settle_aliases();
  }
  std::string edited = apply_patches(bytes, edits.patches());
  ConfigNode again;
  try {
    again = load_yaml_text(edited, file);
    if (again.is_null() && wanted.is_dict()) again = ConfigNode(ConfigNode::Dict{});
  } catch (const ConfigError& error) {
    refuse_edit(std::string("what would be written does not read back: ") + error.what(), {file});
  }
  if (!(again == wanted)) refuse_edit("what would be written reads back as something else", {file});
  return edited;
}

std::string edit_yaml_scalar(std::string_view bytes, const std::string& file, const std::string& path,
                             const std::string& value) {
  const YamlText text{std::string(bytes), file};
  if (!text.root().node) refuse_edit("there is no " + path, {file});
  YamlChild child = root_child(text);
  bool flow = false;
  for (const std::string& step : split_key(path)) {
    const YamlNode& node = *child.value->node;
    flow = flow || node.flow;
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < node.entries.size(); ++i)
      if (node.entries[i].first.node->value == step) found = i;
    if (const auto digits = python_int(step); digits && node.kind == YamlNode::Kind::sequence) {
      const auto index = static_cast<std::size_t>(list_index(*digits));
      if (index < node.items.size()) found = index;
    }
    if (!found) refuse_edit("there is no " + path);
    child = child_of(text, node, *found);
  }
  const bool plain = child.value->node->style == YamlNode::Style::plain;
  TextEdits edits(text);
  replace_value(text, edits, child, plain ? parse_plain_scalar(value) : ConfigNode(value), flow);
  return apply_patches(bytes, edits.patches());
}

}  // namespace attnscope
