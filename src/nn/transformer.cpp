#include "nn/transformer.h"

#include <ATen/ATen.h>

namespace attnscope::nn {
namespace {

class GEGLU final : public UnaryModule {
 public:
  GEGLU(int64_t in_features, int64_t out_features)
      : proj(*this, "proj", std::make_shared<Linear>(in_features, out_features * 2)) {}
  std::string_view class_name() const override { return "GEGLU"; }

  Slot<UnaryModule> proj;

 protected:
  at::Tensor forward(const at::Tensor& hidden_states) override {
    const auto halves = proj(hidden_states).chunk(2, -1);
    at::Tensor gate = at::gelu(halves[1]);
    return wants_gradient({gate}) ? gate * halves[0]
                                  : gate.mul_(halves[0]);  // in place saves the largest tensor of all
  }
};

std::shared_ptr<Attention> make_attention(const TransformerConfig& config, int64_t cross_attention_dim) {
  AttentionConfig attention;
  attention.query_dim = config.channels;
  attention.cross_attention_dim = cross_attention_dim;
  attention.heads = config.heads;
  attention.dim_head = config.channels / config.heads;
  attention.upcast_attention = config.upcast_attention;
  return std::make_shared<Attention>(attention);
}

std::shared_ptr<UnaryModule> make_projection(const TransformerConfig& config) {
  if (config.use_linear_projection) return std::make_shared<Linear>(config.channels, config.channels);
  return std::make_shared<Conv2d>(config.channels, config.channels, 1);
}

}  // namespace

FeedForward::FeedForward(int64_t channels) : net(*this, "net", std::make_shared<ModuleList<UnaryModule>>()) {
  net->append(std::make_shared<GEGLU>(channels, channels * 4));
  net->append(std::make_shared<Dropout>());
  net->append(std::make_shared<Linear>(channels * 4, channels));
}

at::Tensor FeedForward::forward(const at::Tensor& hidden_states) {
  at::Tensor hidden = hidden_states;
  for (const auto& layer : *net) hidden = layer(hidden);
  return hidden;
}

BasicTransformerBlock::BasicTransformerBlock(const TransformerConfig& config)
    : norm1(*this, "norm1", std::make_shared<LayerNorm>(config.channels)),
      attn1(*this, "attn1", make_attention(config, 0)),
      norm2(*this, "norm2", std::make_shared<LayerNorm>(config.channels)),
      attn2(*this, "attn2", make_attention(config, config.cross_attention_dim)),
      norm3(*this, "norm3", std::make_shared<LayerNorm>(config.channels)),
      ff(*this, "ff", std::make_shared<FeedForward>(config.channels)) {}

at::Tensor BasicTransformerBlock::forward(const at::Tensor& input, const at::Tensor& encoder_hidden_states) {
  static const at::Tensor none;
  at::Tensor hidden = attn1(norm1(input), none, none) + input;
  hidden = attn2(norm2(hidden), encoder_hidden_states, none) + hidden;
  return ff(norm3(hidden)) + hidden;
}

Transformer2DModel::Transformer2DModel(const TransformerConfig& config)
    : norm(*this, "norm", std::make_shared<GroupNorm>(config.norm_num_groups, config.channels, 1e-6)),
      proj_in(*this, "proj_in", make_projection(config)),
      transformer_blocks(*this, "transformer_blocks", std::make_shared<ModuleList<TransformerModule>>()),
      proj_out(*this, "proj_out", make_projection(config)),
      use_linear_projection_(config.use_linear_projection) {
  for (int64_t i = 0; i < config.layers; ++i)
    transformer_blocks->append(std::make_shared<BasicTransformerBlock>(config));
}

at::Tensor Transformer2DModel::forward(const at::Tensor& input, const at::Tensor& encoder_hidden_states) {
  const auto to_tokens = [](const at::Tensor& image) { return image.flatten(2).transpose(1, 2); };
  const auto to_image = [&](const at::Tensor& tokens) {
    return tokens.transpose(1, 2).reshape({input.size(0), tokens.size(2), input.size(2), input.size(3)});
  };
  at::Tensor hidden = norm(input);
  hidden = use_linear_projection_ ? proj_in(to_tokens(hidden)) : to_tokens(proj_in(hidden));
  for (const auto& block : *transformer_blocks) hidden = block(hidden, encoder_hidden_states);
  hidden = use_linear_projection_ ? to_image(proj_out(hidden)) : proj_out(to_image(hidden));
  return hidden + input;
}

}  // namespace attnscope::nn
