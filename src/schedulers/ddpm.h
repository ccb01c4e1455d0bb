#pragma once
#include "schedulers/prediction.h"

namespace attnscope {

// "Denoising Diffusion Probabilistic Models", formula 7: ancestral sampling between the neighbours of the timestep
// list. variance_type: fixed_small, fixed_small_log or fixed_large (learned ones need a network with twice the
// channels).
class DDPMScheduler final : public Scheduler {
 public:
  explicit DDPMScheduler(SchedulerConfig config);
  std::string_view class_name() const override { return "DDPMScheduler"; }

 protected:
  std::vector<double> make_timesteps(int64_t n) override;
  at::Tensor next_sample(const at::Tensor& model_output, std::size_t i, const at::Tensor& sample,
                         const StepOptions& options) override;

 private:
  SampleLimits limits_;
  std::string variance_type_;
};

}  // namespace attnscope
