#pragma once
#include <functional>

#include "schedulers/scheduler.h"

namespace attnscope {

// The DDIM inverse of a scheduler's config (any class whose fields it shares), so that inversion and the DDIM steps
// back agree about every level: betas, offset, spacing, prediction type and the ᾱ of the clean end. LoadError as
// make_scheduler.
std::unique_ptr<Scheduler> make_inverse_scheduler(const Scheduler& forward);

// The network's output for `latents` at `timestep`, the level that step i (0 = next to the clean end) arrives at.
using InversionModel = std::function<at::Tensor(const at::Tensor& latents, std::size_t i, double timestep)>;
// After each step: the latents at level i + 1.
using InversionProgress = std::function<void(std::size_t i, const at::Tensor& latents)>;

// DDIM inversion: the N + 1 levels of `latents`, entry 0 being `latents` itself and entry k at
// inverse.timesteps()[k-1]; the last one is where denoising with the same number of steps begins. v predictions are
// read with the ᾱ of the latents they are given for, like everything else in a step. `inverse` is from
// make_inverse_scheduler, its timesteps set. Error when it is of another class.
std::vector<at::Tensor> ddim_invert(Scheduler& inverse, const at::Tensor& latents, const InversionModel& model,
                                    const InversionProgress& progress = {}, std::size_t steps = 0);

}  // namespace attnscope
