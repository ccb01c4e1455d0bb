#include "schedulers/noise_schedule.h"

#include <ATen/ATen.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace attnscope {
namespace {

double cosine_alpha_bar(double t) {
  const double c = std::cos((t + 0.008) / 1.008 * std::numbers::pi / 2);
  return c * c;
}

double laplace_alpha_bar(double t) {
  const double lambda = -0.5 * std::copysign(1.0, 0.5 - t) * std::log(1 - 2 * std::fabs(0.5 - t) + 1e-6);
  const double snr = std::exp(lambda);
  return std::sqrt(snr / (1 + snr));
}

at::Tensor float_tensor(const std::vector<double>& values) {
  return at::tensor(at::ArrayRef<double>(values), at::kDouble).to(at::kFloat);
}

// Betas that take ᾱ along a function of t in [0, 1], none above 0.999.
at::Tensor betas_along(double (*alpha_bar)(double), int64_t count) {
  std::vector<double> betas;
  for (int64_t i = 0; i < count; ++i) {
    const double from = static_cast<double>(i) / static_cast<double>(count);
    const double to = static_cast<double>(i + 1) / static_cast<double>(count);
    betas.push_back(std::min(1 - alpha_bar(to) / alpha_bar(from), 0.999));
  }
  return float_tensor(betas);
}

// Algorithm 1 of "Common Diffusion Noise Schedules and Sample Steps are Flawed": shifts and scales sqrt(ᾱ) so that the
// last is 0 and the first stays.
at::Tensor rescale_zero_terminal_snr(const at::Tensor& betas) {
  at::Tensor root = (1 - betas).cumprod(0).sqrt();
  const at::Tensor first = root[0].clone();
  const at::Tensor last = root[-1].clone();
  root = (root - last) * (first / (first - last));
  const at::Tensor alpha_bar = root.pow(2);
  const at::Tensor alphas = alpha_bar.slice(0, 1) / alpha_bar.slice(0, 0, -1);
  return 1 - at::cat({alpha_bar.slice(0, 0, 1), alphas});
}

}  // namespace

at::Tensor make_alphas_cumprod(const SchedulerConfig& config, int64_t count,
                               std::initializer_list<const char*> schedules) {
  const double start = config.number("beta_start", 1e-4);
  const double end = config.number("beta_end", 0.02);
  const std::string schedule = config.choice("beta_schedule", "linear", schedules);
  const std::vector<double> trained = config.numbers("trained_betas");
  for (const auto& [key, beta] : {std::pair{"beta_start", start}, std::pair{"beta_end", end}}) {
    if (!(beta >= 0 && beta < 1)) config.refuse(key, "is outside 0 ... 1");
  }
  at::Tensor betas;
  if (!trained.empty()) {
    if (static_cast<int64_t>(trained.size()) != count) {
      config.refuse("trained_betas", "has " + std::to_string(trained.size()) + " entries, num_train_timesteps is " +
                                         std::to_string(count));
    }
    for (const double beta : trained) {
      if (!(beta >= 0 && beta <= 1)) config.refuse("trained_betas", "has a value outside 0 ... 1");
    }
    betas = float_tensor(trained);
  } else if (schedule == "linear") {
    betas = at::linspace(start, end, count, at::kFloat);
  } else if (schedule == "scaled_linear") {
    betas = at::linspace(std::sqrt(start), std::sqrt(end), count, at::kFloat).pow(2);
  } else if (schedule == "sigmoid") {
    betas = at::sigmoid(at::linspace(-6, 6, count, at::kFloat)) * (end - start) + start;
  } else {
    betas = betas_along(schedule == "laplace" ? laplace_alpha_bar : cosine_alpha_bar, count);
  }
  if (config.flag("rescale_betas_zero_snr", false)) {
    if (count < 2) config.refuse("rescale_betas_zero_snr", "needs num_train_timesteps of 2 or more");
    betas = rescale_zero_terminal_snr(betas);
  }
  return (1 - betas).cumprod(0);
}

}  // namespace attnscope
