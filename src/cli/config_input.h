#pragma once
#include <functional>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "config/diff.h"
#include "config/layers.h"

namespace CLI {
class App;
}

namespace attnscope::cli {

// What the verbs of `config` have in common.
struct ConfigOptions {
  std::vector<std::string> overrides;
  bool json = false;
  bool own_only = false;  // the file alone, without what its `_base_` names
};
void add_config_options(CLI::App& verb, ConfigOptions& options);

// Takes what has a "=" and names no file out of `arguments` and puts it behind the overrides.
std::vector<std::string> take_overrides(std::vector<std::string> arguments, std::vector<std::string>& overrides);

// What a file is called in messages; `-` is standard input.
std::string input_name(const std::string& file);
// ConfigError as read_config_file. RunCancelled when Ctrl-C comes while standard input is waited for.
std::string read_input(const std::string& file, const Streams& streams);

// The layers of the files in their order, with what their `_base_` names, and of the overrides, called "command line".
// UsageError when `-` is given twice.
std::vector<ConfigLayer> read_layers(const std::vector<std::string>& files, const ConfigOptions& options,
                                     const Streams& streams);

// Does the work of a verb. With `json` an error is also one JSON document on standard output.
int with_json_errors(bool json, const Streams& streams, const std::function<int()>& work);

// "file", "line", "column", "key" of a document; null where it is not known.
void add_place(ConfigNode& document, const ConfigPlace& place);

// "kind" (added, removed, changed), "key", "before" and "after" of a difference; null where there is no value.
ConfigNode change_document(const ConfigNode& before, const ConfigNode& after, const ConfigChange& change);

// A value in one line.
std::string one_line(const ConfigNode& value);

// "no such key" at the place where the key stops to lead on, with what is near.
ConfigError no_such_key(const ConfigNode& root, const std::string& key);

}  // namespace attnscope::cli
