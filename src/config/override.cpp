#include "config/override.h"

#include <algorithm>

#include "config/python_text.h"
#include "config/resolve.h"
#include "config/yaml_loader.h"

namespace attnscope {
namespace {

constexpr const char* kSource = "command line";

int count_characters(std::string_view text) {
  return static_cast<int>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

// Every value of an override is at the same place, under its key.
void put_at(ConfigNode& node, const ConfigPlace& place) {
  node.set_place(place);
  const auto below = [&](ConfigNode& child, std::string key) {
    ConfigPlace at = place;
    at.key = std::move(key);
    put_at(child, at);
  };
  if (node.is_dict()) {
    for (auto& [name, value] : node.members()) below(value, join_key(place.key, name));
  } else if (node.is_list()) {
    for (std::size_t i = 0; i < node.items().size(); ++i) below(node.items()[i], join_key(place.key, i));
  }
}

// An override that is being read.
struct Override {
  const std::string& text;
  const ConfigPlace& place;

  // The caret goes under the character number `column`, from 0.
  [[noreturn]] void fail_at_column(const std::string& message, int column, const std::string& key = {}) const {
    ConfigPlace at = place;
    at.key = key;
    throw ConfigError(message, at, text + "\n  " + std::string(static_cast<std::size_t>(column), ' ') + "^");
  }

  // The caret goes under the character that begins at byte `offset`.
  [[noreturn]] void fail(const std::string& message, std::size_t offset, const std::string& key = {}) const {
    fail_at_column(message, count_characters(std::string_view(text).substr(0, offset)), key);
  }

  ConfigNode value(std::size_t begin) const {
    try {
      return load_yaml_text(std::string_view(text).substr(begin), place.file);
    } catch (const ConfigError& error) {
      const int column = error.place().line <= 1 ? std::max(error.place().column, 1) : 1;
      fail_at_column(error.message(), count_characters(std::string_view(text).substr(0, begin)) + column - 1);
    }
  }

  // A list on the way must have the item that the next step names.
  void check_list_items(const ConfigNode& root, const std::vector<std::string>& steps) const {
    const ConfigNode* node = &root;
    std::string parent;
    for (const std::string& step : steps) {
      const std::optional<ConfigKey> found = find_step(*node, step);
      if (node->is_list() && !found) {
        const bool number = python_int(step).has_value();
        fail(number ? "the list has " + std::to_string(node->items().size()) + " items, counted from 0"
                    : "a list item needs a number, not \"" + step + "\"",
             text.find(step, parent.size()), parent);
      }
      if (!found) return;
      parent = node->is_list() ? parent + "[" + step + "]" : join_key(parent, step);
      node = child_at(*node, *found);
    }
  }
};

}  // namespace

void apply_override(ConfigEditor& editor, const std::string& text, const ConfigPlace& place) {
  const Override override{text, place};
  const auto equals = dotlist_equals(text);
  if (equals == std::string::npos) override.fail("an override is key=value", text.size());
  const std::string path = text.substr(0, equals);
  const std::vector<std::string> steps = split_key(path);
  if (std::any_of(steps.begin(), steps.end(), [](const std::string& step) { return step.empty(); })) {
    const auto dots = path.find("..");
    const bool leading = path.empty() || path.front() == '.' || path.front() == '[';
    override.fail("a part of the key is empty", leading ? 0 : dots != std::string::npos ? dots + 1 : path.size());
  }
  if (const auto bad = path.find_first_of(" \t{}\"'"); bad != std::string::npos) {
    override.fail("a key cannot hold this character", bad);
  }
  ConfigNode value = override.value(equals + 1);
  override.check_list_items(editor.root(), steps);
  ConfigPlace at = place;
  at.key = path;
  put_at(value, at);
  editor.update(path, std::move(value));
}

void apply_override(ConfigNode& root, const std::string& text) {
  ConfigEditor editor(root);
  apply_override(editor, text, {kSource});
}

void apply_overrides(ConfigNode& root, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) apply_override(root, text);
}

}  // namespace attnscope
