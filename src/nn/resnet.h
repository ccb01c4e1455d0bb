#pragma once
#include <string>
#include <vector>

#include "nn/layers.h"

namespace attnscope::nn {

// hidden_states [B, C, H, W] and the time embedding [B, E] (undefined in a VAE) to [B, C', H, W].
class ResnetModule : public Callable<at::Tensor(const at::Tensor&, const at::Tensor&)> {
 public:
  static constexpr const char* kInterface = "a ResNet block";
};

struct ResnetConfig {
  int64_t in_channels = 0;
  int64_t out_channels = 0;
  int64_t temb_channels = 0;  // 0: no time embedding
  int64_t groups = 32;
  double eps = 1e-5;
  std::string act_fn = "silu";
  double output_scale_factor = 1.0;
};

class ResnetBlock2D final : public ResnetModule {
 public:
  explicit ResnetBlock2D(const ResnetConfig& config);
  std::string_view class_name() const override { return "ResnetBlock2D"; }

  Slot<UnaryModule> norm1, conv1, time_emb_proj, norm2, dropout, conv2, nonlinearity, conv_shortcut;

 protected:
  // A cancellation point.
  at::Tensor forward(const at::Tensor& hidden_states, const at::Tensor& temb) override;

 private:
  double output_scale_factor_;
};

// Stride-2 3x3 convolution. padding 0 pads right and bottom only (VAE).
class Downsample2D final : public UnaryModule {
 public:
  Downsample2D(int64_t in_channels, int64_t out_channels, int64_t padding);
  std::string_view class_name() const override { return "Downsample2D"; }

  Slot<UnaryModule> conv;

 protected:
  at::Tensor forward(const at::Tensor& hidden_states) override;

 private:
  bool asymmetric_;
};

// Nearest-neighbour to `output_size` [h, w] (empty: twice the size), then a 3x3 convolution.
class Upsample2D final : public Callable<at::Tensor(const at::Tensor&, const std::vector<int64_t>&)> {
 public:
  static constexpr const char* kInterface = "an upsampler";
  explicit Upsample2D(int64_t channels);
  std::string_view class_name() const override { return "Upsample2D"; }

  Slot<UnaryModule> conv;

 protected:
  at::Tensor forward(const at::Tensor& hidden_states, const std::vector<int64_t>& output_size) override;
};

}  // namespace attnscope::nn
