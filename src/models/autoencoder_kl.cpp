#include "models/autoencoder_kl.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "base/error.h"
#include "models/config_fields.h"
#include "models/vae_tiling.h"

namespace attnscope {
namespace {

using nn::ModuleList;
using nn::Slot;
using nn::UnaryModule;

std::shared_ptr<nn::ResnetBlock2D> make_resnet(const VaeConfig& config, int64_t in_channels, int64_t out_channels) {
  nn::ResnetConfig resnet;
  resnet.in_channels = in_channels;
  resnet.out_channels = out_channels;
  resnet.groups = config.norm_num_groups;
  resnet.eps = 1e-6;
  resnet.act_fn = config.act_fn;
  return std::make_shared<nn::ResnetBlock2D>(resnet);
}

// ResNets and a sampler at one resolution.
class VaeBlock final : public UnaryModule {
 public:
  enum class Kind { encoder, decoder };

  VaeBlock(const VaeConfig& config, Kind kind, int64_t in_channels, int64_t out_channels, bool samples)
      : resnets(*this, "resnets", std::make_shared<ModuleList<nn::ResnetModule>>()),
        downsamplers(*this, "downsamplers"),
        upsamplers(*this, "upsamplers"),
        kind_(kind) {
    const int64_t layers = config.layers_per_block + (kind == Kind::decoder ? 1 : 0);
    for (int64_t i = 0; i < layers; ++i)
      resnets->append(make_resnet(config, i == 0 ? in_channels : out_channels, out_channels));
    if (samples && kind == Kind::encoder) {
      downsamplers.set(std::make_shared<ModuleList<UnaryModule>>());
      downsamplers->append(std::make_shared<nn::Downsample2D>(out_channels, out_channels, 0));
    } else if (samples) {
      upsamplers.set(std::make_shared<ModuleList<nn::Upsample2D>>());
      upsamplers->append(std::make_shared<nn::Upsample2D>(out_channels));
    }
  }
  std::string_view class_name() const override {
    return kind_ == Kind::encoder ? "DownEncoderBlock2D" : "UpDecoderBlock2D";
  }

  Slot<ModuleList<nn::ResnetModule>> resnets;
  Slot<ModuleList<UnaryModule>> downsamplers;
  Slot<ModuleList<nn::Upsample2D>> upsamplers;

 protected:
  at::Tensor forward(const at::Tensor& input) override {
    at::Tensor hidden = input;
    for (const auto& resnet : *resnets) hidden = resnet(hidden, at::Tensor());
    if (downsamplers)
      for (const auto& sampler : *downsamplers) hidden = sampler(hidden);
    if (upsamplers)
      for (const auto& sampler : *upsamplers) hidden = sampler(hidden, std::vector<int64_t>{});
    return hidden;
  }

 private:
  Kind kind_;
};

class VaeMidBlock final : public UnaryModule {
 public:
  explicit VaeMidBlock(const VaeConfig& config)
      : attentions(*this, "attentions", std::make_shared<ModuleList<nn::Attention>>()),
        resnets(*this, "resnets", std::make_shared<ModuleList<nn::ResnetModule>>()) {
    const int64_t channels = config.block_out_channels.back();
    for (int i = 0; i < 2; ++i) resnets->append(make_resnet(config, channels, channels));
    if (!config.mid_block_add_attention) return;
    nn::AttentionConfig attention;
    attention.query_dim = channels;
    attention.heads = 1;
    attention.dim_head = channels;
    attention.bias = true;
    attention.upcast_softmax = true;
    attention.norm_num_groups = config.norm_num_groups;
    attention.eps = 1e-6;
    attention.residual_connection = true;
    attentions->append(std::make_shared<nn::Attention>(attention));
  }
  std::string_view class_name() const override { return "UNetMidBlock2D"; }

  Slot<ModuleList<nn::Attention>> attentions;
  Slot<ModuleList<nn::ResnetModule>> resnets;

 protected:
  at::Tensor forward(const at::Tensor& input) override {
    at::Tensor hidden = (*resnets)[0](input, at::Tensor());
    for (const auto& attention : *attentions) hidden = attention(hidden, at::Tensor(), at::Tensor());
    return (*resnets)[1](hidden, at::Tensor());
  }
};

// Both halves end in norm, activation, 3x3 convolution; the encoder has its mid block after the blocks, the decoder
// before.
class VaeHalf final : public UnaryModule {
 public:
  VaeHalf(const VaeConfig& c, VaeBlock::Kind kind)
      : conv_in(*this, "conv_in"),
        down_blocks(*this, "down_blocks"),
        up_blocks(*this, "up_blocks"),
        mid_block(*this, "mid_block", std::make_shared<VaeMidBlock>(c)),
        conv_norm_out(*this, "conv_norm_out",
                      std::make_shared<nn::GroupNorm>(c.norm_num_groups, c.block_out_channels.front(), 1e-6)),
        conv_act(*this, "conv_act", std::make_shared<nn::Activation>("silu")),
        conv_out(*this, "conv_out"),
        kind_(kind) {
    const auto& channels = c.block_out_channels;
    const std::size_t count = channels.size();
    auto blocks = std::make_shared<ModuleList<UnaryModule>>();
    if (kind == VaeBlock::Kind::encoder) {
      conv_in.set(std::make_shared<nn::Conv2d>(c.in_channels, channels.front(), 3, 1, 1));
      for (std::size_t i = 0; i < count; ++i)
        blocks->append(std::make_shared<VaeBlock>(c, kind, channels[i == 0 ? 0 : i - 1], channels[i], i + 1 < count));
      down_blocks.set(blocks);
      conv_norm_out.set(std::make_shared<nn::GroupNorm>(c.norm_num_groups, channels.back(), 1e-6));
      conv_out.set(std::make_shared<nn::Conv2d>(channels.back(), 2 * c.latent_channels, 3, 1, 1));
    } else {
      conv_in.set(std::make_shared<nn::Conv2d>(c.latent_channels, channels.back(), 3, 1, 1));
      for (std::size_t i = 0; i < count; ++i)
        blocks->append(std::make_shared<VaeBlock>(c, kind, channels[i == 0 ? count - 1 : count - i],
                                                  channels[count - 1 - i], i + 1 < count));
      up_blocks.set(blocks);
      conv_out.set(std::make_shared<nn::Conv2d>(channels.front(), c.out_channels, 3, 1, 1));
    }
  }
  std::string_view class_name() const override { return kind_ == VaeBlock::Kind::encoder ? "Encoder" : "Decoder"; }

  Slot<UnaryModule> conv_in;
  Slot<ModuleList<UnaryModule>> down_blocks, up_blocks;
  Slot<UnaryModule> mid_block, conv_norm_out, conv_act, conv_out;

 protected:
  at::Tensor forward(const at::Tensor& input) override {
    at::Tensor hidden = conv_in(input);
    if (down_blocks) {
      for (const auto& block : *down_blocks) hidden = block(hidden);
      hidden = mid_block(hidden);
    } else {
      hidden = mid_block(hidden);
      for (const auto& block : *up_blocks) hidden = block(hidden);
    }
    return conv_out(conv_act(conv_norm_out(hidden)));
  }

 private:
  VaeBlock::Kind kind_;
};

// Runs `part` on `slice` items of the batch at a time.
template <class Part>
at::Tensor sliced(const at::Tensor& batch, int64_t slice, Part part) {
  if (slice <= 0 || batch.size(0) <= slice) return part(batch);
  std::vector<at::Tensor> parts;
  for (const at::Tensor& chunk : batch.split(slice)) parts.push_back(part(chunk));
  return at::cat(parts);
}

}  // namespace

VaeConfig VaeConfig::from_json(const nlohmann::json& json, const std::string& file) {
  const ConfigFields fields(json, file);
  for (const char* field : {"latents_mean", "latents_std"}) fields.only(field, nullptr);
  VaeConfig c;
  c.in_channels = fields.integer("in_channels", 3);
  c.out_channels = fields.integer("out_channels", 3);
  c.latent_channels = fields.integer("latent_channels", 4);
  c.block_out_channels = fields.integers("block_out_channels", {64});
  if (c.block_out_channels.empty()) fields.refuse("block_out_channels", "at least one block is needed");
  for (const auto& [field, type] :
       {std::pair{"down_block_types", "DownEncoderBlock2D"}, std::pair{"up_block_types", "UpDecoderBlock2D"}}) {
    const auto types = fields.texts(field, {type});
    if (types.size() != c.block_out_channels.size())
      fields.refuse(field, std::to_string(types.size()) + " types for " + std::to_string(c.block_out_channels.size()) +
                               " block_out_channels");
    for (const auto& given : types)
      if (given != type)
        throw LoadError("block type " + given + " is not supported", file, field,
                        std::string("Supported: ") + type + ".");
  }
  c.layers_per_block = fields.integer("layers_per_block", 1);
  c.norm_num_groups = fields.integer("norm_num_groups", 32);
  for (const int64_t channels : c.block_out_channels)
    if (c.norm_num_groups < 1 || channels < 1 || channels % c.norm_num_groups != 0)
      fields.refuse("norm_num_groups", std::to_string(channels) + " channels cannot be split into " +
                                           std::to_string(c.norm_num_groups) + " groups");
  c.sample_size = fields.integer("sample_size", 32);
  c.act_fn = fields.text("act_fn", "silu");
  c.scaling_factor = fields.number("scaling_factor", 0.18215);
  c.shift_factor = fields.number("shift_factor", 0);
  c.force_upcast = fields.boolean("force_upcast", true);
  c.mid_block_add_attention = fields.boolean("mid_block_add_attention", true);
  c.use_quant_conv = fields.boolean("use_quant_conv", true);
  c.use_post_quant_conv = fields.boolean("use_post_quant_conv", true);
  return c;
}

at::Tensor LatentDistribution::sample(const at::Tensor& noise) const { return mean + at::exp(0.5 * logvar) * noise; }

AutoencoderKL::AutoencoderKL(const VaeConfig& c)
    : encoder(*this, "encoder", std::make_shared<VaeHalf>(c, VaeBlock::Kind::encoder)),
      decoder(*this, "decoder", std::make_shared<VaeHalf>(c, VaeBlock::Kind::decoder)),
      quant_conv(*this, "quant_conv"),
      post_quant_conv(*this, "post_quant_conv"),
      config_(c) {
  if (c.use_quant_conv) quant_conv.set(std::make_shared<nn::Conv2d>(2 * c.latent_channels, 2 * c.latent_channels, 1));
  if (c.use_post_quant_conv) post_quant_conv.set(std::make_shared<nn::Conv2d>(c.latent_channels, c.latent_channels, 1));
}

LatentDistribution AutoencoderKL::encode(const at::Tensor& images, int64_t slice) {
  if (images.dim() != 4 || images.size(1) != config_.in_channels)
    throw ShapeError(
        "shape " + c10::str(images.sizes()) + " given, [B, " + std::to_string(config_.in_channels) + ", H, W] needed",
        "images");
  const auto code = [this](const at::Tensor& part) {
    const at::Tensor hidden = encoder(part);
    return quant_conv ? quant_conv(hidden) : hidden;
  };
  const int64_t tile = config_.sample_size, latent_tile = tile / config_.factor();
  const bool tiled = tiling_ && std::max(images.size(2), images.size(3)) > tile;
  const at::Tensor moments = sliced(images, slice, [&](const at::Tensor& part) {
    return tiled ? map_tiles(part, {tile, latent_tile}, code) : code(part);
  });
  const auto halves = moments.chunk(2, 1);
  return {halves[0], halves[1].clamp(-30.0, 20.0)};
}

at::Tensor AutoencoderKL::decode(const at::Tensor& latents, int64_t slice) {
  if (latents.dim() != 4 || latents.size(1) != config_.latent_channels)
    throw ShapeError("shape " + c10::str(latents.sizes()) + " given, [B, " + std::to_string(config_.latent_channels) +
                         ", h, w] needed",
                     "latents");
  const auto code = [this](const at::Tensor& part) { return decoder(post_quant_conv ? post_quant_conv(part) : part); };
  const int64_t tile = config_.sample_size, latent_tile = tile / config_.factor();
  const bool tiled = tiling_ && std::max(latents.size(2), latents.size(3)) > latent_tile;
  return sliced(latents, slice, [&](const at::Tensor& part) {
    return tiled ? map_tiles(part, {latent_tile, tile}, code) : code(part);
  });
}

}  // namespace attnscope
