#pragma once
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/image.h"
#include "base/progress.h"
#include "pipelines/run_request.h"

namespace attnscope {

// What a run tells while it goes. Called on the thread that runs; everything is passed by value and may be kept.
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  // A stage began or advanced: "load model", "read frames", "invert", "denoise", "decode", "write".
  virtual void on_progress(const Progress&) {}
  // A cheap preview of one frame (a linear projection of the latents, at the latents' size) at a step.
  virtual void on_preview(int step, int frame, const Image&) {}
  // The maps of one word so far, one a frame.
  virtual void on_maps(const std::string& word, const std::vector<HeatMap>&) {}
  virtual void on_warning(const std::string&) {}
  // The bytes that capture will hold; told before the first step.
  virtual void on_capture_bytes(int64_t) {}
};

// How often a run sends previews and maps to its observer; 0: never.
struct RunPreviews {
  int every_steps = 0;
  std::vector<std::string> words;  // whose maps; empty: none
};

// Runs the request and writes the run folder `out` (docs/run-folder.md), which must not exist or be empty or hold an
// earlier run. Returns when the folder is complete. Throws RunCancelled after `cancel` was set (what was done is kept
// in the folder, marked cancelled), or the Error that ended it (folder marked failed).
void execute_run(const RunRequest& request, const std::string& out, RunObserver& observer, const CancelToken& cancel,
                 const RunPreviews& previews = {});

}  // namespace attnscope
