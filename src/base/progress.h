#pragma once
#include <chrono>
#include <string>

namespace attnscope {

// How far a stage of a run is. Times are seconds; eta is negative until the first step is done.
struct Progress {
  std::string stage;
  int step = 0;
  int total = 0;
  double elapsed = 0;
  double steps_per_second = 0;
  double eta = -1;
};

// Measures one stage. The rate is the mean over the stage, which is steadier than the last step's.
class StageClock {
 public:
  StageClock(std::string stage, int total);
  Progress at(int step) const;

 private:
  using Clock = std::chrono::steady_clock;
  std::string stage_;
  int total_;
  Clock::time_point start_;
};

}  // namespace attnscope
