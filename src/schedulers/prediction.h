#pragma once
#include <ATen/core/Tensor.h>

#include <optional>

#include "schedulers/scheduler.h"

namespace attnscope {

struct Prediction {
  at::Tensor clean;  // x0
  at::Tensor noise;  // epsilon
};

// Both readings of a model's output for a sample at level ᾱ = `alpha` (a scalar tensor).
Prediction read_prediction(PredictionType type, const at::Tensor& model_output, const at::Tensor& sample,
                           const at::Tensor& alpha);

// What clip_sample, clip_sample_range, thresholding, dynamic_thresholding_ratio and sample_max_value ask for.
class SampleLimits {
 public:
  SampleLimits() = default;  // none
  // `clip` is the class's default for clip_sample; without a value the class has no such field.
  SampleLimits(const SchedulerConfig& config, std::optional<bool> clip, bool has_thresholding);
  // Dynamic thresholding (Imagen, section 2.3) or, without it, clipping.
  at::Tensor apply(const at::Tensor& clean) const;
  bool clips() const { return clip_ && !thresholding_; }
  bool thresholding() const { return thresholding_; }

 private:
  at::Tensor threshold(const at::Tensor& clean) const;

  bool clip_ = false, thresholding_ = false;
  double range_ = 1, ratio_ = 0.995, max_value_ = 1;
};

// ConfigError when steps_offset takes a timestep past the table's end.
void check_timesteps(const Scheduler& scheduler, const std::vector<double>& timesteps);

// ConfigError where an epsilon-predicting model would be asked at ᾱ = 0 (zero-SNR schedules), which says nothing about
// x0: without clipping it comes out infinite.
void check_epsilon_levels(const Scheduler& scheduler, const std::vector<double>& timesteps);

}  // namespace attnscope
