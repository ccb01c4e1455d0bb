#include "schedulers/euler_discrete.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.h"
#include "schedulers/random.h"
#include "schedulers/spacing.h"

namespace attnscope {
using namespace schedules;

EulerDiscreteScheduler::EulerDiscreteScheduler(SchedulerConfig config)
    : Scheduler(std::move(config), "linspace", {"linear", "scaled_linear", "squaredcos_cap_v2"}),
      log_linear_(fields().choice("interpolation_type", "linear", {"linear", "log_linear"}) == "log_linear"),
      sigma_min_last_(fields().choice("final_sigmas_type", "zero", {"zero", "sigma_min"}) == "sigma_min"),
      continuous_(fields().choice("timestep_type", "discrete", {"discrete", "continuous"}) == "continuous" &&
                  prediction_type() == PredictionType::v_prediction),
      sigma_spacing_(fields()) {
  // Zero SNR would make the first sigma infinite; diffusers takes float16's smallest number instead.
  if (fields().flag("rescale_betas_zero_snr", false)) alphas_cumprod_.select(0, -1).fill_(std::ldexp(1.0, -24));
}

std::vector<double> EulerDiscreteScheduler::make_timesteps(int64_t n) {
  std::vector<double> timesteps = spaced_timesteps(spacing(), n, num_train_timesteps(), steps_offset());
  for (double& timestep : timesteps) timestep = static_cast<float>(timestep);

  const std::vector<double> table = training_sigmas(alphas_cumprod_);
  const std::vector<double> logs = log_sigmas(table);
  std::vector<double> sigmas;
  if (log_linear_) {
    const at::Tensor line = at::linspace(logs.back(), logs.front(), n + 1, at::kFloat).exp().to(at::kDouble);
    sigmas.assign(line.const_data_ptr<double>(), line.const_data_ptr<double>() + n + 1);
  } else {
    for (const double timestep : timesteps) sigmas.push_back(interpolate(table, timestep));
  }
  if (sigma_spacing_.replaces()) {
    sigmas = sigma_spacing_.make(sigmas.back(), sigmas.front(), n);
    timesteps.clear();
    for (const double sigma : sigmas) timesteps.push_back(static_cast<float>(sigma_to_timestep(sigma, logs)));
  }
  sigmas.push_back(sigma_min_last_ ? table.front() : 0.0);
  sigmas_ = at::tensor(at::ArrayRef<double>(sigmas), at::kDouble).to(at::kFloat);

  if (continuous_) {
    const at::Tensor quarter_logs = (0.25 * sigmas_.slice(0, 0, -1).log()).to(at::kDouble);
    timesteps.assign(quarter_logs.const_data_ptr<double>(),
                     quarter_logs.const_data_ptr<double>() + quarter_logs.numel());
  }
  return timesteps;
}

double EulerDiscreteScheduler::init_noise_sigma() const {
  if (!sigmas_.defined()) throw Error("set_timesteps was not called", "EulerDiscreteScheduler");
  const at::Tensor max = sigmas_.max();
  return (spacing() == "leading" ? (max.pow(2) + 1).sqrt() : max).item<float>();
}

at::Tensor EulerDiscreteScheduler::scaled_input(const at::Tensor& sample, std::size_t i) const {
  return sample / (sigma(i).pow(2) + 1).sqrt();
}

at::Tensor EulerDiscreteScheduler::next_sample(const at::Tensor& model_output, std::size_t i,
                                               const at::Tensor& given_sample, const StepOptions& options) {
  at::Tensor sample = given_sample.to(at::kFloat);
  const at::Tensor sigma_i = sigma(i);
  const double level = sigma_i.item<float>();
  double gamma = 0;
  if (options.s_tmin <= level && level <= options.s_tmax) {
    gamma = std::min(options.s_churn / static_cast<double>(sigmas_.numel() - 1), std::numbers::sqrt2 - 1);
  }
  const at::Tensor sigma_hat = sigma_i * (gamma + 1);
  if (gamma > 0) {
    const at::Tensor noise =
        randn_tensor(model_output.sizes(), options.generator, model_output.scalar_type(), model_output.device());
    sample = sample + noise * options.s_noise * (sigma_hat.pow(2) - sigma_i.pow(2)).sqrt();
  }

  at::Tensor clean;
  switch (prediction_type()) {
    case PredictionType::epsilon: clean = sample - sigma_hat * model_output; break;
    case PredictionType::sample: clean = model_output; break;
    case PredictionType::v_prediction: {
      const at::Tensor norm = sigma_i.pow(2) + 1;
      clean = model_output * (-sigma_i / norm.sqrt()) + sample / norm;
      break;
    }
  }
  const at::Tensor derivative = (sample - clean) / sigma_hat;
  return (sample + derivative * (sigma(i + 1) - sigma_hat)).to(model_output.scalar_type());
}

at::Tensor EulerDiscreteScheduler::noised(const at::Tensor& original, const at::Tensor& noise, std::size_t i) const {
  return original + noise * sigma(i).to(original.scalar_type());
}

at::Tensor EulerDiscreteScheduler::noised_at(const at::Tensor& original, const at::Tensor& noise,
                                             int64_t train_timestep) const {
  const at::Tensor alpha = alpha_bar(train_timestep);
  return original + noise * ((1 - alpha) / alpha).sqrt().to(original.scalar_type());
}

}  // namespace attnscope
