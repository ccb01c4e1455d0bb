#pragma once
#include <string>
#include <vector>

#include "cli/config_input.h"
#include "config/finding.h"
#include "config/schema.h"

namespace attnscope::cli {

// What is wrong in a config.
struct ConfigReport {
  std::vector<ConfigFinding> findings;
  std::string schema;  // its name; empty: none fits

  int errors() const;
  std::string text() const;  // a compiler's lines, and a last one with the counts
  ConfigNode document() const;
};

// Loads and merges the files and looks for what a program would trip over: what does not load, references that lead
// nowhere, values that are still missing, what the schema does not allow (by the keys when it is null), more values
// than OmegaConf takes. Throws only for usage and cancelling.
ConfigReport check_config(const std::vector<std::string>& files, const ConfigOptions& options,
                          const ConfigSchema* schema, const Streams& streams);

// A schema, or all when it is null, for `reference --json`.
ConfigNode schema_document(const ConfigSchema* schema);

}  // namespace attnscope::cli
