#include <CLI/CLI.hpp>

#include "cli/verbs.h"

namespace attnscope::cli {

void add_config(CLI::App& app, const Streams& streams, Action& action) {
  CLI::App* config = app.add_subcommand("config", "Read, compare, check and edit config files (YAML).");
  config->require_subcommand(1);
  config->footer(
      "A FILE of - is standard input. Behind the files every verb takes KEY=VALUE overrides: any argument that has a "
      "=\n"
      "and names no file (or -O KEY=VALUE). A KEY is a.b[0]; a VALUE is YAML. Results go to standard output.\n"
      "Exit codes: 0 ok (of diff: same), 1 failed (of diff: different), 2 usage, 3 config or input.");
  add_config_views(*config, streams, action);
  add_config_checks(*config, streams, action);
  add_config_edits(*config, streams, action);
}

}  // namespace attnscope::cli
