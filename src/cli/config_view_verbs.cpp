#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <ostream>

#include "base/error.h"
#include "cli/config_input.h"
#include "cli/config_output.h"
#include "cli/verbs.h"
#include "config/hydra_compose.h"
#include "config/json_text.h"
#include "config/only_changes.h"
#include "config/python_text.h"
#include "config/resolve.h"
#include "config/writer.h"
#include "config/yaml_loader.h"

namespace attnscope::cli {
namespace {

namespace fs = std::filesystem;

struct ViewOptions {
  std::vector<std::string> files;
  std::string file, key, form;  // of `compose` the folder and the config
  bool raw = false;
  ConfigOptions common;
  OutputOptions output;
};
using Options = std::shared_ptr<ViewOptions>;

// A scalar without quotes, for scripts; a container as YAML.
std::string plain_text(const ConfigNode& value) {
  if (!value.is_scalar()) return to_yaml(value);
  if (value.kind() == ConfigNode::Kind::string) return value.as_string() + "\n";
  if (value.kind() == ConfigNode::Kind::floating) return python_float(value.as_float()) + "\n";
  return scalar_to_yaml(value) + "\n";
}

ConfigNode value_of(const ConfigNode& tree, const std::string& key, bool raw) {
  if (raw) {
    const auto path = find_path(tree, key);
    if (!path) throw no_such_key(tree, key);
    return *node_at(tree, *path);
  }
  ConfigResolver resolver(tree);
  const ConfigCursor found =
      key.empty() ? resolver.root() : resolver.select(resolver.root(), key, {.throw_on_missing = true});
  if (!found) throw no_such_key(tree, key);
  return found->is_scalar() ? found.node() : resolver.to_plain(found, true);
}

void get(const ViewOptions& options, const Streams& streams) {
  const MergedConfig merged(read_layers({options.file}, options.common, streams));
  const ConfigNode value = value_of(merged.tree(), options.key, options.raw);
  if (options.common.json) {
    streams.out << to_json(value);
  } else if (options.raw && value.is_scalar()) {
    streams.out << value.text() << "\n";
  } else {
    streams.out << plain_text(value);
  }
}

ConfigNode texts(const std::vector<std::string>& lines) {
  ConfigNode::List list;
  for (const std::string& line : lines) list.emplace_back(line);
  return list;
}

// What makes `tree` of `base`, as a small config or as key=value lines.
std::string changes_text(const ConfigNode& base, const ConfigNode& tree, const ViewOptions& options,
                         const Streams& streams) {
  const bool lines = options.form == "dotlist";
  const OnlyChanges changes = only_changes(base, tree);
  std::vector<std::string> removed;
  for (const ConfigPath& path : changes.removed) removed.push_back(path_text(base, path));
  for (const std::string& path : removed)
    streams.err << "warning: " << path << " must be removed from the base first, which a merge cannot do\n";
  if (lines && !changes.dotlist_is_whole)
    streams.err << "warning: not everything can be said as key=value; --form changes has it all\n";
  if (options.common.json) {
    return to_json(ConfigNode::Dict{{lines ? "dotlist" : "changes", lines ? texts(changes.dotlist) : changes.tree},
                                    {"removed", texts(removed)}});
  }
  if (!lines) return to_yaml(changes.tree);
  std::string text;
  for (const std::string& line : changes.dotlist) text += line + "\n";
  return text;
}

void merge(const ViewOptions& options, const Streams& streams) {
  std::vector<ConfigLayer> layers = read_layers(options.files, options.common, streams);
  const MergedConfig merged(layers);
  std::string text;
  if (options.form == "changes" || options.form == "dotlist") {
    // The first file with its bases is what the rest changes.
    const auto first = std::find_if(layers.begin(), layers.end(),
                                    [](const ConfigLayer& layer) { return layer.kind == ConfigLayer::Kind::file; });
    layers.erase(first + 1, layers.end());
    text = changes_text(MergedConfig(std::move(layers)).tree(), merged.tree(), options, streams);
  } else {
    ConfigNode tree = merged.tree();
    if (options.form == "resolved") resolve_in_place(tree);
    text = options.common.json ? to_json(tree) : to_yaml(tree);
  }
  write_output(options.output, text, streams);
}

void compose(const ViewOptions& options, const Streams& streams) {
  const std::string& folder = options.file;
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) {
    throw ConfigError(fs::exists(folder, ignored) ? "is a file, not a folder of configs" : "no such folder", {folder});
  }
  ConfigFolder configs;
  configs.read = [&](const std::string& path) -> std::optional<std::string> {
    if (path == "-.yaml") return read_input("-", streams);
    std::error_code error;
    if (!fs::exists(fs::path(folder) / path, error)) return std::nullopt;
    return read_config_file((fs::path(folder) / path).string());
  };
  configs.has_group = [&](const std::string& group) {
    std::error_code error;
    return !group.empty() && fs::is_directory(fs::path(folder) / group, error);
  };
  std::string config = options.key;
  for (const char* ending : {".yaml", ".yml"})
    if (config.ends_with(ending)) config.erase(config.size() - std::string(ending).size());
  ConfigNode tree = compose_hydra(configs, config, options.common.overrides);
  if (options.form == "resolved") resolve_in_place(tree);
  write_output(options.output, options.common.json ? to_json(tree) : to_yaml(tree), streams);
}

// What a verb does, told of its options.
using Work = void (*)(const ViewOptions& options, const Streams& streams);

void run_with(CLI::App* verb, const Options& options, const Streams& streams, Action& action, Work work) {
  verb->callback([=, &streams, &action] {
    action = [=, &streams] {
      return with_json_errors(options->common.json, streams, [&] {
        options->files = take_overrides(std::move(options->files), options->common.overrides);
        work(*options, streams);
        return 0;
      });
    };
  });
}

void add_get(CLI::App& app, const Streams& streams, Action& action) {
  auto options = std::make_shared<ViewOptions>();
  CLI::App* verb = app.add_subcommand("get", "Print one value: scalars as plain text, dicts and lists as YAML.");
  verb->add_option("file", options->file, "A config file")->required();
  verb->add_option("key", options->key, "The value's key, such as a.b[0]; \"\" is the whole file")->required();
  verb->add_option("overrides", options->common.overrides, "KEY=VALUE pairs");
  verb->add_flag("--raw", options->raw, "The value as it is written, with its ${…}, instead of what it stands for");
  add_config_options(*verb, options->common);
  run_with(verb, options, streams, action, get);
}

void add_merge(CLI::App& app, const Streams& streams, Action& action, const char* name, const char* help,
               const char* form) {
  auto options = std::make_shared<ViewOptions>();
  options->form = form;
  CLI::App* verb = app.add_subcommand(name, help);
  verb->add_option("files", options->files, "Config files, each laid on those before it, and KEY=VALUE pairs")
      ->required()
      ->expected(1, CLI::detail::expected_max_vector_size);
  verb->add_option("--form", options->form,
                   "merged: with its ${…}; resolved: with what they stand for; changes: a small file that gives the "
                   "same when it is merged on the first FILE; dotlist: the same as KEY=VALUE lines")
      ->check(CLI::IsMember({"merged", "resolved", "changes", "dotlist"}))
      ->capture_default_str();
  add_output_options(*verb, options->output);
  add_config_options(*verb, options->common);
  run_with(verb, options, streams, action, merge);
}

void add_compose(CLI::App& app, const Streams& streams, Action& action) {
  auto options = std::make_shared<ViewOptions>();
  options->form = "merged";
  CLI::App* verb = app.add_subcommand("compose", "Print what Hydra makes of a config and its defaults list.");
  verb->add_option("dir", options->file, "The folder of configs")->required();
  verb->add_option("config", options->key, "The config in it, with or without .yaml")->required();
  verb->add_option("overrides", options->common.overrides,
                   "Hydra's: KEY=VALUE, +KEY=VALUE, ++KEY=VALUE, ~KEY, GROUP=OPTION");
  verb->add_option("--form", options->form, "merged: with its ${…}; resolved: with what they stand for")
      ->check(CLI::IsMember({"merged", "resolved"}))
      ->capture_default_str();
  add_output_options(*verb, options->output);
  add_config_options(*verb, options->common);
  run_with(verb, options, streams, action, compose);
}

}  // namespace

void add_config_views(CLI::App& app, const Streams& streams, Action& action) {
  add_get(app, streams, action);
  add_merge(app, streams, action, "merge", "Lay config files on each other, as OmegaConf.merge does.", "merged");
  add_merge(app, streams, action, "resolve", "Replace every ${…} by what it stands for.", "resolved");
  add_compose(app, streams, action);
}

}  // namespace attnscope::cli
