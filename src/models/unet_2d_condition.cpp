#include "models/unet_2d_condition.h"

#include <ATen/ATen.h>

#include "base/error.h"

namespace attnscope {
namespace {

std::string shape(const at::Tensor& tensor) { return tensor.defined() ? c10::str(tensor.sizes()) : "none"; }

}  // namespace

void append(nn::Values& values, const UNetInput& input) {
  for (const at::Tensor* tensor : {&input.sample, &input.timestep, &input.encoder_hidden_states, &input.text_embeds,
                                   &input.time_ids, &input.mid_block_additional_residual})
    values.push_back(*tensor);
  nn::append(values, input.down_block_additional_residuals);
}

void take(UNetInput& input, const at::Tensor*& next) {
  for (at::Tensor* tensor : {&input.sample, &input.timestep, &input.encoder_hidden_states, &input.text_embeds,
                             &input.time_ids, &input.mid_block_additional_residual})
    *tensor = *next++;
  nn::take(input.down_block_additional_residuals, next);
}

UNet2DConditionModel::UNet2DConditionModel(const UNetConfig& c)
    : conv_in(*this, "conv_in",
              std::make_shared<nn::Conv2d>(c.in_channels, c.block_out_channels[0], c.conv_in_kernel, 1,
                                           (c.conv_in_kernel - 1) / 2)),
      time_proj(*this, "time_proj",
                std::make_shared<nn::Timesteps>(c.block_out_channels[0], c.flip_sin_to_cos, c.freq_shift)),
      time_embedding(
          *this, "time_embedding",
          std::make_shared<nn::TimestepEmbedding>(c.block_out_channels[0], c.block_out_channels[0] * 4, c.act_fn)),
      add_time_proj(*this, "add_time_proj"),
      add_embedding(*this, "add_embedding"),
      down_blocks(*this, "down_blocks", std::make_shared<nn::ModuleList<DownBlock>>()),
      up_blocks(*this, "up_blocks", std::make_shared<nn::ModuleList<UpBlock>>()),
      mid_block(*this, "mid_block"),
      conv_norm_out(*this, "conv_norm_out",
                    std::make_shared<nn::GroupNorm>(c.norm_num_groups, c.block_out_channels[0], c.norm_eps)),
      conv_act(*this, "conv_act", std::make_shared<nn::Activation>(c.act_fn)),
      conv_out(*this, "conv_out",
               std::make_shared<nn::Conv2d>(c.block_out_channels[0], c.out_channels, c.conv_out_kernel, 1,
                                            (c.conv_out_kernel - 1) / 2)),
      config_(c) {
  if (c.text_time) {
    add_time_proj.set(std::make_shared<nn::Timesteps>(c.addition_time_embed_dim, c.flip_sin_to_cos, c.freq_shift));
    add_embedding.set(std::make_shared<nn::TimestepEmbedding>(c.projection_class_embeddings_input_dim,
                                                              c.block_out_channels[0] * 4, "silu"));
  }
  for (std::size_t i = 0; i < c.block_out_channels.size(); ++i) {
    down_blocks->append(std::make_shared<UNetDownBlock>(c, i));
    up_blocks->append(std::make_shared<UNetUpBlock>(c, i));
  }
  if (c.has_mid_block) mid_block.set(std::make_shared<UNetMidBlock>(c));
}

void UNet2DConditionModel::check(const UNetInput& in) const {
  const auto need = [](bool ok, const char* name, const at::Tensor& given, const std::string& needed) {
    if (!ok) throw ShapeError("shape " + shape(given) + " given, " + needed + " needed", name);
  };
  need(in.sample.defined() && in.sample.dim() == 4 && in.sample.size(1) == config_.in_channels, "sample", in.sample,
       "[B, " + std::to_string(config_.in_channels) + ", h, w]");
  const int64_t batch = in.sample.size(0);
  const std::string b = std::to_string(batch);
  need(in.timestep.defined() && in.timestep.dim() == 1 && (in.timestep.size(0) == 1 || in.timestep.size(0) == batch),
       "timestep", in.timestep, "[1] or [" + b + "]");
  const int64_t cross_dim = config_.cross_attention_dim[0];
  need(in.encoder_hidden_states.defined() && in.encoder_hidden_states.dim() == 3 &&
           in.encoder_hidden_states.size(0) == batch && in.encoder_hidden_states.size(2) == cross_dim,
       "encoder_hidden_states", in.encoder_hidden_states, "[" + b + ", S, " + std::to_string(cross_dim) + "]");
  if (config_.text_time) {
    need(in.text_embeds.defined() && in.text_embeds.dim() == 2 && in.text_embeds.size(0) == batch, "text_embeds",
         in.text_embeds, "[" + b + ", P] (the model has addition_embed_type text_time)");
    need(in.time_ids.defined() && in.time_ids.dim() == 2 && in.time_ids.size(0) == batch, "time_ids", in.time_ids,
         "[" + b + ", 6] (the model has addition_embed_type text_time)");
    const int64_t width = in.text_embeds.size(1) + in.time_ids.size(1) * config_.addition_time_embed_dim;
    need(width == config_.projection_class_embeddings_input_dim, "text_embeds", in.text_embeds,
         "a width that with time_ids makes " + std::to_string(config_.projection_class_embeddings_input_dim));
  }
  if (in.down_block_additional_residuals.empty() == in.mid_block_additional_residual.defined())
    throw ShapeError("down_block_additional_residuals and mid_block_additional_residual go together",
                     "mid_block_additional_residual");
}

at::Tensor UNet2DConditionModel::embed_time(const UNetInput& in) {
  const auto dtype = in.sample.scalar_type();
  at::Tensor temb = time_embedding(time_proj(in.timestep.expand({in.sample.size(0)})).to(dtype));
  if (!config_.text_time) return temb;
  const at::Tensor ids = add_time_proj(in.time_ids.flatten()).reshape({in.text_embeds.size(0), -1});
  return temb +
         add_embedding(at::cat({in.text_embeds, ids.to(in.text_embeds.scalar_type())}, -1).to(temb.scalar_type()));
}

at::Tensor UNet2DConditionModel::forward(const UNetInput& in) {
  check(in);
  const at::Tensor temb = embed_time(in);
  at::Tensor hidden = conv_in(config_.center_input_sample ? 2 * in.sample - 1.0 : in.sample);

  std::vector<at::Tensor> residuals{hidden};
  for (const auto& block : *down_blocks) {
    DownBlockOutput output = block(hidden, temb, in.encoder_hidden_states);
    hidden = std::move(output.hidden_states);
    residuals.insert(residuals.end(), output.residuals.begin(), output.residuals.end());
  }
  if (!in.down_block_additional_residuals.empty()) {
    const auto& additional = in.down_block_additional_residuals;
    if (additional.size() != residuals.size())
      throw ShapeError(
          std::to_string(additional.size()) + " residuals given, " + std::to_string(residuals.size()) + " needed",
          "down_block_additional_residuals");
    for (std::size_t i = 0; i < residuals.size(); ++i) {
      if (additional[i].sizes() != residuals[i].sizes())
        throw ShapeError("shape " + shape(additional[i]) + " given, " + shape(residuals[i]) + " needed",
                         "down_block_additional_residuals." + std::to_string(i));
      residuals[i] = residuals[i] + additional[i];
    }
  }

  if (mid_block) hidden = mid_block(hidden, temb, in.encoder_hidden_states);
  if (in.mid_block_additional_residual.defined()) hidden = hidden + in.mid_block_additional_residual;

  for (const auto& block : *up_blocks) {
    const auto first = residuals.end() - static_cast<std::ptrdiff_t>(block->layers());
    const std::vector<at::Tensor> consumed(first, residuals.end());
    residuals.erase(first, residuals.end());
    // Upsampling goes to the size of the skip connection it meets, which for odd sizes is not twice its own.
    std::vector<int64_t> size;
    if (!residuals.empty()) size = residuals.back().sizes().slice(2).vec();
    hidden = block(hidden, consumed, temb, in.encoder_hidden_states, size);
  }
  return conv_out(conv_act(conv_norm_out(hidden)));
}

std::vector<int64_t> level_size(int64_t height, int64_t width, int halvings) {
  for (int i = 0; i < halvings; ++i) {
    height = (height + 1) / 2;
    width = (width + 1) / 2;
  }
  return {height, width};
}

}  // namespace attnscope
