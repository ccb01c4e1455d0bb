#include "nn/embeddings.h"

#include <ATen/ATen.h>

#include <cmath>

namespace attnscope::nn {

Timesteps::Timesteps(int64_t channels, bool flip_sin_to_cos, double freq_shift)
    : channels_(channels), flip_sin_to_cos_(flip_sin_to_cos), freq_shift_(freq_shift) {}

at::Tensor Timesteps::forward(const at::Tensor& timesteps) {
  const int64_t half = channels_ / 2;
  const auto options = timesteps.options().dtype(at::kFloat);
  const at::Tensor exponent =
      -std::log(10000.0) * at::arange(0, half, options) / (static_cast<double>(half) - freq_shift_);
  const at::Tensor angles = timesteps.to(at::kFloat).unsqueeze(1) * exponent.exp().unsqueeze(0);
  const at::Tensor features =
      flip_sin_to_cos_ ? at::cat({angles.cos(), angles.sin()}, -1) : at::cat({angles.sin(), angles.cos()}, -1);
  return channels_ % 2 == 1 ? at::constant_pad_nd(features, {0, 1}) : features;
}

TimestepEmbedding::TimestepEmbedding(int64_t in_features, int64_t out_features, const std::string& act_fn)
    : linear_1(*this, "linear_1", std::make_shared<Linear>(in_features, out_features)),
      act(*this, "act", std::make_shared<Activation>(act_fn)),
      linear_2(*this, "linear_2", std::make_shared<Linear>(out_features, out_features)) {}

at::Tensor TimestepEmbedding::forward(const at::Tensor& sample) { return linear_2(act(linear_1(sample))); }

}  // namespace attnscope::nn
