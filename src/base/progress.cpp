#include "base/progress.h"

#include <utility>

namespace attnscope {

StageClock::StageClock(std::string stage, int total) : stage_(std::move(stage)), total_(total), start_(Clock::now()) {}

Progress StageClock::at(int step) const {
  Progress progress{stage_, step, total_};
  progress.elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
  if (step > 0 && progress.elapsed > 0) {
    progress.steps_per_second = step / progress.elapsed;
    progress.eta = (total_ - step) / progress.steps_per_second;
  }
  return progress;
}

}  // namespace attnscope
