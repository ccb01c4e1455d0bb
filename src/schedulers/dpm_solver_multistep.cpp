#include "schedulers/dpm_solver_multistep.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "schedulers/random.h"
#include "schedulers/spacing.h"

namespace attnscope {
using namespace schedules;
namespace {

bool starts_with(const std::string& text, const char* start) { return text.rfind(start, 0) == 0; }

}  // namespace

DPMSolverMultistepScheduler::DPMSolverMultistepScheduler(SchedulerConfig config)
    : Scheduler(std::move(config), "linspace", {"linear", "scaled_linear", "squaredcos_cap_v2"}),
      limits_(fields(), std::nullopt, true),
      sigma_spacing_(fields()),
      lower_order_final_(fields().flag("lower_order_final", true)),
      euler_at_final_(fields().flag("euler_at_final", false)),
      sigma_min_last_(fields().choice("final_sigmas_type", "zero", {"zero", "sigma_min"}) == "sigma_min"),
      lu_lambdas_(fields().flag("use_lu_lambdas", false)),
      cosine_(fields().text("beta_schedule", "linear") == "squaredcos_cap_v2"),
      solver_order_(fields().integer("solver_order", 2, 1, 3)),
      lambda_min_clipped_(fields().number("lambda_min_clipped", -std::numeric_limits<double>::infinity())) {
  // deis, logrho, bh1 and bh2 stand in configs of sibling classes; diffusers reads them as the default.
  const std::string algorithm = fields().choice(
      "algorithm_type", "dpmsolver++", {"dpmsolver++", "dpmsolver", "sde-dpmsolver++", "sde-dpmsolver", "deis"});
  const std::string solver = fields().choice("solver_type", "midpoint", {"midpoint", "heun", "logrho", "bh1", "bh2"});
  stochastic_ = starts_with(algorithm, "sde-");
  data_prediction_ = algorithm.ends_with("++") || algorithm == "deis";
  heun_ = solver == "heun";
  if (!data_prediction_ && !sigma_min_last_) {
    fields().refuse("final_sigmas_type", "is zero, where algorithm_type " + algorithm + " divides by it",
                    "Set final_sigmas_type to sigma_min.");
  }
  if (algorithm == "sde-dpmsolver" && solver_order_ == 3) {
    fields().refuse("solver_order", "is not defined for algorithm_type sde-dpmsolver", "Set it to 1 or 2.");
  }
  if (lu_lambdas_ && sigma_spacing_.replaces()) {
    fields().refuse("use_lu_lambdas", "cannot be combined with another spacing of the sigmas", "Set one of them.");
  }
  if (fields().flag("use_flow_sigmas", false)) fields().refuse("use_flow_sigmas", "is not supported (flow matching)");
  if (fields().flag("use_dynamic_shifting", false)) fields().refuse("use_dynamic_shifting", "is not supported");
  const std::string variance = fields().text("variance_type", "");
  if (starts_with(variance, "learned")) {
    fields().refuse("variance_type", "is not supported (the network would need twice the channels)");
  }
  // Zero SNR would make the first sigma infinite; diffusers takes float16's smallest number instead.
  if (fields().flag("rescale_betas_zero_snr", false)) alphas_cumprod_.select(0, -1).fill_(std::ldexp(1.0, -24));
}

void DPMSolverMultistepScheduler::reset() {
  outputs_.clear();
  next_ = 0;
}

std::vector<double> DPMSolverMultistepScheduler::listed_timesteps(int64_t n) const {
  const at::Tensor lambda = alphas_cumprod_.sqrt().log() - (1 - alphas_cumprod_).sqrt().log();
  const at::Tensor clipped = at::searchsorted(lambda.flip(0), at::Scalar(lambda_min_clipped_));
  const int64_t last = num_train_timesteps() - clipped.item<int64_t>();
  if (last < 1) fields().refuse("lambda_min_clipped", "leaves no timestep");
  if (spacing() == "trailing") {
    return trailing_timesteps(last, static_cast<double>(num_train_timesteps()) / static_cast<double>(n));
  }
  std::vector<double> timesteps;
  if (spacing() == "linspace") {
    timesteps = linspace(0, static_cast<double>(last - 1), n + 1);
    round_all(timesteps);
  } else {
    const int64_t ratio = last / (n + 1);
    for (int64_t i = 0; i <= n; ++i) timesteps.push_back(static_cast<double>(i * ratio + steps_offset()));
  }
  std::reverse(timesteps.begin(), timesteps.end());
  timesteps.pop_back();
  return timesteps;
}

std::vector<double> DPMSolverMultistepScheduler::make_timesteps(int64_t n) {
  const std::vector<double> table = training_sigmas(alphas_cumprod_);
  const std::vector<double> logs = log_sigmas(table);
  std::vector<double> timesteps = listed_timesteps(n);
  std::vector<double> sigmas;
  if (sigma_spacing_.replaces() || lu_lambdas_) {
    if (lu_lambdas_) {
      for (const double log_sigma : linspace(0, 1, n)) {
        sigmas.push_back(std::exp(logs.back() + log_sigma * (logs.front() - logs.back())));
      }
    } else {
      sigmas = sigma_spacing_.make(table.front(), table.back(), n);
    }
    timesteps.clear();
    for (const double sigma : sigmas) timesteps.push_back(sigma_to_timestep(sigma, logs));
    if ((lu_lambdas_ || sigma_spacing_.karras()) && !cosine_) round_all(timesteps);
    for (double& timestep : timesteps) timestep = std::trunc(timestep);
  } else {
    for (const double timestep : timesteps) sigmas.push_back(interpolate(table, timestep));
  }
  for (std::size_t i = 1; i < sigmas.size(); ++i) {
    if (static_cast<float>(sigmas[i]) < static_cast<float>(sigmas[i - 1])) continue;
    throw ConfigError(std::to_string(n) + " steps are too many for this schedule: two of them have one noise level",
                      {.file = config_file(), .key = "num_inference_steps"}, "Take fewer steps.");
  }
  sigmas.push_back(sigma_min_last_ ? table.front() : 0.0);
  sigmas_ = at::tensor(at::ArrayRef<double>(sigmas), at::kDouble).to(at::kFloat);
  return timesteps;
}

DPMSolverMultistepScheduler::Level DPMSolverMultistepScheduler::level(std::size_t i) const {
  const at::Tensor ratio = sigmas_.select(0, static_cast<int64_t>(i));
  const at::Tensor alpha = (ratio.pow(2) + 1).sqrt().reciprocal();
  const at::Tensor sigma = ratio * alpha;
  return {alpha, sigma, alpha.log() - sigma.log()};
}

// The clean sample for dpmsolver++, the noise for dpmsolver.
at::Tensor DPMSolverMultistepScheduler::converted(const at::Tensor& model_output, std::size_t i,
                                                  const at::Tensor& sample) const {
  const Level at_i = level(i);
  const PredictionType type = prediction_type();
  if (data_prediction_) {
    if (type == PredictionType::sample) return limits_.apply(model_output);
    if (type == PredictionType::epsilon) return limits_.apply((sample - at_i.sigma * model_output) / at_i.alpha);
    return limits_.apply(at_i.alpha * sample - at_i.sigma * model_output);
  }
  at::Tensor noise = model_output;
  if (type == PredictionType::sample) noise = (sample - at_i.alpha * model_output) / at_i.sigma;
  if (type == PredictionType::v_prediction) noise = at_i.alpha * model_output + at_i.sigma * sample;
  if (!limits_.thresholding()) return noise;
  const at::Tensor clean = limits_.apply((sample - at_i.sigma * noise) / at_i.alpha);
  return (sample - at_i.alpha * clean) / at_i.sigma;
}

// 1 to solver_order_: as many outputs as there are, fewer at the end of short runs.
int64_t DPMSolverMultistepScheduler::order_at(std::size_t i) const {
  const std::size_t steps = timesteps().size();
  const bool few = lower_order_final_ && steps < 15;
  if (i + 1 == steps && (euler_at_final_ || few || !sigma_min_last_)) return 1;
  const int64_t order = static_cast<int64_t>(outputs_.size());
  return i + 2 == steps && few ? std::min<int64_t>(order, 2) : order;
}

// The update is sample * x + d0 * D0 + d1 * D1 + d2 * D2 + noise * z with D1, D2 the divided differences of the
// outputs over lambda. Second-order midpoint steps take d0 / 2 for d1.
DPMSolverMultistepScheduler::Coefficients DPMSolverMultistepScheduler::coefficients(const Level& to,
                                                                                    const Level& from) const {
  const at::Tensor h = to.lambda - from.lambda;
  if (data_prediction_ && !stochastic_) {
    const at::Tensor e = (-h).exp() - 1.0;
    return {
        to.sigma / from.sigma, -(to.alpha * e), to.alpha * (e / h + 1.0), -(to.alpha * ((e + h) / h.pow(2) - 0.5)), {}};
  }
  if (data_prediction_) {
    const at::Tensor e = 1.0 - (-2.0 * h).exp();
    return {to.sigma / from.sigma * (-h).exp(), to.alpha * e, to.alpha * (e / (-2.0 * h) + 1.0),
            to.alpha * ((e - 2.0 * h) / (2.0 * h).pow(2) - 0.5), to.sigma * e.sqrt()};
  }
  const at::Tensor e = h.exp() - 1.0;
  const double twice = stochastic_ ? 2.0 : 1.0;
  return {to.alpha / from.alpha, -twice * (to.sigma * e), -twice * (to.sigma * (e / h - 1.0)),
          -(to.sigma * ((e - h) / h.pow(2) - 0.5)),
          stochastic_ ? to.sigma * ((2 * h).exp() - 1.0).sqrt() : at::Tensor()};
}

at::Tensor DPMSolverMultistepScheduler::next_sample(const at::Tensor& model_output, std::size_t i,
                                                    const at::Tensor& given_sample, const StepOptions& options) {
  if (i != next_) reset();
  next_ = i + 1;
  const at::Tensor output = converted(model_output, i, given_sample);
  if (static_cast<int64_t>(outputs_.size()) == solver_order_) outputs_.erase(outputs_.begin());
  outputs_.push_back(output);

  const at::Tensor sample = given_sample.to(at::kFloat);
  const Level to = level(i + 1);
  const Level from = level(i);
  const Coefficients c = coefficients(to, from);
  const at::Tensor h = to.lambda - from.lambda;
  // sigma_min as the last sigma of a list that ends there already: nothing to do, where higher orders divide 0 by 0.
  const int64_t order = h.item<float>() == 0.0F ? 1 : order_at(i);
  at::Tensor result = c.sample * sample + c.d0 * output;
  if (order >= 2) {
    const at::Tensor& m1 = outputs_[outputs_.size() - 2];
    const Level before = level(i - 1);
    const at::Tensor r0 = (from.lambda - before.lambda) / h;
    const at::Tensor slope = r0.reciprocal() * (output - m1);
    if (order == 2) {
      result = result + (heun_ ? c.d1 : 0.5 * c.d0) * slope;
    } else {
      const at::Tensor r1 = (before.lambda - level(i - 2).lambda) / h;
      const at::Tensor earlier = r1.reciprocal() * (m1 - outputs_[outputs_.size() - 3]);
      const at::Tensor bend = slope - earlier;
      result = result + c.d1 * (slope + (r0 / (r0 + r1)) * bend) + c.d2 * ((r0 + r1).reciprocal() * bend);
    }
  }
  if (stochastic_) {
    result = result + c.noise * randn_tensor(output.sizes(), options.generator, at::kFloat, output.device());
  }
  return result.to(output.scalar_type());
}

at::Tensor DPMSolverMultistepScheduler::noised(const at::Tensor& original, const at::Tensor& noise,
                                               std::size_t i) const {
  const at::Tensor ratio = sigmas_.select(0, static_cast<int64_t>(i)).to(original.scalar_type());
  const at::Tensor alpha = (ratio.pow(2) + 1).sqrt().reciprocal();
  return alpha * original + ratio * alpha * noise;
}

}  // namespace attnscope
