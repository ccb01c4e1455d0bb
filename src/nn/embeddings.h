#pragma once
#include <string>

#include "nn/layers.h"

namespace attnscope::nn {

// Sinusoidal features of timesteps [B] (any dtype): [B, channels] fp32. Half frequencies 10000^(-i/(half -
// freq_shift)), sine then cosine, the other way round with flip_sin_to_cos.
class Timesteps final : public UnaryModule {
 public:
  Timesteps(int64_t channels, bool flip_sin_to_cos, double freq_shift);
  std::string_view class_name() const override { return "Timesteps"; }

 protected:
  at::Tensor forward(const at::Tensor& timesteps) override;

 private:
  int64_t channels_;
  bool flip_sin_to_cos_;
  double freq_shift_;
};

// Linear, activation, Linear: [B, in] to [B, out].
class TimestepEmbedding final : public UnaryModule {
 public:
  TimestepEmbedding(int64_t in_features, int64_t out_features, const std::string& act_fn);
  std::string_view class_name() const override { return "TimestepEmbedding"; }

  Slot<UnaryModule> linear_1, act, linear_2;

 protected:
  at::Tensor forward(const at::Tensor& sample) override;
};

}  // namespace attnscope::nn
