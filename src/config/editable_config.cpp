#include "config/editable_config.h"

#include <algorithm>

#include "config/config_edit.h"
#include "config/yaml_comments.h"

namespace attnscope {

struct EditableConfig::State {
  std::unique_ptr<YamlText> text;
  YamlLimits limits;

  void load(std::string bytes, const std::string& file) {
    auto loaded = std::make_unique<YamlText>(std::move(bytes), file);
    loaded->read(limits);
    text = std::move(loaded);
  }

  BytePatches finish(ConfigEdit& edit) {
    ConfigEdit::Result result = edit.finish(limits);
    if (result.text) text = std::move(result.text);
    return std::move(result.patches);
  }
};

EditableConfig::EditableConfig(std::string bytes, std::string file, const YamlLimits& limits)
    : state_(std::make_unique<State>()) {
  state_->limits = limits;
  state_->load(std::move(bytes), file);
}

EditableConfig::EditableConfig(EditableConfig&&) noexcept = default;
EditableConfig& EditableConfig::operator=(EditableConfig&&) noexcept = default;
EditableConfig::~EditableConfig() = default;

const std::string& EditableConfig::bytes() const { return state_->text->bytes(); }
const ConfigNode& EditableConfig::root() const { return *state_->text->tree(); }
std::shared_ptr<const ConfigNode> EditableConfig::shared_root() const { return state_->text->tree(); }

BytePatches EditableConfig::set(const ConfigPath& path, const ConfigNode& value) { return set_all({{path, value}}); }

BytePatches EditableConfig::set_all(const std::vector<std::pair<ConfigPath, ConfigNode>>& values) {
  ConfigEdit edit(*state_->text);
  for (const auto& [path, value] : values) edit.set(path, value);
  return state_->finish(edit);
}

BytePatches EditableConfig::insert(const ConfigPath& container, std::size_t index, const ConfigKey& key,
                                   const ConfigNode& value) {
  ConfigEdit edit(*state_->text);
  edit.insert(container, index, key, value);
  return state_->finish(edit);
}

BytePatches EditableConfig::remove(const std::vector<ConfigPath>& paths) {
  ConfigEdit edit(*state_->text);
  edit.remove(paths);
  return state_->finish(edit);
}

BytePatches EditableConfig::rename(const ConfigPath& path, const ConfigKey& key) {
  ConfigEdit edit(*state_->text);
  edit.rename(path, key);
  return state_->finish(edit);
}

BytePatches EditableConfig::move(const ConfigPath& path, const ConfigPath& container, std::size_t index) {
  ConfigEdit edit(*state_->text);
  edit.move(path, container, index);
  return state_->finish(edit);
}

BytePatches EditableConfig::duplicate(const ConfigPath& path, const ConfigKey& key) {
  ConfigEdit edit(*state_->text);
  edit.duplicate(path, key);
  return state_->finish(edit);
}

EditableConfig::Comments EditableConfig::comments(const ConfigPath& path) const {
  const auto spot = find_spot(*state_->text, path);
  if (!spot || spot->foreign) return {};
  YamlComments found = comments_of(*state_->text, *spot);
  return {std::move(found.above), std::move(found.behind)};
}

BytePatches EditableConfig::set_comments(const ConfigPath& path, const Comments& comments) {
  ConfigEdit edit(*state_->text);
  const YamlComments wanted{comments.above, comments.behind};
  change_comments(*state_->text, edit.edits(), edit.own_spot(path, true), wanted);
  ConfigEdit::Result result = edit.finish(state_->limits);
  if (!result.text) return {};
  if (comments_of(*result.text, find_spot(*result.text, path).value()) != wanted)
    refuse_edit("the comment would read back as another one", {result.text->source().file()});
  state_->text = std::move(result.text);
  return std::move(result.patches);
}

BytePatches EditableConfig::override_beside(const ConfigPath& path, const ConfigNode& value) {
  ConfigEdit edit(*state_->text);
  edit.override_beside(path, value);
  return state_->finish(edit);
}

void EditableConfig::apply(const BytePatches& patches) {
  state_->load(apply_patches(bytes(), patches), state_->text->source().file());
}

std::vector<ConfigPath> EditableConfig::also_changes(const ConfigPath& path) const {
  const auto spot = find_spot(*state_->text, path);
  if (!spot || !(spot->anchored || spot->use->alias)) return {};
  std::vector<ConfigPath> others = uses_of(*state_->text, spot->use->node);
  std::erase(others, path);
  return others;
}

std::pair<std::size_t, std::size_t> EditableConfig::span(const ConfigPath& path, bool with_key) const {
  const YamlText& text = *state_->text;
  const auto spot = find_spot(text, path);
  if (!spot) {
    if (path.empty()) return {bytes().size(), bytes().size()};
    refuse_edit("there is no " + path_text(root(), path), {text.source().file()});
  }
  const YamlChild child = spot->container ? child_of(text, *spot->container, spot->index) : root_child(text);
  // Lines that end with something else than a line feed, such as U+2029, can put a child's begin behind its end.
  const std::size_t begin = with_key ? child.begin : text.offset(spot->use->start);
  return {std::min(begin, child.end), child.end};
}

ConfigPath EditableConfig::path_at(std::size_t byte) const {
  const YamlText& text = *state_->text;
  ConfigPath path;
  if (!text.root().node) return path;
  const YamlUse* use = &text.root();
  for (bool flow = false; !use->alias;) {
    const YamlNode& node = *use->node;
    flow = flow || node.flow;
    // The last child that begins before the byte.
    const std::size_t count = std::max(node.entries.size(), node.items.size());
    const auto begin_of = [&](std::size_t i) {
      const YamlUse& first = node.kind == YamlNode::Kind::mapping ? node.entries[i].first : node.items[i];
      const std::size_t at = text.offset(first.start);
      if (flow) return at;
      return node.kind == YamlNode::Kind::mapping ? std::min(at, text.starts_line(at) ? text.line_start(at) : at)
                                                  : child_of(text, node, i).begin;
    };
    std::size_t low = 0, high = count;
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (begin_of(middle) <= byte) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low == 0) return path;
    const YamlChild child = child_of(text, node, low - 1);
    const auto comment = comment_behind(text, child, flow);
    // A comment behind the last line of a block belongs to what stands there.
    const std::size_t rest = text.skip_blanks(stop_of(text, child));
    std::size_t end = std::max(child.end, comment ? comment->end : 0);
    if (rest < bytes().size() && bytes()[rest] == '#') end = std::max(end, text.line_stop(rest));
    if (byte > end) return path;
    if (child.key && child.key->node->tag == yaml_tags::kMerge) return path;
    path.push_back(child.key ? key_of_node(*child.key->node) : index_key(low - 1));
    use = child.value;
  }
  return path;
}

}  // namespace attnscope
