#include "schedulers/sigma_spacing.h"

#include <utility>

#include "schedulers/spacing.h"

namespace attnscope {
using namespace schedules;

SigmaSpacing::SigmaSpacing(const SchedulerConfig& config)
    : min_(config.optional_number("sigma_min")), max_(config.optional_number("sigma_max")) {
  for (const auto& [key, kind] :
       {std::pair{"use_karras_sigmas", Kind::karras}, std::pair{"use_exponential_sigmas", Kind::exponential},
        std::pair{"use_beta_sigmas", Kind::beta}}) {
    if (!config.flag(key, false)) continue;
    if (replaces()) config.refuse(key, "cannot be combined with another spacing of the sigmas", "Set one of them.");
    kind_ = kind;
  }
  if (min_ && !(*min_ > 0)) config.refuse("sigma_min", "is not above 0");
  if (max_ && !(*max_ > min_.value_or(0))) config.refuse("sigma_max", "is not above sigma_min");
}

std::vector<double> SigmaSpacing::make(double min, double max, int64_t count) const {
  min = min_.value_or(min);
  max = max_.value_or(max);
  if (kind_ == Kind::karras) return karras_sigmas(min, max, count);
  return kind_ == Kind::exponential ? exponential_sigmas(min, max, count) : beta_sigmas(min, max, count);
}

}  // namespace attnscope
