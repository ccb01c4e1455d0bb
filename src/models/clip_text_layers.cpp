#include "models/clip_text_layers.h"

#include <ATen/ATen.h>

#include "base/cancel.h"
#include "base/error.h"

namespace attnscope {
namespace {

class Activation final : public nn::UnaryModule {
 public:
  explicit Activation(std::string act_fn) : act_fn_(std::move(act_fn)) {}
  std::string_view class_name() const override {
    if (act_fn_ == "quick_gelu") return "QuickGELUActivation";
    if (act_fn_ == "gelu") return "GELUActivation";
    if (act_fn_ == "silu") return "SiLUActivation";
    if (act_fn_ == "mish") return "MishActivation";
    return act_fn_ == "relu" ? "ReLU" : "SiLU";
  }

 protected:
  at::Tensor forward(const at::Tensor& input) override { return nn::activate(act_fn_, input); }

 private:
  std::string act_fn_;
};

}  // namespace

CLIPTextEmbeddings::CLIPTextEmbeddings(const ClipTextConfig& config)
    : token_embedding(*this, "token_embedding", std::make_shared<nn::Embedding>(config.vocab_size, config.hidden_size)),
      position_embedding(*this, "position_embedding",
                         std::make_shared<nn::Embedding>(config.max_position_embeddings, config.hidden_size)),
      vocab_size_(config.vocab_size),
      max_positions_(config.max_position_embeddings) {}

at::Tensor CLIPTextEmbeddings::forward(const at::Tensor& input_ids) {
  const int64_t length = input_ids.size(-1);
  if (length > max_positions_) {
    throw ShapeError("a prompt of " + std::to_string(length) + " tokens was given to a text encoder for " +
                         std::to_string(max_positions_),
                     "input_ids", "Truncate the prompt to that length.");
  }
  const int64_t low = input_ids.min().item<int64_t>(), high = input_ids.max().item<int64_t>();
  if (low < 0 || high >= vocab_size_) {
    throw Error("token id " + std::to_string(low < 0 ? low : high) + " is not one of the text encoder's " +
                    std::to_string(vocab_size_),
                "input_ids", "Tokenizer and text encoder must come from the same model.");
  }
  const at::Tensor positions = at::arange(length, input_ids.options().dtype(at::kLong)).unsqueeze(0);
  return token_embedding(input_ids) + position_embedding(positions);
}

CLIPAttention::CLIPAttention(const ClipTextConfig& config)
    : k_proj(*this, "k_proj", std::make_shared<nn::Linear>(config.hidden_size, config.hidden_size)),
      v_proj(*this, "v_proj", std::make_shared<nn::Linear>(config.hidden_size, config.hidden_size)),
      q_proj(*this, "q_proj", std::make_shared<nn::Linear>(config.hidden_size, config.hidden_size)),
      out_proj(*this, "out_proj", std::make_shared<nn::Linear>(config.hidden_size, config.hidden_size)),
      heads_(config.num_attention_heads) {}

at::Tensor CLIPAttention::forward(const at::Tensor& hidden_states, const at::Tensor& attention_mask) {
  throw_if_cancelled();
  const auto split = [&](const at::Tensor& tensor) {
    return tensor.unflatten(-1, {heads_, tensor.size(-1) / heads_}).transpose(1, 2);
  };
  const at::Tensor query = split(q_proj(hidden_states));
  const at::Tensor key = split(k_proj(hidden_states));
  const at::Tensor value = split(v_proj(hidden_states));
  std::optional<at::Tensor> mask;
  if (attention_mask.defined()) mask = attention_mask;
  const at::Tensor output = at::scaled_dot_product_attention(query, key, value, mask, 0.0, /*is_causal=*/!mask);
  return out_proj(output.transpose(1, 2).flatten(2));
}

CLIPMLP::CLIPMLP(const ClipTextConfig& config)
    : activation_fn(*this, "activation_fn", std::make_shared<Activation>(config.hidden_act)),
      fc1(*this, "fc1", std::make_shared<nn::Linear>(config.hidden_size, config.intermediate_size)),
      fc2(*this, "fc2", std::make_shared<nn::Linear>(config.intermediate_size, config.hidden_size)) {}

at::Tensor CLIPMLP::forward(const at::Tensor& hidden_states) { return fc2(activation_fn(fc1(hidden_states))); }

CLIPEncoderLayer::CLIPEncoderLayer(const ClipTextConfig& config)
    : self_attn(*this, "self_attn", std::make_shared<CLIPAttention>(config)),
      layer_norm1(*this, "layer_norm1", std::make_shared<nn::LayerNorm>(config.hidden_size, config.layer_norm_eps)),
      mlp(*this, "mlp", std::make_shared<CLIPMLP>(config)),
      layer_norm2(*this, "layer_norm2", std::make_shared<nn::LayerNorm>(config.hidden_size, config.layer_norm_eps)) {}

at::Tensor CLIPEncoderLayer::forward(const at::Tensor& hidden_states, const at::Tensor& attention_mask) {
  const at::Tensor attended = hidden_states + self_attn(layer_norm1(hidden_states), attention_mask);
  return attended + mlp(layer_norm2(attended));
}

CLIPEncoder::CLIPEncoder(const ClipTextConfig& config)
    : layers(*this, "layers", std::make_shared<nn::ModuleList<CLIPMaskedModule>>()) {
  for (int64_t i = 0; i < config.num_hidden_layers; ++i) layers->append(std::make_shared<CLIPEncoderLayer>(config));
}

std::vector<at::Tensor> CLIPEncoder::forward(const at::Tensor& hidden_states, const at::Tensor& attention_mask) {
  std::vector<at::Tensor> states{hidden_states};
  for (const auto& layer : *layers) states.push_back(layer(states.back(), attention_mask));
  return states;
}

}  // namespace attnscope
