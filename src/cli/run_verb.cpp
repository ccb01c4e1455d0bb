#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "base/error.h"
#include "cli/interrupt.h"
#include "cli/progress_printer.h"
#include "cli/verbs.h"
#include "nn/device.h"
#include "pipelines/run.h"

namespace attnscope::cli {

void add_run(CLI::App& app, const Streams& streams, Action& action) {
  struct Options {
    std::string config, out;
    std::vector<std::string> overrides;
    bool json = false;
    int threads = 0;
  };
  auto options = std::make_shared<Options>();
  CLI::App* verb =
      app.add_subcommand("run", "Run a config and write a run folder (frames, maps, heat maps, manifest).");
  verb->add_option("config", options->config, "The experiment's YAML file")->required();
  verb->add_option("overrides", options->overrides,
                   "key=value pairs that replace values of the config, such as seed=3");
  verb->add_option("-o,--out", options->out, "The folder to write; an earlier run in it is replaced")->required();
  verb->add_flag("--json", options->json, "Print events as JSON lines on standard output");
  verb->add_option("--threads", options->threads, "Compute threads (0: all cores this process may use)")
      ->check(CLI::Range(0, 1024));
  verb->callback([options, &streams, &action] {
    action = [options, &streams] {
      if (options->threads > 0) nn::set_compute_threads(options->threads);
      const RunRequest request = load_run_request(options->config, options->overrides);
      ProgressPrinter printer(streams, options->json);
      const std::string out = std::filesystem::absolute(options->out).lexically_normal().string();
      try {
        execute_run(request, options->out, printer, interrupt_token());
      } catch (const RunCancelled&) {
        printer.cancelled(out);
        throw;
      } catch (const Error& error) {
        printer.failed(error);
        throw;
      }
      printer.done(out);
      return 0;
    };
  });
}

}  // namespace attnscope::cli
