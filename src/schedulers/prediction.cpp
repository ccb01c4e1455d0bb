#include "schedulers/prediction.h"

#include <ATen/ATen.h>

#include "base/error.h"

namespace attnscope {

Prediction read_prediction(PredictionType type, const at::Tensor& model_output, const at::Tensor& sample,
                           const at::Tensor& alpha) {
  const at::Tensor a = alpha.sqrt();
  const at::Tensor b = (1 - alpha).sqrt();
  switch (type) {
    case PredictionType::epsilon: return {(sample - b * model_output) / a, model_output};
    case PredictionType::sample: return {model_output, (sample - a * model_output) / b};
    case PredictionType::v_prediction: break;
  }
  return {a * sample - b * model_output, a * model_output + b * sample};
}

SampleLimits::SampleLimits(const SchedulerConfig& config, std::optional<bool> clip, bool has_thresholding) {
  if (clip) {
    clip_ = config.flag("clip_sample", *clip);
    range_ = config.number("clip_sample_range", 1.0);
    if (!(range_ > 0)) config.refuse("clip_sample_range", "is not above 0");
  }
  if (has_thresholding) {
    thresholding_ = config.flag("thresholding", false);
    ratio_ = config.number("dynamic_thresholding_ratio", 0.995);
    max_value_ = config.number("sample_max_value", 1.0);
    if (!(ratio_ >= 0 && ratio_ <= 1)) config.refuse("dynamic_thresholding_ratio", "is outside 0 ... 1");
  }
}

at::Tensor SampleLimits::apply(const at::Tensor& clean) const {
  if (thresholding_) return threshold(clean);
  return clip_ ? clean.clamp(-range_, range_) : clean;
}

at::Tensor SampleLimits::threshold(const at::Tensor& clean) const {
  const bool wide = clean.scalar_type() == at::kFloat || clean.scalar_type() == at::kDouble;
  const at::Tensor flat = (wide ? clean : clean.to(at::kFloat)).flatten(1);
  const at::Tensor limit = at::quantile(flat.abs(), ratio_, 1).clamp(1.0, max_value_).unsqueeze(1);
  return (at::clamp(flat, -limit, limit) / limit).view(clean.sizes()).to(clean.scalar_type());
}

void check_timesteps(const Scheduler& scheduler, const std::vector<double>& timesteps) {
  const int64_t count = scheduler.num_train_timesteps();
  for (const double timestep : timesteps) {
    if (timestep >= 0 && timestep < static_cast<double>(count)) continue;
    throw ConfigError("with " + std::to_string(timesteps.size()) + " steps the first timestep would be " +
                          std::to_string(static_cast<int64_t>(timestep)) + ", the last one there is " +
                          std::to_string(count - 1),
                      {.file = scheduler.config_file(), .key = "steps_offset"}, "Take fewer steps.");
  }
}

void check_epsilon_levels(const Scheduler& scheduler, const std::vector<double>& timesteps) {
  if (scheduler.prediction_type() != PredictionType::epsilon) return;
  for (const double timestep : timesteps) {
    if (scheduler.alphas_cumprod()[static_cast<int64_t>(timestep)].item<float>() > 0) continue;
    throw ConfigError("timestep " + std::to_string(static_cast<int64_t>(timestep)) +
                          " is pure noise (rescale_betas_zero_snr), from which prediction_type epsilon says nothing",
                      {.file = scheduler.config_file(), .key = "prediction_type"},
                      "Such models predict v: set prediction_type to v_prediction, or timestep_spacing to leading.");
  }
}

}  // namespace attnscope
