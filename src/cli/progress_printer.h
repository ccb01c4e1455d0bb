#pragma once
#include <string>

#include "base/error.h"
#include "cli/command_line.h"
#include "pipelines/run.h"

namespace attnscope::cli {

// Shows a run on standard error: one line that is rewritten on a terminal, else a line a stage and a tenth of it.
// With `json`, every event is also one JSON object a line on standard output.
class ProgressPrinter final : public RunObserver {
 public:
  ProgressPrinter(const Streams& streams, bool json) : streams_(streams), json_(json) {}

  void on_progress(const Progress& progress) override;
  void on_warning(const std::string& text) override;
  void on_capture_bytes(int64_t bytes) override;
  // How it ended; `out` is the run folder. What failed() says on standard error is left to the command line.
  void done(const std::string& out);
  void cancelled(const std::string& out);
  void failed(const Error& error);

 private:
  // Ends the line that is being rewritten.
  void end_line();

  const Streams& streams_;
  bool json_;
  bool line_open_ = false;
  std::string last_stage_;
  int last_tenth_ = -1;
};

}  // namespace attnscope::cli
