#pragma once
#include <memory>
#include <string>
#include <vector>

#include "models/unet_config.h"
#include "nn/resnet.h"
#include "nn/transformer.h"

namespace attnscope {

// What a down block hands on: its output and, for the up blocks, one residual a layer (and one of the downsampler).
struct DownBlockOutput {
  at::Tensor hidden_states;
  std::vector<at::Tensor> residuals;
};
void append(nn::Values& values, const DownBlockOutput& output);
void take(DownBlockOutput& output, const at::Tensor*& next);

// (hidden_states [B, C, H, W], temb [B, E], encoder_hidden_states [B, S, D]).
class DownBlock : public nn::Callable<DownBlockOutput(const at::Tensor&, const at::Tensor&, const at::Tensor&)> {
 public:
  static constexpr const char* kInterface = "a UNet down block";
};

class MidBlock : public nn::Callable<at::Tensor(const at::Tensor&, const at::Tensor&, const at::Tensor&)> {
 public:
  static constexpr const char* kInterface = "a UNet mid block";
};

// As a down block, with the residuals it consumes (last one first) and the size [h, w] to upsample to (empty: twice).
class UpBlock : public nn::Callable<at::Tensor(const at::Tensor&, const std::vector<at::Tensor>&, const at::Tensor&,
                                               const at::Tensor&, const std::vector<int64_t>&)> {
 public:
  static constexpr const char* kInterface = "a UNet up block";
  // How many residuals the block consumes.
  virtual std::size_t layers() const = 0;
};

// DownBlock2D / CrossAttnDownBlock2D. Children: [attentions,] resnets, downsamplers.
class UNetDownBlock final : public DownBlock {
 public:
  UNetDownBlock(const UNetConfig& config, std::size_t index);
  std::string_view class_name() const override { return type_; }

  nn::Slot<nn::ModuleList<nn::TransformerModule>> attentions;
  nn::Slot<nn::ModuleList<nn::ResnetModule>> resnets;
  nn::Slot<nn::ModuleList<nn::UnaryModule>> downsamplers;

 protected:
  DownBlockOutput forward(const at::Tensor& hidden_states, const at::Tensor& temb,
                          const at::Tensor& encoder_hidden_states) override;

 private:
  std::string type_;
};

// UNetMidBlock2DCrossAttn: ResNet, transformer, ResNet.
class UNetMidBlock final : public MidBlock {
 public:
  explicit UNetMidBlock(const UNetConfig& config);
  std::string_view class_name() const override { return "UNetMidBlock2DCrossAttn"; }

  nn::Slot<nn::ModuleList<nn::TransformerModule>> attentions;
  nn::Slot<nn::ModuleList<nn::ResnetModule>> resnets;

 protected:
  at::Tensor forward(const at::Tensor& hidden_states, const at::Tensor& temb,
                     const at::Tensor& encoder_hidden_states) override;
};

// UpBlock2D / CrossAttnUpBlock2D. Children: [attentions,] resnets, upsamplers.
class UNetUpBlock final : public UpBlock {
 public:
  UNetUpBlock(const UNetConfig& config, std::size_t index);
  std::string_view class_name() const override { return type_; }
  std::size_t layers() const override { return resnets->size(); }

  nn::Slot<nn::ModuleList<nn::TransformerModule>> attentions;
  nn::Slot<nn::ModuleList<nn::ResnetModule>> resnets;
  nn::Slot<nn::ModuleList<nn::Upsample2D>> upsamplers;

 protected:
  at::Tensor forward(const at::Tensor& hidden_states, const std::vector<at::Tensor>& residuals, const at::Tensor& temb,
                     const at::Tensor& encoder_hidden_states, const std::vector<int64_t>& upsample_size) override;

 private:
  std::string type_;
};

}  // namespace attnscope
