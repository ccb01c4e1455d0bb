#include "models/unet_blocks.h"

#include <ATen/ATen.h>

namespace attnscope {
namespace {

using nn::ModuleList;
using Attentions = ModuleList<nn::TransformerModule>;
using Resnets = ModuleList<nn::ResnetModule>;

std::shared_ptr<nn::ResnetBlock2D> make_resnet(const UNetConfig& config, int64_t in_channels, int64_t out_channels,
                                               double output_scale_factor = 1.0) {
  nn::ResnetConfig resnet;
  resnet.in_channels = in_channels;
  resnet.out_channels = out_channels;
  resnet.temb_channels = config.block_out_channels[0] * 4;
  resnet.groups = config.norm_num_groups;
  resnet.eps = config.norm_eps;
  resnet.act_fn = config.act_fn;
  resnet.output_scale_factor = output_scale_factor;
  return std::make_shared<nn::ResnetBlock2D>(resnet);
}

// `block` is counted from the outside in, as in the config's lists.
std::shared_ptr<nn::Transformer2DModel> make_transformer(const UNetConfig& config, std::size_t block, int64_t layers) {
  nn::TransformerConfig transformer;
  transformer.channels = config.block_out_channels[block];
  transformer.heads = config.num_attention_heads[block];
  transformer.cross_attention_dim = config.cross_attention_dim[block];
  transformer.layers = layers;
  transformer.norm_num_groups = config.norm_num_groups;
  transformer.use_linear_projection = config.use_linear_projection;
  transformer.upcast_attention = config.upcast_attention;
  return std::make_shared<nn::Transformer2DModel>(transformer);
}

}  // namespace

void append(nn::Values& values, const DownBlockOutput& output) {
  nn::append(values, output.hidden_states);
  nn::append(values, output.residuals);
}

void take(DownBlockOutput& output, const at::Tensor*& next) {
  nn::take(output.hidden_states, next);
  nn::take(output.residuals, next);
}

UNetDownBlock::UNetDownBlock(const UNetConfig& config, std::size_t index)
    : attentions(*this, "attentions"),
      resnets(*this, "resnets", std::make_shared<Resnets>()),
      downsamplers(*this, "downsamplers"),
      type_(config.down_block_types[index]) {
  const int64_t out_channels = config.block_out_channels[index];
  int64_t in_channels = config.block_out_channels[index == 0 ? 0 : index - 1];
  if (type_ == "CrossAttnDownBlock2D") attentions.set(std::make_shared<Attentions>());
  for (int64_t layer = 0; layer < config.layers_per_block[index]; ++layer) {
    resnets->append(make_resnet(config, in_channels, out_channels));
    if (attentions) attentions->append(make_transformer(config, index, config.transformer_layers[index][layer]));
    in_channels = out_channels;
  }
  if (index + 1 < config.block_out_channels.size()) {
    downsamplers.set(std::make_shared<ModuleList<nn::UnaryModule>>());
    downsamplers->append(std::make_shared<nn::Downsample2D>(out_channels, out_channels, config.downsample_padding));
  }
}

DownBlockOutput UNetDownBlock::forward(const at::Tensor& input, const at::Tensor& temb,
                                       const at::Tensor& encoder_hidden_states) {
  DownBlockOutput output{input, {}};
  for (std::size_t i = 0; i < resnets->size(); ++i) {
    output.hidden_states = (*resnets)[i](output.hidden_states, temb);
    if (attentions) output.hidden_states = (*attentions)[i](output.hidden_states, encoder_hidden_states);
    output.residuals.push_back(output.hidden_states);
  }
  if (downsamplers) {
    for (const auto& downsampler : *downsamplers) output.hidden_states = downsampler(output.hidden_states);
    output.residuals.push_back(output.hidden_states);
  }
  return output;
}

UNetMidBlock::UNetMidBlock(const UNetConfig& config)
    : attentions(*this, "attentions", std::make_shared<Attentions>()),
      resnets(*this, "resnets", std::make_shared<Resnets>()) {
  const int64_t channels = config.block_out_channels.back();
  for (int i = 0; i < 2; ++i) resnets->append(make_resnet(config, channels, channels, config.mid_block_scale_factor));
  attentions->append(make_transformer(config, config.block_out_channels.size() - 1, config.mid_transformer_layers));
}

at::Tensor UNetMidBlock::forward(const at::Tensor& input, const at::Tensor& temb,
                                 const at::Tensor& encoder_hidden_states) {
  at::Tensor hidden = (*resnets)[0](input, temb);
  for (std::size_t i = 0; i < attentions->size(); ++i) {
    hidden = (*attentions)[i](hidden, encoder_hidden_states);
    hidden = (*resnets)[i + 1](hidden, temb);
  }
  return hidden;
}

UNetUpBlock::UNetUpBlock(const UNetConfig& config, std::size_t index)
    : attentions(*this, "attentions"),
      resnets(*this, "resnets", std::make_shared<Resnets>()),
      upsamplers(*this, "upsamplers"),
      type_(config.up_block_types[index]) {
  const std::size_t count = config.block_out_channels.size();
  const std::size_t mirror = count - 1 - index;
  const int64_t out_channels = config.block_out_channels[mirror];
  const int64_t previous_channels = config.block_out_channels[index == 0 ? mirror : mirror + 1];
  const int64_t skip_channels = config.block_out_channels[mirror == 0 ? 0 : mirror - 1];
  const int64_t layers = config.layers_per_block[mirror] + 1;
  if (type_ == "CrossAttnUpBlock2D") attentions.set(std::make_shared<Attentions>());
  for (int64_t layer = 0; layer < layers; ++layer) {
    // The last residual of a level came out of the level above it (or of conv_in).
    const int64_t residual = layer == layers - 1 ? skip_channels : out_channels;
    const int64_t hidden = layer == 0 ? previous_channels : out_channels;
    resnets->append(make_resnet(config, hidden + residual, out_channels));
    if (attentions) attentions->append(make_transformer(config, mirror, config.up_transformer_layers[index][layer]));
  }
  if (index + 1 < count) {
    upsamplers.set(std::make_shared<ModuleList<nn::Upsample2D>>());
    upsamplers->append(std::make_shared<nn::Upsample2D>(out_channels));
  }
}

at::Tensor UNetUpBlock::forward(const at::Tensor& input, const std::vector<at::Tensor>& residuals,
                                const at::Tensor& temb, const at::Tensor& encoder_hidden_states,
                                const std::vector<int64_t>& upsample_size) {
  at::Tensor hidden = input;
  for (std::size_t i = 0; i < resnets->size(); ++i) {
    hidden = (*resnets)[i](at::cat({hidden, residuals[residuals.size() - 1 - i]}, 1), temb);
    if (attentions) hidden = (*attentions)[i](hidden, encoder_hidden_states);
  }
  if (upsamplers)
    for (const auto& upsampler : *upsamplers) hidden = upsampler(hidden, upsample_size);
  return hidden;
}

}  // namespace attnscope
