#include "cli/config_check.h"

#include <algorithm>
#include <cmath>

#include "config/open_values.h"
#include "config/yaml_loader.h"

namespace attnscope::cli {
namespace {

using Level = ConfigFinding::Level;

// OmegaConf refuses what is larger than its limit; we read more.
void check_size(const ConfigNode& tree, std::vector<ConfigFinding>& findings) {
  const auto limit = YamlLimits::reference().most_nodes;
  const std::size_t count = count_nodes(tree);
  if (!limit || count <= *limit) return;
  findings.push_back({Level::warning,
                      "the file holds, or its aliases expand to, " + std::to_string(count) +
                          " values; OmegaConf takes " + std::to_string(*limit),
                      {tree.place().file},
                      "OmegaConf reads it when OMEGACONF_MAX_YAML_EXPANDED_NODES is set to a larger number."});
}

// Looks at each value that must still be given or that an interpolation gives.
void check_values(const ConfigNode& tree, std::vector<ConfigFinding>& findings) {
  ConfigResolver resolver(tree);
  for_each_open_value(resolver, [&](const OpenValue& value) {
    ConfigPlace place = value.at->place();
    place.key = value.at.full_key();
    if (value.at->is_missing()) {
      findings.push_back({Level::warning, "a value must still be given (???)", place, {}});
    } else if (value.error) {
      // Other programs have resolvers of their own, and a missing value may still be given.
      const std::string& kind = value.error->kind();
      const bool may_be = kind == "UnsupportedInterpolationType" || kind == "InterpolationToMissingValueError";
      findings.push_back({may_be ? Level::warning : Level::error, value.error->message(), place, value.error->hint()});
    }
  });
}

std::string type_name(SchemaEntry::Type type) {
  static constexpr const char* kNames[] = {"any",  "boolean", "integer", "number", "text",
                                           "path", "color",   "choice",  "list",   "dict"};
  return kNames[static_cast<int>(type)];
}

ConfigNode entry_document(const SchemaEntry& entry) {
  const auto end = [](double value) { return std::isfinite(value) ? ConfigNode(value) : ConfigNode(); };
  ConfigNode::List types, choices, members;
  types.emplace_back(type_name(entry.type));
  for (const SchemaEntry::Type type : entry.also) types.emplace_back(type_name(type));
  for (const std::string& choice : entry.choices) choices.emplace_back(choice);
  for (const SchemaEntry& member : entry.members) members.push_back(entry_document(member));
  ConfigNode document{ConfigNode::Dict{{"name", entry.name},
                                       {"types", std::move(types)},
                                       {"help", entry.help},
                                       {"unit", entry.unit.empty() ? ConfigNode() : ConfigNode(entry.unit)},
                                       {"lowest", end(entry.range.low)},
                                       {"highest", end(entry.range.high)},
                                       {"choices", std::move(choices)},
                                       {"required", entry.required},
                                       {"nullable", entry.nullable}}};
  if (entry.default_value) document.set("default", *entry.default_value);
  if (entry.type == SchemaEntry::Type::dict) {
    document.set("any_key", entry.any_key);
    document.set("members", std::move(members));
  }
  if (!entry.items.empty()) document.set("items", entry_document(entry.items[0]));
  return document;
}

}  // namespace

int ConfigReport::errors() const {
  return static_cast<int>(std::count_if(findings.begin(), findings.end(),
                                        [](const ConfigFinding& finding) { return finding.level == Level::error; }));
}

std::string ConfigReport::text() const {
  const auto counted = [](int count, const char* what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
  };
  std::string text;
  for (const ConfigFinding& finding : findings) {
    const std::string place = finding.place.text();
    text += (place.empty() ? "" : place + ": ") + (finding.level == Level::error ? "error: " : "warning: ") +
            finding.message + "\n";
    if (!finding.hint.empty()) text += "  " + finding.hint + "\n";
  }
  return text + counted(errors(), "error") + ", " + counted(static_cast<int>(findings.size()) - errors(), "warning") +
         (schema.empty() ? "" : " (checked as " + schema + ")") + "\n";
}

ConfigNode ConfigReport::document() const {
  ConfigNode::List rows;
  for (const ConfigFinding& finding : findings) {
    ConfigNode row{
        ConfigNode::Dict{{"level", finding.level == Level::error ? "error" : "warning"}, {"message", finding.message}}};
    add_place(row, finding.place);
    row.set("hint", finding.hint.empty() ? ConfigNode() : ConfigNode(finding.hint));
    rows.push_back(std::move(row));
  }
  return ConfigNode::Dict{{"valid", errors() == 0},
                          {"schema", schema.empty() ? ConfigNode() : ConfigNode(schema)},
                          {"errors", errors()},
                          {"warnings", static_cast<int>(findings.size()) - errors()},
                          {"findings", std::move(rows)}};
}

ConfigReport check_config(const std::vector<std::string>& files, const ConfigOptions& options,
                          const ConfigSchema* schema, const Streams& streams) {
  ConfigReport report;
  try {
    const std::vector<ConfigLayer> layers = read_layers(files, options, streams);
    for (const ConfigLayer& layer : layers)
      if (layer.tree) check_size(*layer.tree, report.findings);
    const MergedConfig merged(layers);
    check_values(merged.tree(), report.findings);
    if (!schema) schema = ConfigSchema::of(merged.tree());
    if (schema) {
      report.schema = schema->name();
      for (ConfigFinding& finding : schema->check(merged.tree())) report.findings.push_back(std::move(finding));
    }
  } catch (const ConfigError& error) {
    report.findings.push_back({Level::error, error.message(), error.place(), error.hint()});
  }
  return report;
}

ConfigNode schema_document(const ConfigSchema* schema) {
  const auto document = [](const ConfigSchema& one) -> ConfigNode {
    return ConfigNode::Dict{{"name", one.name()},
                            {"title", one.title()},
                            {"help", one.help()},
                            {"strict", one.strict()},
                            {"root", entry_document(one.root())}};
  };
  if (schema) return document(*schema);
  ConfigNode::List all;
  for (const ConfigSchema& one : ConfigSchema::all()) all.push_back(document(one));
  return all;
}

}  // namespace attnscope::cli
