#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>

#include "base/error.h"
#include "cli/config_check.h"
#include "cli/config_input.h"
#include "cli/verbs.h"
#include "config/children.h"
#include "config/json_text.h"
#include "config/schema_reference.h"

namespace attnscope::cli {
namespace {

struct CheckOptions {
  std::vector<std::string> files;
  std::string key, schema;
  ConfigOptions common;
};
using Options = std::shared_ptr<CheckOptions>;

const ConfigSchema* schema_named(const std::string& name) {
  const ConfigSchema* schema = ConfigSchema::named(name);
  if (schema) return schema;
  std::vector<std::string> names;
  std::string all;
  for (const ConfigSchema& known : ConfigSchema::all()) {
    names.push_back(known.name());
    all += (all.empty() ? "" : ", ") + known.name();
  }
  const std::string near = nearest_name(name, names);
  throw UsageError("there is no schema " + name, {},
                   near.empty() ? "There are " + all + "." : "Did you mean " + near + "?");
}

int validate(const CheckOptions& options, const Streams& streams) {
  const ConfigSchema* schema = options.schema.empty() ? nullptr : schema_named(options.schema);
  const ConfigReport report = check_config(options.files, options.common, schema, streams);
  streams.out << (options.common.json ? to_json(report.document()) : report.text());
  return report.errors() > 0 ? 3 : 0;
}

int diff(const CheckOptions& options, const Streams& streams) {
  if (options.files.size() != 2) throw UsageError("diff takes two files");
  if (options.files[0] == "-" && options.files[1] == "-") throw UsageError("standard input (-) can be read once only");
  ConfigOptions plain = options.common;
  plain.overrides.clear();
  const MergedConfig before(read_layers({options.files[0]}, plain, streams));
  const MergedConfig after(read_layers({options.files[1]}, options.common, streams));
  const std::vector<ConfigChange> changes = diff_configs(before.tree(), after.tree());
  ConfigNode::List rows;
  for (const ConfigChange& change : changes) {
    const ConfigNode* a = node_at(before.tree(), change.path);
    const ConfigNode* b = node_at(after.tree(), change.path);
    const std::string key = path_text(b ? after.tree() : before.tree(), change.path);
    if (options.common.json) {
      const auto place = [](const ConfigNode* node) {
        ConfigPlace at = node ? node->place() : ConfigPlace();
        at.key.clear();
        return node ? ConfigNode(at.text()) : ConfigNode();
      };
      ConfigNode row = change_document(before.tree(), after.tree(), change);
      row.set("before_at", place(a));
      row.set("after_at", place(b));
      rows.push_back(std::move(row));
    } else if (a && b) {
      streams.out << "~ " << key << ": " << one_line(*a) << " -> " << one_line(*b) << "\n";
    } else {
      streams.out << (a ? "- " : "+ ") << key << ": " << one_line(a ? *a : *b) << "\n";
    }
  }
  if (options.common.json)
    streams.out << to_json(ConfigNode::Dict{{"same", changes.empty()}, {"changes", std::move(rows)}});
  return changes.empty() ? 0 : 1;
}

// The override that gave a value, as it was given; nullptr when a file did.
const std::string* override_of(const MergedConfig& merged, const MergedConfig::Source& source) {
  const ConfigLayer& layer = merged.layers()[source.layer];
  if (layer.kind != ConfigLayer::Kind::overrides || source.place.line <= 0) return nullptr;
  return &layer.overrides[static_cast<std::size_t>(source.place.line) - 1];
}

// Where a value is from: the place in a file, or the override.
std::string origin(const MergedConfig& merged, const MergedConfig::Source& source) {
  if (const std::string* text = override_of(merged, source)) return "override " + *text;
  ConfigPlace place = source.place;
  place.key.clear();
  return place.text();
}

ConfigNode source_document(const MergedConfig& merged, const MergedConfig::Source& source) {
  const std::string* text = override_of(merged, source);
  ConfigNode document{ConfigNode::Dict{{"value", source.value}, {"layer", static_cast<int64_t>(source.layer)}}};
  add_place(document, text ? ConfigPlace() : source.place);
  document.erase("key");
  document.set("override", text ? ConfigNode(*text) : ConfigNode());
  return document;
}

// Every leaf below a node, in order.
void for_each_leaf(const ConfigNode& node, ConfigPath& path, const std::function<void(const ConfigPath&)>& visit) {
  if (child_count(node) == 0) return visit(path);
  for_each_child(node, [&](const ConfigKey& key, const ConfigNode& child) {
    path.push_back(key);
    for_each_leaf(child, path, visit);
    path.pop_back();
  });
}

int blame(const CheckOptions& options, const Streams& streams) {
  const MergedConfig merged(read_layers(options.files, options.common, streams));
  const auto top = find_path(merged.tree(), options.key);
  if (!top) throw no_such_key(merged.tree(), options.key);
  ConfigNode::List rows;
  ConfigPath path = *top;
  for_each_leaf(*node_at(merged.tree(), path), path, [&](const ConfigPath& leaf) {
    const auto sources = merged.blame(leaf);
    if (sources.empty()) return;
    const std::string key = path_text(merged.tree(), leaf);
    if (!options.common.json) {
      streams.out << origin(merged, sources[0]) << ": " << key << " = " << one_line(sources[0].value) << "\n";
      for (std::size_t i = 1; i < sources.size(); ++i)
        streams.out << "    hides " << one_line(sources[i].value) << " of " << origin(merged, sources[i]) << "\n";
      return;
    }
    ConfigNode row{ConfigNode::Dict{{"key", key}}};
    const ConfigNode first = source_document(merged, sources[0]);
    for (const auto& [name, value] : first.members()) row.set(name, value);
    ConfigNode::List hidden;
    for (std::size_t i = 1; i < sources.size(); ++i) hidden.push_back(source_document(merged, sources[i]));
    row.set("hides", std::move(hidden));
    rows.push_back(std::move(row));
  });
  if (!options.common.json) return 0;
  ConfigNode::List layers;
  for (const ConfigLayer& layer : merged.layers()) layers.emplace_back(layer.name);
  streams.out << to_json(ConfigNode::Dict{{"layers", std::move(layers)}, {"leaves", std::move(rows)}});
  return 0;
}

int reference(const CheckOptions& options, const Streams& streams) {
  const ConfigSchema* schema = options.schema.empty() ? nullptr : schema_named(options.schema);
  if (options.common.json) {
    streams.out << to_json(schema_document(schema));
  } else {
    streams.out << (schema ? schema_reference(*schema) : schema_reference());
  }
  return 0;
}

using Work = int (*)(const CheckOptions& options, const Streams& streams);

void run_with(CLI::App* verb, const Options& options, const Streams& streams, Action& action, Work work) {
  verb->callback([=, &streams, &action] {
    action = [=, &streams] {
      return with_json_errors(options->common.json, streams, [&] {
        options->files = take_overrides(std::move(options->files), options->common.overrides);
        return work(*options, streams);
      });
    };
  });
}

void add_files(CLI::App* verb, const Options& options, const char* help) {
  verb->add_option("files", options->files, help)->required()->expected(1, CLI::detail::expected_max_vector_size);
}

}  // namespace

void add_config_checks(CLI::App& app, const Streams& streams, Action& action) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* verb = app.add_subcommand("validate", "Say what is wrong in a config: exit code 3 when there are errors.");
  add_files(verb, options, "Config files, each laid on those before it, and KEY=VALUE pairs");
  verb->add_option("--schema", options->schema, "What it must be: a name as `reference` has it (default: by its keys)");
  add_config_options(*verb, options->common);
  run_with(verb, options, streams, action, validate);

  options = std::make_shared<CheckOptions>();
  verb = app.add_subcommand("diff", "Compare two configs by key: exit code 0 when they are the same, 1 when not.");
  add_files(verb, options, "Two config files, and KEY=VALUE pairs that are laid on the second");
  add_config_options(*verb, options->common);
  run_with(verb, options, streams, action, diff);

  options = std::make_shared<CheckOptions>();
  verb = app.add_subcommand("blame", "Say for each value which file and line gave it, and what it hid.");
  add_files(verb, options, "Config files, each laid on those before it, and KEY=VALUE pairs");
  verb->add_option("-k,--key", options->key, "Only what is below this key");
  add_config_options(*verb, options->common);
  run_with(verb, options, streams, action, blame);

  options = std::make_shared<CheckOptions>();
  verb = app.add_subcommand("reference", "Print every key of the configs that are known, in Markdown.");
  verb->add_option("schema", options->schema, "One kind of config only, such as run");
  verb->add_flag("--json", options->common.json, "Print JSON");
  run_with(verb, options, streams, action, reference);
}

}  // namespace attnscope::cli
