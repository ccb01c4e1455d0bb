#include "schedulers/ddpm.h"

#include <ATen/ATen.h>

#include "schedulers/random.h"
#include "schedulers/spacing.h"

namespace attnscope {
using namespace schedules;

DDPMScheduler::DDPMScheduler(SchedulerConfig config)
    : Scheduler(std::move(config), "leading", {"linear", "scaled_linear", "squaredcos_cap_v2", "laplace", "sigmoid"}),
      limits_(fields(), true, true),
      variance_type_(
          fields().choice("variance_type", "fixed_small", {"fixed_small", "fixed_small_log", "fixed_large"})) {}

std::vector<double> DDPMScheduler::make_timesteps(int64_t n) {
  std::vector<double> timesteps = spaced_timesteps(spacing(), n, num_train_timesteps(), steps_offset());
  round_all(timesteps);
  check_timesteps(*this, timesteps);
  if (!limits_.clips()) check_epsilon_levels(*this, timesteps);
  return timesteps;
}

at::Tensor DDPMScheduler::next_sample(const at::Tensor& model_output, std::size_t i, const at::Tensor& sample,
                                      const StepOptions& options) {
  const auto timestep = static_cast<int64_t>(timesteps()[i]);
  const bool last = i + 1 == timesteps().size();
  const at::Tensor alpha_bar_t = alpha_bar(timestep);
  const at::Tensor alpha_bar_previous =
      last ? at::scalar_tensor(1.0, at::kFloat) : alpha_bar(static_cast<int64_t>(timesteps()[i + 1]));
  const at::Tensor noise_t = 1 - alpha_bar_t;
  const at::Tensor noise_previous = 1 - alpha_bar_previous;
  const at::Tensor alpha = alpha_bar_t / alpha_bar_previous;
  const at::Tensor beta = 1 - alpha;

  const at::Tensor clean = limits_.apply(read_prediction(prediction_type(), model_output, sample, alpha_bar_t).clean);
  const at::Tensor mean =
      (alpha_bar_previous.sqrt() * beta) / noise_t * clean + alpha.sqrt() * noise_previous / noise_t * sample;
  if (timestep == 0) return mean;

  const at::Tensor noise =
      randn_tensor(model_output.sizes(), options.generator, model_output.scalar_type(), model_output.device());
  if (variance_type_ == "fixed_large") return mean + beta.sqrt() * noise;
  const at::Tensor variance = at::clamp_min(noise_previous / noise_t * beta, 1e-20);
  const at::Tensor deviation = variance_type_ == "fixed_small_log" ? (0.5 * variance.log()).exp() : variance.sqrt();
  return mean + deviation * noise;
}

}  // namespace attnscope
