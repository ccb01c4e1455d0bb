// Any bytes as a config file: loaded, written again, edited, the edits undone.
#include "config/dump.h"
#include "config/editable_config.h"
#include "config/errors.h"
#include "config/writer.h"
#include "config/yaml_loader.h"
#include "fuzz.h"

using namespace attnscope;
using namespace attnscope::fuzz;

namespace {

// Aliases may expand to this much, so that many inputs fit into a minute.
constexpr YamlLimits kLimits{20'000, false};
constexpr int kEdits = 4;

void check_text(const ConfigNode& tree, const std::string& text, const char* what) {
  ConfigNode again;
  try {
    again = load_yaml_text(text, "again", kLimits);
  } catch (const Error& error) {
    require(false, what, text + "\n" + error.what());
  }
  require(again == tree, what, text);
}

ConfigPath random_path(const ConfigNode& root, Choices& choices) {
  ConfigPath path;
  const ConfigNode* node = &root;
  while (!node->is_scalar() && choices.below(8) != 7) {
    if (node->is_dict()) {
      if (node->members().empty()) break;
      const auto& [key, value] = node->members()[choices.below(node->members().size())];
      path.push_back(key);
      node = &value;
    } else {
      if (node->items().empty()) break;
      const std::size_t index = choices.below(node->items().size());
      path.push_back(index_key(index));
      node = &node->items()[index];
    }
  }
  return path;
}

ConfigNode value_of(Choices& choices) {
  switch (choices.below(8)) {
    case 0: return 7;
    case 1: return "two words";
    case 2: return 1.5e-4;
    case 3: return true;
    case 4: return ConfigNode();
    case 5: return "a: b #\n c\n";
    case 6: return ConfigNode(ConfigNode::List{1, "x"});
    default: return ConfigNode(ConfigNode::Dict{{"p", 1}, {"q", ConfigNode(ConfigNode::List{})}});
  }
}

BytePatches edit(EditableConfig& config, Choices& choices) {
  const ConfigPath path = random_path(config.root(), choices);
  const std::size_t index = choices.below(5);
  switch (choices.below(9)) {
    case 0: return config.set(path, value_of(choices));
    case 1: {
      ConfigPath deeper = path;
      deeper.insert(deeper.end(), {"new key", "deep"});
      return config.set(deeper, value_of(choices));
    }
    case 2: return config.insert(path, index, "added", value_of(choices));
    case 3: return config.remove({path});
    case 4: return config.rename(path, "renamed");
    case 5: return config.move(path, random_path(config.root(), choices), index);
    case 6: return config.duplicate(path, "copy");
    case 7: return config.set_comments(path, {"above\ntwo", "behind"});
    default: return config.override_beside(path, value_of(choices));
  }
}

void look_around(const EditableConfig& config, const ConfigPath& path) {
  accepted([&] { config.also_changes(path); });
  accepted([&] { config.comments(path); });
  accepted([&] {
    const auto [begin, end] = config.span(path, true);
    require(begin <= end && end <= config.bytes().size(), "a span outside of the text");
    config.path_at(begin);
  });
}

void check_edits(std::string_view input) {
  EditableConfig config(std::string(input), "input", kLimits);
  require(config.bytes() == input, "loading changed the bytes");
  const ConfigNode before = config.root();
  Choices choices(input);
  for (int i = 0; i < kEdits; ++i) {
    look_around(config, random_path(config.root(), choices));
    BytePatches patches;
    if (!accepted([&] { patches = edit(config, choices); })) {
      require(config.bytes() == input && config.root() == before, "a refused edit changed something", config.bytes());
      continue;
    }
    require(apply_patches(input, patches) == config.bytes(), "the patches are not the change", config.bytes());
    require(EditableConfig(config.bytes(), "again", kLimits).root() == config.root(), "the tree is not the text's",
            config.bytes());
    config.apply(inverse(patches));
    require(config.bytes() == input, "undo gives other bytes", config.bytes());
    require(config.root() == before, "undo gives another tree");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  const std::string_view input = view_of(data, size);
  ConfigNode tree;
  if (!accepted([&] { tree = load_yaml_text(input, "input", kLimits); })) return 0;
  check_text(tree, omegaconf_yaml(tree), "omegaconf_yaml reads back as something else");
  check_text(tree, to_yaml(tree), "to_yaml reads back as something else");
  check_edits(input);
  return 0;
}
