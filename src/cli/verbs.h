#pragma once
#include <functional>

#include "cli/command_line.h"

namespace CLI {
class App;
}

namespace attnscope::cli {

// What the chosen verb does once the whole line was understood.
using Action = std::function<void()>;

// Each adds one verb to `app`; when the line names it, `action` is set.
void add_run(CLI::App& app, const Streams& streams, Action& action);
void add_eval(CLI::App& app, const Streams& streams, Action& action);
void add_show(CLI::App& app, const Streams& streams, Action& action);
void add_tokenize(CLI::App& app, const Streams& streams, Action& action);

}  // namespace attnscope::cli
