#pragma once
#include <string>
#include <vector>

#include "models/unet_blocks.h"
#include "models/unet_config.h"
#include "nn/embeddings.h"

namespace attnscope {

// What a UNet is called with.
struct UNetInput {
  at::Tensor sample;                 // [B, in_channels, h, w] latents
  at::Tensor timestep;               // [1] or [B]
  at::Tensor encoder_hidden_states;  // [B, S, cross_attention_dim]
  at::Tensor text_embeds;            // [B, P] pooled text, with addition_embed_type text_time only
  at::Tensor time_ids;               // [B, 6] likewise
  // ControlNet: one a skip connection in order, and the mid block's. Both or neither.
  std::vector<at::Tensor> down_block_additional_residuals;
  at::Tensor mid_block_additional_residual;
};
void append(nn::Values& values, const UNetInput& input);
void take(UNetInput& input, const at::Tensor*& next);

// diffusers' UNet2DConditionModel: UNetInput to the prediction [B, out_channels, h, w]. Video frames are folded into B.
class UNet2DConditionModel final : public nn::Callable<at::Tensor(const UNetInput&)> {
 public:
  static constexpr const char* kInterface = "a UNet2DConditionModel";
  explicit UNet2DConditionModel(const UNetConfig& config);
  std::string_view class_name() const override { return "UNet2DConditionModel"; }
  const UNetConfig& config() const { return config_; }

  // Registered in diffusers' order, which puts mid_block last: attention keys follow it.
  nn::Slot<nn::UnaryModule> conv_in, time_proj, time_embedding, add_time_proj, add_embedding;
  nn::Slot<nn::ModuleList<DownBlock>> down_blocks;
  nn::Slot<nn::ModuleList<UpBlock>> up_blocks;
  nn::Slot<MidBlock> mid_block;
  nn::Slot<nn::UnaryModule> conv_norm_out, conv_act, conv_out;

 protected:
  // Throws ShapeError naming the input that does not fit.
  at::Tensor forward(const UNetInput& input) override;

 private:
  void check(const UNetInput& input) const;
  at::Tensor embed_time(const UNetInput& input);

  UNetConfig config_;
};

// Size [h, w] of the latents' grid after `halvings` (each rounds up), as the UNet's levels see it.
std::vector<int64_t> level_size(int64_t height, int64_t width, int halvings);

}  // namespace attnscope
