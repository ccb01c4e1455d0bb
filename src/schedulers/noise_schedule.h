#pragma once
#include <ATen/core/Tensor.h>

#include <initializer_list>

#include "schedulers/scheduler_config.h"

namespace attnscope {

// ᾱ_t for t = 0 ... num_train_timesteps - 1 (float32, CPU) from beta_start, beta_end, beta_schedule (one of `schedules`
// out of linear, scaled_linear, squaredcos_cap_v2, laplace, sigmoid), trained_betas and rescale_betas_zero_snr.
// Computed in float32 like diffusers, so that the values are the same bits. LoadError for a schedule that is not in the
// list and for betas outside [0, 1].
at::Tensor make_alphas_cumprod(const SchedulerConfig& config, int64_t num_train_timesteps,
                               std::initializer_list<const char*> schedules);

}  // namespace attnscope
