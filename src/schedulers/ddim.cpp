#include "schedulers/ddim.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "base/error.h"
#include "schedulers/random.h"
#include "schedulers/spacing.h"

namespace attnscope {
using namespace schedules;
namespace {

// ᾱ of the clean end.
at::Tensor end_alpha(const at::Tensor& alphas_cumprod, bool set_alpha_to_one) {
  return set_alpha_to_one ? at::scalar_tensor(1.0, at::kFloat) : alphas_cumprod.select(0, 0);
}

std::vector<double> table_timesteps(const Scheduler& scheduler, const std::string& spacing, int64_t n, int64_t offset) {
  std::vector<double> timesteps = spaced_timesteps(spacing, n, scheduler.num_train_timesteps(), offset);
  round_all(timesteps);
  check_timesteps(scheduler, timesteps);
  return timesteps;
}

}  // namespace

DDIMScheduler::DDIMScheduler(SchedulerConfig config)
    : Scheduler(std::move(config), "leading", {"linear", "scaled_linear", "squaredcos_cap_v2"}),
      limits_(fields(), true, true),
      final_alpha_(end_alpha(alphas_cumprod_, fields().flag("set_alpha_to_one", true))) {}

std::vector<double> DDIMScheduler::make_timesteps(int64_t n) {
  std::vector<double> timesteps = table_timesteps(*this, spacing(), n, steps_offset());
  if (!limits_.clips()) check_epsilon_levels(*this, timesteps);
  return timesteps;
}

at::Tensor DDIMScheduler::next_sample(const at::Tensor& model_output, std::size_t i, const at::Tensor& sample,
                                      const StepOptions& options) {
  const auto timestep = static_cast<int64_t>(timesteps()[i]);
  const int64_t previous = timestep - num_train_timesteps() / num_inference_steps();
  const at::Tensor alpha = alpha_bar(timestep);
  const at::Tensor alpha_previous = previous >= 0 ? alpha_bar(previous) : final_alpha_;

  Prediction prediction = read_prediction(prediction_type(), model_output, sample, alpha);
  prediction.clean = limits_.apply(prediction.clean);
  if (options.use_clipped_model_output) {
    prediction.noise = (sample - alpha.sqrt() * prediction.clean) / (1 - alpha).sqrt();
  }

  const at::Tensor variance = ((1 - alpha_previous) / (1 - alpha)) * (1 - alpha / alpha_previous);
  const at::Tensor deviation = options.eta * variance.sqrt();
  const at::Tensor direction = (1 - alpha_previous - deviation.pow(2)).sqrt() * prediction.noise;
  at::Tensor result = alpha_previous.sqrt() * prediction.clean + direction;
  if (options.eta > 0) {
    const at::Tensor noise =
        randn_tensor(model_output.sizes(), options.generator, model_output.scalar_type(), model_output.device());
    result = result + deviation * noise;
  }
  return result;
}

DDIMInverseScheduler::DDIMInverseScheduler(SchedulerConfig config)
    : Scheduler(std::move(config), "leading", {"linear", "scaled_linear", "squaredcos_cap_v2"}),
      limits_(fields(), true, false) {
  // set_alpha_to_zero is the old name, which diffusers still lets win.
  const bool to_one = fields().flag("set_alpha_to_zero", fields().flag("set_alpha_to_one", true));
  initial_alpha_ = end_alpha(alphas_cumprod_, to_one);
}

std::vector<double> DDIMInverseScheduler::make_timesteps(int64_t n) {
  std::vector<double> timesteps = table_timesteps(*this, spacing(), n, steps_offset());
  std::reverse(timesteps.begin(), timesteps.end());
  const bool starts_clean = timesteps.front() < static_cast<double>(num_train_timesteps() / n);
  if (prediction_type() == PredictionType::sample && starts_clean && initial_alpha_.item<float>() == 1.0F) {
    throw ConfigError("the noise in a clean sample cannot be read from a prediction of the sample",
                      {.file = config_file(), .key = "set_alpha_to_one"}, "Set set_alpha_to_one to false.");
  }
  return timesteps;
}

at::Tensor DDIMInverseScheduler::next_sample(const at::Tensor& model_output, std::size_t i, const at::Tensor& sample,
                                             const StepOptions&) {
  const auto target = static_cast<int64_t>(timesteps()[i]);
  const int64_t current = std::min(target - num_train_timesteps() / num_inference_steps(), num_train_timesteps() - 1);
  const at::Tensor alpha = current >= 0 ? alpha_bar(current) : initial_alpha_;
  const at::Tensor alpha_target = alpha_bar(target);

  Prediction prediction = read_prediction(prediction_type(), model_output, sample, alpha);
  prediction.clean = limits_.apply(prediction.clean);
  return alpha_target.sqrt() * prediction.clean + (1 - alpha_target).sqrt() * prediction.noise;
}

}  // namespace attnscope
