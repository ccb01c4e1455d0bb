#pragma once
#include "schedulers/prediction.h"

namespace attnscope {

// "Denoising Diffusion Implicit Models", formulas 12 and 16. Every step goes down by num_train_timesteps / steps
// (integer division), whatever the spacing; below 0 ᾱ is 1 or, without set_alpha_to_one, ᾱ_0.
class DDIMScheduler final : public Scheduler {
 public:
  explicit DDIMScheduler(SchedulerConfig config);
  std::string_view class_name() const override { return "DDIMScheduler"; }

 protected:
  std::vector<double> make_timesteps(int64_t n) override;
  at::Tensor next_sample(const at::Tensor& model_output, std::size_t i, const at::Tensor& sample,
                         const StepOptions& options) override;

 private:
  SampleLimits limits_;
  at::Tensor final_alpha_;
};

// The same steps upwards, from the clean sample to noise: step i asks the network at timesteps()[i], the level it
// arrives at, about a sample one level below. A timestep below 0 is the clean end. Unlike diffusers' it also takes the
// spacing linspace, so that any DDIM config can be inverted.
class DDIMInverseScheduler final : public Scheduler {
 public:
  explicit DDIMInverseScheduler(SchedulerConfig config);
  std::string_view class_name() const override { return "DDIMInverseScheduler"; }

 protected:
  std::vector<double> make_timesteps(int64_t n) override;
  at::Tensor next_sample(const at::Tensor& model_output, std::size_t i, const at::Tensor& sample,
                         const StepOptions& options) override;

 private:
  SampleLimits limits_;
  at::Tensor initial_alpha_;
};

}  // namespace attnscope
