#include "config/override.h"

#include <algorithm>

#include "config/yaml_loader.h"

namespace attnscope {
namespace {

constexpr const char* kSource = "command line";

int count_characters(std::string_view text) {
  return static_cast<int>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

// The caret goes under the character number `column`, from 0.
[[noreturn]] void fail_at_column(const std::string& message, const std::string& text, int column,
                                 const std::string& key = {}) {
  throw ConfigError(message, ConfigPlace{kSource, 0, 0, key},
                    text + "\n  " + std::string(static_cast<std::size_t>(column), ' ') + "^");
}

// The caret goes under the character that begins at byte `offset`.
[[noreturn]] void fail(const std::string& message, const std::string& text, std::size_t offset,
                       const std::string& key = {}) {
  fail_at_column(message, text, count_characters(std::string_view(text).substr(0, offset)), key);
}

// Every value of an override is at the same place: on the command line, under its key.
void place_on_command_line(ConfigNode& node, const std::string& key) {
  node.set_place({kSource, 0, 0, key});
  if (node.is_dict()) {
    for (auto& [name, value] : node.members()) place_on_command_line(value, join_key(key, name));
  } else if (node.is_list()) {
    for (std::size_t i = 0; i < node.items().size(); ++i) place_on_command_line(node.items()[i], join_key(key, i));
  }
}

ConfigNode parse_value(const std::string& text, std::size_t begin) {
  try {
    return load_yaml_text(std::string_view(text).substr(begin), kSource);
  } catch (const ConfigError& error) {
    const int column = error.place().line <= 1 ? std::max(error.place().column, 1) : 1;
    fail_at_column(error.message(), text, count_characters(std::string_view(text).substr(0, begin)) + column - 1);
  }
}

// The child that `step` names, made when it may be.
ConfigNode& descend(ConfigNode& node, const std::string& step, const std::string& text) {
  const std::string& parent = node.place().key;
  if (node.is_list()) {
    const int64_t index = list_index(step);
    const auto size = static_cast<int64_t>(node.items().size());
    if (index >= 0 && index < size) return node.items()[static_cast<std::size_t>(index)];
    fail(index < 0 ? "a list item needs a number, not \"" + step + "\""
                   : "the list has " + std::to_string(size) + " items, counted from 0",
         text, text.find(step, parent.size()), parent);
  }
  if (node.is_scalar()) {
    const ConfigPlace place = node.place();
    node = ConfigNode(ConfigNode::Dict{});
    node.set_place(place);
  }
  if (ConfigNode* child = node.find(step)) return *child;
  ConfigNode& made = node.set(step, {});
  made.set_place({kSource, 0, 0, join_key(parent, step)});
  return made;
}

}  // namespace

void apply_override(ConfigNode& root, const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos) fail("an override is key=value", text, text.size());
  const std::string path = text.substr(0, equals);
  const std::vector<std::string> steps = split_key(path);
  if (std::any_of(steps.begin(), steps.end(), [](const std::string& step) { return step.empty(); })) {
    const auto dots = path.find("..");
    const bool leading = path.empty() || path.front() == '.' || path.front() == '[';
    fail("a part of the key is empty", text, leading ? 0 : dots != std::string::npos ? dots + 1 : path.size());
  }
  if (const auto bad = path.find_first_of(" \t{}\"'"); bad != std::string::npos) {
    fail("a key cannot hold this character", text, bad);
  }
  ConfigNode value = parse_value(text, equals + 1);
  ConfigNode* node = &root;
  for (const std::string& step : steps) node = &descend(*node, step, text);
  place_on_command_line(value, path);
  *node = std::move(value);
}

void apply_overrides(ConfigNode& root, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) apply_override(root, text);
}

}  // namespace attnscope
