#include "cli/config_input.h"

#include <poll.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iterator>

#include "base/error.h"
#include "cli/interrupt.h"
#include "config/errors.h"
#include "config/json_text.h"
#include "config/merge.h"
#include "config/resolve.h"
#include "config/yaml_loader.h"
#include "config/yaml_spelling.h"

namespace attnscope::cli {
namespace {

constexpr const char* kStandardInput = "standard input";

// Ctrl-C sets a token only, so no read may wait longer than a moment.
std::string read_descriptor(int descriptor) {
  constexpr int kMoment = 200;  // ms
  std::string text;
  char buffer[65536];
  for (;;) {
    struct pollfd waiting {
      descriptor, POLLIN, 0
    };
    const int ready = ::poll(&waiting, 1, kMoment);
    if (interrupt_token().cancelled()) throw RunCancelled();
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    const ssize_t count = ready < 0 ? -1 : ::read(descriptor, buffer, sizeof buffer);
    if (count < 0) throw ConfigError("cannot be read: " + std::string(std::strerror(errno)), {kStandardInput});
    if (count == 0) return text;
    text.append(buffer, static_cast<std::size_t>(count));
  }
}

ConfigNode error_document(const Error& error) {
  ConfigNode members{ConfigNode::Dict{}};
  members.set("message", error.message());
  const auto* of_config = dynamic_cast<const ConfigError*>(&error);
  const auto* of_kind = dynamic_cast<const ConfigKindError*>(&error);
  members.set("kind", of_kind ? ConfigNode(of_kind->kind()) : ConfigNode());
  ConfigPlace place{error.where()};
  add_place(members, of_config ? of_config->place() : place);
  members.set("hint", error.hint().empty() ? ConfigNode() : ConfigNode(error.hint()));
  return ConfigNode::Dict{{"error", std::move(members)}};
}

}  // namespace

void add_config_options(CLI::App& verb, ConfigOptions& options) {
  verb.add_option("-O,--override", options.overrides,
                  "KEY=VALUE, laid on what was read; may be repeated. The same as a KEY=VALUE behind the files")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  verb.add_flag("--json", options.json, "Print JSON; an error is JSON on standard output, too");
  verb.add_flag("--own", options.own_only, "Read the file alone, without the files that its _base_ names");
}

std::vector<std::string> take_overrides(std::vector<std::string> arguments, std::vector<std::string>& overrides) {
  const auto is_override = [](const std::string& argument) {
    std::error_code ignored;
    return argument.find('=') != std::string::npos && !std::filesystem::exists(argument, ignored);
  };
  std::copy_if(arguments.begin(), arguments.end(), std::back_inserter(overrides), is_override);
  std::erase_if(arguments, is_override);
  return arguments;
}

std::string input_name(const std::string& file) { return file == "-" ? kStandardInput : file; }

std::string read_input(const std::string& file, const Streams& streams) {
  if (file != "-") return read_config_file(file);
  if (&streams.in == &std::cin) return read_descriptor(STDIN_FILENO);
  return {std::istreambuf_iterator<char>(streams.in), std::istreambuf_iterator<char>()};
}

std::vector<ConfigLayer> read_layers(const std::vector<std::string>& files, const ConfigOptions& options,
                                     const Streams& streams) {
  if (files.empty()) throw UsageError("no file was given", {}, "Give a config file, or - for standard input.");
  if (std::count(files.begin(), files.end(), "-") > 1) throw UsageError("standard input (-) can be read once only");
  std::vector<ConfigLayer> layers;
  for (const std::string& file : files) {
    const std::string name = input_name(file);
    auto tree = std::make_shared<const ConfigNode>(load_yaml_text(read_input(file, streams), name));
    std::vector<ConfigLayer> own;
    if (options.own_only) {
      own.push_back({.kind = ConfigLayer::Kind::file, .name = name, .tree = std::move(tree), .overrides = {}});
    } else {
      own = layers_of_file(name, std::move(tree));
    }
    std::move(own.begin(), own.end(), std::back_inserter(layers));
  }
  if (!options.overrides.empty()) {
    layers.push_back({.kind = ConfigLayer::Kind::overrides,
                      .name = "command line",
                      .tree = nullptr,
                      .overrides = options.overrides});
  }
  return layers;
}

int with_json_errors(bool json, const Streams& streams, const std::function<int()>& work) {
  try {
    return work();
  } catch (const RunCancelled&) {
    throw;
  } catch (const Error& error) {
    if (json) streams.out << to_json(error_document(error)) << std::flush;
    throw;
  }
}

void add_place(ConfigNode& document, const ConfigPlace& place) {
  const auto text = [](const std::string& value) { return value.empty() ? ConfigNode() : ConfigNode(value); };
  const auto number = [](int value) { return value > 0 ? ConfigNode(value) : ConfigNode(); };
  document.set("file", text(place.file));
  document.set("line", number(place.line));
  document.set("column", number(place.column));
  document.set("key", text(place.key));
}

ConfigNode change_document(const ConfigNode& before, const ConfigNode& after, const ConfigChange& change) {
  const ConfigNode* a = node_at(before, change.path);
  const ConfigNode* b = node_at(after, change.path);
  return ConfigNode::Dict{{"kind", a && b ? "changed"
                                   : a    ? "removed"
                                          : "added"},
                          {"key", path_text(b ? after : before, change.path)},
                          {"before", a ? *a : ConfigNode()},
                          {"after", b ? *b : ConfigNode()}};
}

std::string one_line(const ConfigNode& value) { return spell_value(value, {.flow = true}); }

ConfigError no_such_key(const ConfigNode& root, const std::string& key) {
  ConfigResolver resolver(root);
  ConfigCursor at = resolver.root();
  for (const std::string& step : split_key(key)) {
    if (at->is_interpolation()) {
      if (const ConfigCursor target = resolver.dereference(at)) at = target;
    }
    if (const auto found = find_step(at.node(), step)) {
      at = at.child(*found, *child_at(at.node(), *found));
      continue;
    }
    std::string hint;
    if (at->is_list()) {
      hint = at->items().empty() ? "The list is empty."
                                 : "The list has the items 0 to " + std::to_string(at->items().size() - 1) + ".";
    } else if (at->is_dict()) {
      std::vector<std::string> names;
      for (const auto& member : at->members()) names.push_back(member.first.text());
      const std::string near = nearest_name(step, names);
      constexpr std::size_t kMostNames = 10;
      if (!near.empty()) {
        hint = "Did you mean " + join_key(at.full_key(), near) + "?";
      } else if (!names.empty() && names.size() <= kMostNames) {
        for (const std::string& name : names) hint += (hint.empty() ? "There are " : ", ") + name;
        hint += ".";
      }
    } else {
      hint = at.full_key() + " is " + describe(at.node()) + ".";
    }
    ConfigPlace place = at->place();
    place.key = key;
    return {"there is no such key", place, hint};
  }
  return {"there is no such key", {root.place().file, 0, 0, key}};
}

}  // namespace attnscope::cli
