#pragma once
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "nn/attention.h"
#include "nn/resnet.h"

namespace attnscope {

// config.json of an AutoencoderKL, diffusers' field names.
struct VaeConfig {
  int64_t in_channels = 3;
  int64_t out_channels = 3;
  int64_t latent_channels = 4;
  std::vector<int64_t> block_out_channels;
  int64_t layers_per_block = 1;
  int64_t norm_num_groups = 32;
  int64_t sample_size = 32;  // pixels it was trained for
  std::string act_fn = "silu";
  double scaling_factor = 0.18215;
  double shift_factor = 0;
  bool force_upcast = true;
  bool mid_block_add_attention = true;
  bool use_quant_conv = true;
  bool use_post_quant_conv = true;

  // Pixels a latent cell covers along each axis.
  int64_t factor() const { return int64_t{1} << (block_out_channels.size() - 1); }
  // Throws LoadError naming file and field for unsupported values.
  static VaeConfig from_json(const nlohmann::json& json, const std::string& file);
};

// The encoder's posterior, [B, latent_channels, h, w] each; logvar is clamped to [-30, 20].
struct LatentDistribution {
  at::Tensor mean;
  at::Tensor logvar;
  // mean + exp(logvar / 2) · noise; noise of the same shape.
  at::Tensor sample(const at::Tensor& noise) const;
};

class AutoencoderKL final : public nn::Module {
 public:
  static constexpr const char* kInterface = "an AutoencoderKL";
  explicit AutoencoderKL(const VaeConfig& config);
  std::string_view class_name() const override { return "AutoencoderKL"; }
  const VaeConfig& config() const { return config_; }

  nn::Slot<nn::UnaryModule> encoder, decoder, quant_conv, post_quant_conv;

  // Images [B, 3, H, W] in -1..1 to the posterior, `slice` images at a time (0: all at once), which bounds memory.
  LatentDistribution encode(const at::Tensor& images, int64_t slice = 0);
  // Latents as the decoder takes them (already divided by scaling_factor) to images [B, 3, H, W], not clamped.
  at::Tensor decode(const at::Tensor& latents, int64_t slice = 0);
  // Images larger than the config's sample_size are coded in overlapping tiles of that size: memory stays that of a
  // tile, the result differs a little (diffusers' enable_tiling).
  void enable_tiling(bool on) { tiling_ = on; }

 private:
  VaeConfig config_;
  bool tiling_ = false;
};

}  // namespace attnscope
