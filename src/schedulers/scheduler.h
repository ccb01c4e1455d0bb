#pragma once
#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schedulers/scheduler_config.h"

namespace attnscope {

// What the network was trained to give: the noise, the clean sample, or v = sqrt(ᾱ) noise - sqrt(1-ᾱ) clean.
enum class PredictionType { epsilon, sample, v_prediction };

// Arguments of diffusers' step(); a scheduler ignores those it does not know.
struct StepOptions {
  double eta = 0;  // DDIM: share of fresh noise, 0 (none) ... 1 (as DDPM)
  std::optional<at::Generator> generator;
  bool use_clipped_model_output = false;  // DDIM: derive the noise from the clipped clean sample
  double s_churn = 0, s_tmin = 0, s_tmax = std::numeric_limits<double>::infinity(), s_noise = 1;  // Euler
};

// A sampler as diffusers 0.42 has it, made by make_scheduler() from scheduler_config.json. Steps are named by their
// position in timesteps() (0 = the first one taken), so timesteps that occur twice are no trouble.
// Coefficients are float32 scalars on the CPU, like there; tensors keep the sample's dtype and device.
class Scheduler {
 public:
  virtual ~Scheduler() = default;
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  virtual std::string_view class_name() const = 0;
  // The fields as given (those of other classes are kept for converted_config), `_class_name` included.
  const nlohmann::json& config() const { return config_.values(); }
  const std::string& config_file() const { return config_.file(); }
  PredictionType prediction_type() const { return prediction_type_; }
  int64_t num_train_timesteps() const { return num_train_timesteps_; }
  const at::Tensor& alphas_cumprod() const { return alphas_cumprod_; }  // ᾱ, [num_train_timesteps], float32, CPU

  // 1 ... num_train_timesteps steps; forgets the previous run. ConfigError for a number that the schedule can't take.
  void set_timesteps(int64_t num_inference_steps);
  int64_t num_inference_steps() const { return num_inference_steps_; }  // as asked; 0 before set_timesteps
  const std::vector<double>& timesteps() const { return timesteps_; }
  at::Tensor timesteps_tensor() const;                     // [steps], int64, or float32 for Euler
  virtual at::Tensor sigmas() const { return {}; }         // [steps + 1], float32; undefined where not used
  virtual double init_noise_sigma() const { return 1.0; }  // scale of the initial noise
  virtual void reset() {}                                  // forgets what multistep solvers remember

  // What the network is fed at step i.
  at::Tensor scale_model_input(const at::Tensor& sample, std::size_t i) const;
  // The sample after step i. ShapeError when the shapes differ; Error when i is not a step.
  at::Tensor step(const at::Tensor& model_output, std::size_t i, const at::Tensor& sample,
                  const StepOptions& options = {});
  // `original` at the noise level of step i, in the scheduler's own scale (Euler: x + sigma noise).
  at::Tensor add_noise(const at::Tensor& original, const at::Tensor& noise, std::size_t i) const;
  // The same for a training timestep, whether in the list or not.
  at::Tensor add_noise_at(const at::Tensor& original, const at::Tensor& noise, int64_t train_timestep) const;

 protected:
  Scheduler(SchedulerConfig config, const char* default_spacing, std::initializer_list<const char*> beta_schedules);

  const SchedulerConfig& fields() const { return config_; }
  const std::string& spacing() const { return spacing_; }
  int64_t steps_offset() const { return steps_offset_; }
  at::Tensor alpha_bar(int64_t timestep) const;  // scalar tensor

  // The list for n steps. May set up what goes with it.
  virtual std::vector<double> make_timesteps(int64_t n) = 0;
  virtual bool float_timesteps() const { return false; }
  virtual at::Tensor scaled_input(const at::Tensor& sample, std::size_t) const { return sample; }
  virtual at::Tensor next_sample(const at::Tensor& model_output, std::size_t i, const at::Tensor& sample,
                                 const StepOptions& options) = 0;
  virtual at::Tensor noised(const at::Tensor& original, const at::Tensor& noise, std::size_t i) const;
  virtual at::Tensor noised_at(const at::Tensor& original, const at::Tensor& noise, int64_t train_timestep) const;

  at::Tensor alphas_cumprod_;

 private:
  void check_position(std::size_t i) const;

  SchedulerConfig config_;
  int64_t num_train_timesteps_;
  PredictionType prediction_type_;
  std::string spacing_;
  int64_t steps_offset_;
  int64_t num_inference_steps_ = 0;
  std::vector<double> timesteps_;
};

// A scheduler for the config's `_class_name`. `file` is named in errors. LoadError for a class that is not supported
// (the supported ones are listed) and for a field value that is not.
std::unique_ptr<Scheduler> make_scheduler(const nlohmann::json& config, const std::string& file);

// The supported classes, by diffusers' names.
const std::vector<std::string>& scheduler_names();
// The config fields a supported class reads.
const std::vector<std::string>& scheduler_fields(const std::string& class_name);

// The config of `class_name` with the fields that `config` (of any diffusers class) shares with it and `overrides` on
// top, as diffusers' from_config(config, **overrides). A class name may be given without "Scheduler".
// LoadError for an unsupported class, and for an override that is not a field of it (the nearest is suggested).
nlohmann::json converted_config(const nlohmann::json& config, const std::string& class_name,
                                const nlohmann::json& overrides, const std::string& file);

}  // namespace attnscope
