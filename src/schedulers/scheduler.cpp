#include "schedulers/scheduler.h"

#include <ATen/ATen.h>

#include "base/error.h"
#include "schedulers/noise_schedule.h"

namespace attnscope {
namespace {

PredictionType read_prediction_type(const SchedulerConfig& config) {
  const std::string type = config.choice("prediction_type", "epsilon", {"epsilon", "sample", "v_prediction"});
  if (type == "sample") return PredictionType::sample;
  return type == "epsilon" ? PredictionType::epsilon : PredictionType::v_prediction;
}

void check_same_shape(const at::Tensor& a, const char* a_name, const at::Tensor& b, const char* b_name) {
  if (a.sizes() == b.sizes()) return;
  throw ShapeError(std::string(a_name) + " is " + c10::str(a.sizes()) + ", " + b_name + " is " + c10::str(b.sizes()),
                   "scheduler", "Both must have the same shape.");
}

}  // namespace

Scheduler::Scheduler(SchedulerConfig config, const char* default_spacing,
                     std::initializer_list<const char*> beta_schedules)
    : config_(std::move(config)),
      num_train_timesteps_(config_.integer("num_train_timesteps", 1000, 1, 1'000'000)),
      prediction_type_(read_prediction_type(config_)),
      spacing_(config_.choice("timestep_spacing", default_spacing, {"leading", "linspace", "trailing"})),
      steps_offset_(config_.integer("steps_offset", 0, 0, num_train_timesteps_)) {
  alphas_cumprod_ = make_alphas_cumprod(config_, num_train_timesteps_, beta_schedules);
}

void Scheduler::set_timesteps(int64_t n) {
  if (n < 1 || n > num_train_timesteps_) {
    throw ConfigError(
        std::to_string(n) + " steps cannot be taken", {.key = "num_inference_steps"},
        "Give a number from 1 to " + std::to_string(num_train_timesteps_) + " (num_train_timesteps of the scheduler).");
  }
  timesteps_.clear();
  reset();
  timesteps_ = make_timesteps(n);
  num_inference_steps_ = n;
}

at::Tensor Scheduler::timesteps_tensor() const {
  return at::tensor(at::ArrayRef<double>(timesteps_), at::kDouble).to(float_timesteps() ? at::kFloat : at::kLong);
}

at::Tensor Scheduler::alpha_bar(int64_t timestep) const { return alphas_cumprod_.select(0, timestep); }

void Scheduler::check_position(std::size_t i) const {
  if (i < timesteps_.size()) return;
  if (timesteps_.empty()) throw Error("set_timesteps was not called", std::string(class_name()));
  throw Error("there is no step " + std::to_string(i) + ", the schedule has " + std::to_string(timesteps_.size()),
              std::string(class_name()));
}

at::Tensor Scheduler::scale_model_input(const at::Tensor& sample, std::size_t i) const {
  check_position(i);
  return scaled_input(sample, i);
}

at::Tensor Scheduler::step(const at::Tensor& model_output, std::size_t i, const at::Tensor& sample,
                           const StepOptions& options) {
  check_position(i);
  check_same_shape(model_output, "the model's output", sample, "the sample");
  return next_sample(model_output, i, sample, options);
}

at::Tensor Scheduler::add_noise(const at::Tensor& original, const at::Tensor& noise, std::size_t i) const {
  check_position(i);
  check_same_shape(noise, "the noise", original, "the sample");
  return noised(original, noise, i);
}

at::Tensor Scheduler::add_noise_at(const at::Tensor& original, const at::Tensor& noise, int64_t train_timestep) const {
  if (train_timestep < 0 || train_timestep >= num_train_timesteps_) {
    throw Error(
        "timestep " + std::to_string(train_timestep) + " is outside 0 ... " + std::to_string(num_train_timesteps_ - 1),
        std::string(class_name()));
  }
  check_same_shape(noise, "the noise", original, "the sample");
  return noised_at(original, noise, train_timestep);
}

at::Tensor Scheduler::noised(const at::Tensor& original, const at::Tensor& noise, std::size_t i) const {
  return noised_at(original, noise, static_cast<int64_t>(timesteps_[i]));
}

at::Tensor Scheduler::noised_at(const at::Tensor& original, const at::Tensor& noise, int64_t train_timestep) const {
  const at::Tensor alpha = alpha_bar(train_timestep).to(original.scalar_type());
  return alpha.sqrt() * original + (1 - alpha).sqrt() * noise;
}

}  // namespace attnscope
