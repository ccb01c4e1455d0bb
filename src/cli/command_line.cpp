#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ostream>

#include "base/error.h"
#include "cli/verbs.h"

namespace attnscope::cli {
namespace {

int usage_error(const CLI::App& app, const CLI::ParseError& error, const Streams& streams) {
  if (error.get_exit_code() == 0) {  // --help, --version
    app.exit(error, streams.out, streams.err);
    return 0;
  }
  streams.err << "error: " << error.what() << "\n  Run attnscope-cli";
  for (const CLI::App* at = &app; !at->get_subcommands().empty();) {
    at = at->get_subcommands().back();
    streams.err << " " << at->get_name();
  }
  streams.err << " --help to see what it takes.\n";
  return 2;
}

}  // namespace

int run_command_line(const std::vector<std::string>& arguments, const Streams& streams) {
  CLI::App app("Inspect and edit attention inside diffusion models.", "attnscope-cli");
  app.set_version_flag("--version", std::string("attnscope-cli ") + ATTNSCOPE_VERSION);
  app.require_subcommand(1);
  app.footer("Exit codes: 0 ok, 1 failed, 2 usage, 3 config or input, 130 cancelled.");
  Action action;
  add_run(app, streams, action);
  add_eval(app, streams, action);
  add_show(app, streams, action);
  add_tokenize(app, streams, action);
  add_config(app, streams, action);
  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());  // CLI11 takes them last first
    app.parse(reversed);
  } catch (const CLI::ParseError& error) {
    return usage_error(app, error, streams);
  }
  try {
    const int code = action();
    streams.out.flush();
    if (!streams.out)
      throw WriteError("standard output could not be written", {}, "Is the disk full, or the reader gone?");
    return code;
  } catch (const RunCancelled&) {
    streams.err << "cancelled\n";
    return 130;
  } catch (const Error& error) {
    streams.err << "error: " << error.what() << "\n";
    return error.exit_code();
  } catch (const std::exception& error) {
    const std::string text = error.what();
    streams.err << "error: " << text.substr(0, text.find('\n')) << "\n";
    return 1;
  }
}

}  // namespace attnscope::cli
