#pragma once
#include "schedulers/prediction.h"
#include "schedulers/sigma_spacing.h"

namespace attnscope {

// "DPM-Solver++: Fast Solver for Guided Sampling" (algorithm_type dpmsolver++, the default), its first version
// (dpmsolver) and their stochastic forms (sde-...), order 1 to 3, multistep. Samples are variance preserving; updates
// are computed in float32.
// Steps must be taken in order; the first one, and one that does not follow the last, starts a new history.
class DPMSolverMultistepScheduler final : public Scheduler {
 public:
  explicit DPMSolverMultistepScheduler(SchedulerConfig config);
  std::string_view class_name() const override { return "DPMSolverMultistepScheduler"; }
  at::Tensor sigmas() const override { return sigmas_; }
  void reset() override;

 protected:
  std::vector<double> make_timesteps(int64_t n) override;
  at::Tensor next_sample(const at::Tensor& model_output, std::size_t i, const at::Tensor& sample,
                         const StepOptions& options) override;
  at::Tensor noised(const at::Tensor& original, const at::Tensor& noise, std::size_t i) const override;

 private:
  // alpha, sigma and lambda = log(alpha / sigma) of place i in sigmas(); scalar tensors.
  struct Level {
    at::Tensor alpha, sigma, lambda;
  };
  // What multiplies the sample and the first, second and third term of an update, and the noise it adds.
  struct Coefficients {
    at::Tensor sample, d0, d1, d2, noise;
  };

  std::vector<double> listed_timesteps(int64_t n) const;
  Level level(std::size_t i) const;
  at::Tensor converted(const at::Tensor& model_output, std::size_t i, const at::Tensor& sample) const;
  int64_t order_at(std::size_t i) const;
  Coefficients coefficients(const Level& to, const Level& from) const;

  SampleLimits limits_;
  SigmaSpacing sigma_spacing_;
  bool data_prediction_, stochastic_, heun_;
  bool lower_order_final_, euler_at_final_, sigma_min_last_, lu_lambdas_, cosine_;
  int64_t solver_order_;
  double lambda_min_clipped_;
  at::Tensor sigmas_;

  std::vector<at::Tensor> outputs_;  // converted, newest last, solver_order_ at most
  std::size_t next_ = 0;             // the step that continues outputs_
};

}  // namespace attnscope
