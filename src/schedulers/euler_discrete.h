#pragma once
#include "schedulers/scheduler.h"
#include "schedulers/sigma_spacing.h"

namespace attnscope {

// Algorithm 2 of "Elucidating the Design Space of Diffusion-Based Generative Models" (Euler steps, churn optional) on
// samples x + sigma noise; the network is fed x / sqrt(sigma² + 1). Steps are computed in float32.
class EulerDiscreteScheduler final : public Scheduler {
 public:
  explicit EulerDiscreteScheduler(SchedulerConfig config);
  std::string_view class_name() const override { return "EulerDiscreteScheduler"; }
  at::Tensor sigmas() const override { return sigmas_; }
  double init_noise_sigma() const override;  // Error before set_timesteps

 protected:
  std::vector<double> make_timesteps(int64_t n) override;
  bool float_timesteps() const override { return true; }
  at::Tensor scaled_input(const at::Tensor& sample, std::size_t i) const override;
  at::Tensor next_sample(const at::Tensor& model_output, std::size_t i, const at::Tensor& sample,
                         const StepOptions& options) override;
  at::Tensor noised(const at::Tensor& original, const at::Tensor& noise, std::size_t i) const override;
  at::Tensor noised_at(const at::Tensor& original, const at::Tensor& noise, int64_t train_timestep) const override;

 private:
  at::Tensor sigma(std::size_t i) const { return sigmas_.select(0, static_cast<int64_t>(i)); }

  bool log_linear_, sigma_min_last_, continuous_;
  SigmaSpacing sigma_spacing_;
  at::Tensor sigmas_;
};

}  // namespace attnscope
