#pragma once
#include <optional>
#include <vector>

#include "schedulers/scheduler_config.h"

namespace attnscope {

// use_karras_sigmas, use_exponential_sigmas, use_beta_sigmas (one at most) with sigma_min and sigma_max.
class SigmaSpacing {
 public:
  explicit SigmaSpacing(const SchedulerConfig& config);
  bool replaces() const { return kind_ != Kind::timesteps; }
  bool karras() const { return kind_ == Kind::karras; }
  // `count` sigmas, noisiest first, between the config's ends or, where it has none, those given.
  std::vector<double> make(double min, double max, int64_t count) const;

 private:
  enum class Kind { timesteps, karras, exponential, beta } kind_ = Kind::timesteps;
  std::optional<double> min_, max_;
};

}  // namespace attnscope
