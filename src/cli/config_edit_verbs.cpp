#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <ostream>

#include "base/error.h"
#include "cli/config_input.h"
#include "cli/config_output.h"
#include "cli/verbs.h"
#include "config/diff.h"
#include "config/editable_config.h"
#include "config/errors.h"
#include "config/json_text.h"
#include "config/override.h"

namespace attnscope::cli {
namespace {

struct EditOptions {
  std::string file;
  std::vector<std::string> keys;  // to take out
  ConfigOptions common;           // the overrides are the values to set
  bool in_place = false;
  bool beside = false;
  OutputOptions output;
};

using Values = std::vector<std::pair<ConfigPath, ConfigNode>>;

// What must be set so that `before` becomes `after`. A list that is longer or shorter is set whole.
Values values_to_set(const ConfigNode& before, const ConfigNode& after) {
  Values values;
  for (const ConfigChange& change : diff_configs(before, after)) {
    ConfigPath path = change.path;
    ConfigPath container = path;
    if (!container.empty()) container.pop_back();
    const ConfigNode* above = node_at(after, container);
    if (change.kind != ConfigChange::Kind::changed && above && above->is_list()) path = container;
    const bool done =
        std::any_of(values.begin(), values.end(), [&](const auto& value) { return starts_with(path, value.first); });
    if (!done) values.emplace_back(path, *node_at(after, path));
  }
  return values;
}

// Where the value comes from an alias or `<<`, an own one is written there.
void set_beside(EditableConfig& config, const Values& values) {
  for (const auto& [path, value] : values) {
    try {
      config.set(path, value);
    } catch (const ConfigKindError& error) {
      if (error.kind() != "EditRefused") throw;
      config.override_beside(path, value);
    }
  }
}

// Sets them all; a refusal says whether --beside would do it.
void set_all(EditableConfig& config, const Values& values) {
  try {
    config.set_all(values);
  } catch (const ConfigKindError& refused) {
    if (refused.kind() != "EditRefused") throw;
    try {
      EditableConfig copy(config.bytes(), refused.place().file);
      set_beside(copy, values);
    } catch (const ConfigKindError&) {
      throw refused;
    }
    throw ConfigKindError(refused.kind(), refused.message(), refused.place(),
                          "With --beside an own value is written there, so that only this place changes.");
  }
}

void set_values(EditableConfig& config, const EditOptions& options, const Streams& streams) {
  const ConfigNode before = config.root().is_null() ? ConfigNode(ConfigNode::Dict{}) : config.root();
  ConfigNode after = before;
  apply_overrides(after, options.common.overrides);
  const Values values = values_to_set(before, after);
  std::string warnings;
  for (const auto& [path, value] : values) {
    for (const ConfigPath& other : config.also_changes(path)) {
      warnings += "warning: " + path_text(after, path) + " stands behind an anchor: " + path_text(after, other) +
                  " changes as well\n";
    }
  }
  if (options.beside) {
    set_beside(config, values);
  } else if (!values.empty()) {
    set_all(config, values);
  }
  // Not what an own value beside leaves as it is.
  if (!options.beside) streams.err << warnings;
}

void remove_keys(EditableConfig& config, const std::vector<std::string>& keys) {
  std::vector<ConfigPath> paths;
  for (const std::string& key : keys) {
    const auto path = find_path(config.root(), key);
    if (!path || path->empty()) throw no_such_key(config.root(), key);
    if (std::find(paths.begin(), paths.end(), *path) == paths.end()) paths.push_back(*path);
  }
  if (!paths.empty()) config.remove(paths);
}

ConfigNode edit_document(const EditOptions& options, const ConfigNode& before, const EditableConfig& after,
                         bool written) {
  ConfigNode::List edits;
  for (const ConfigChange& change : diff_configs(before, after.root()))
    edits.push_back(change_document(before, after.root(), change));
  ConfigNode document{ConfigNode::Dict{{"edits", std::move(edits)},
                                       {"written", written ? ConfigNode(options.output.file) : ConfigNode()}}};
  if (!written) document.set("text", after.bytes());
  return document;
}

// All edits or none: they are done in memory, and the file is written once.
int edit(EditOptions& options, const Streams& streams) {
  if (options.in_place && options.file == "-")
    throw UsageError("standard input cannot be edited in place", {}, "Give --out FILE, or take standard output.");
  if (options.in_place) options.output.file = options.file;
  const std::string bytes = read_input(options.file, streams);
  EditableConfig config(bytes, input_name(options.file));
  const ConfigNode before = config.root();
  set_values(config, options, streams);
  remove_keys(config, options.keys);
  const bool to_file = !options.output.file.empty() && options.output.file != "-";
  if (to_file && !(options.in_place && config.bytes() == bytes)) write_output(options.output, config.bytes(), streams);
  if (options.common.json) {
    streams.out << to_json(edit_document(options, before, config, to_file));
  } else if (!to_file) {
    streams.out << config.bytes();
  }
  return 0;
}

CLI::App* add_edit(CLI::App& app, const char* name, const char* help, const std::shared_ptr<EditOptions>& options,
                   const Streams& streams, Action& action) {
  CLI::App* verb = app.add_subcommand(name, help);
  verb->add_option("file", options->file, "A config file")->required();
  CLI::Option* in_place = verb->add_flag("-i,--in-place", options->in_place, "Change the file itself");
  add_output_options(*verb, options->output);
  verb->get_option("--out")->excludes(in_place);
  verb->add_flag("--json", options->common.json, "Print what changed as JSON; an error is JSON, too");
  verb->callback([options, &streams, &action] {
    action = [options, &streams] {
      return with_json_errors(options->common.json, streams, [&] { return edit(*options, streams); });
    };
  });
  return verb;
}

}  // namespace

void add_config_edits(CLI::App& app, const Streams& streams, Action& action) {
  auto options = std::make_shared<EditOptions>();
  CLI::App* verb =
      add_edit(app, "set", "Set values; the rest of the file stays byte for byte.", options, streams, action);
  verb->add_option("edits", options->common.overrides, "KEY=VALUE pairs; what is not there is added")
      ->required()
      ->expected(1, CLI::detail::expected_max_vector_size);

  verb->add_flag("--beside", options->beside,
                 "Where a value comes from an alias or <<, write an own one there, so that only this place changes");

  options = std::make_shared<EditOptions>();
  verb = add_edit(app, "del", "Take keys out; the rest of the file stays byte for byte.", options, streams, action);
  verb->add_option("keys", options->keys, "Keys such as a.b[0]")
      ->required()
      ->expected(1, CLI::detail::expected_max_vector_size);
  verb->add_option("-O,--override", options->common.overrides, "KEY=VALUE to set in the same write; may be repeated")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
}

}  // namespace attnscope::cli
