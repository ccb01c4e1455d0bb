#pragma once
#include <functional>

#include "cli/command_line.h"

namespace CLI {
class App;
}

namespace attnscope::cli {

// What the chosen verb does once the whole line was understood; gives the exit code.
using Action = std::function<int()>;

// Each adds one verb to `app`; when the line names it, `action` is set.
void add_run(CLI::App& app, const Streams& streams, Action& action);
void add_eval(CLI::App& app, const Streams& streams, Action& action);
void add_show(CLI::App& app, const Streams& streams, Action& action);
void add_tokenize(CLI::App& app, const Streams& streams, Action& action);
void add_config(CLI::App& app, const Streams& streams, Action& action);

// The verbs of `config`, a few in each file.
void add_config_views(CLI::App& app, const Streams& streams, Action& action);   // get, merge, resolve, compose
void add_config_checks(CLI::App& app, const Streams& streams, Action& action);  // validate, diff, blame, reference
void add_config_edits(CLI::App& app, const Streams& streams, Action& action);   // set, del

}  // namespace attnscope::cli
