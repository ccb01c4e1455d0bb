#pragma once
#include <memory>
#include <string>
#include <vector>

#include "models/clip_text_config.h"
#include "nn/layers.h"

namespace attnscope {

// Token plus position rows: input_ids [B, S] to [B, S, hidden_size].
class CLIPTextEmbeddings final : public nn::UnaryModule {
 public:
  explicit CLIPTextEmbeddings(const ClipTextConfig& config);
  std::string_view class_name() const override { return "CLIPTextEmbeddings"; }
  nn::Slot<nn::UnaryModule> token_embedding, position_embedding;

 protected:
  // Throws ShapeError for more tokens than positions, Error for an id the vocabulary does not have.
  at::Tensor forward(const at::Tensor& input_ids) override;

 private:
  int64_t vocab_size_, max_positions_;
};

// hidden_states [B, S, C] and attention_mask (undefined: causal; else additive, [B, 1, S, S]) to [B, S, C].
class CLIPMaskedModule : public nn::Callable<at::Tensor(const at::Tensor&, const at::Tensor&)> {
 public:
  static constexpr const char* kInterface = "a module over (hidden_states, attention_mask)";
};

// Multi-head self-attention. A cancellation point.
class CLIPAttention final : public CLIPMaskedModule {
 public:
  explicit CLIPAttention(const ClipTextConfig& config);
  std::string_view class_name() const override { return "CLIPAttention"; }
  nn::Slot<nn::UnaryModule> k_proj, v_proj, q_proj, out_proj;

 protected:
  at::Tensor forward(const at::Tensor& hidden_states, const at::Tensor& attention_mask) override;

 private:
  int64_t heads_;
};

class CLIPMLP final : public nn::UnaryModule {
 public:
  explicit CLIPMLP(const ClipTextConfig& config);
  std::string_view class_name() const override { return "CLIPMLP"; }
  nn::Slot<nn::UnaryModule> activation_fn, fc1, fc2;

 protected:
  at::Tensor forward(const at::Tensor& hidden_states) override;
};

class CLIPEncoderLayer final : public CLIPMaskedModule {
 public:
  explicit CLIPEncoderLayer(const ClipTextConfig& config);
  std::string_view class_name() const override { return "CLIPEncoderLayer"; }
  nn::Slot<CLIPMaskedModule> self_attn;
  nn::Slot<nn::UnaryModule> layer_norm1, mlp, layer_norm2;

 protected:
  at::Tensor forward(const at::Tensor& hidden_states, const at::Tensor& attention_mask) override;
};

// Returns the input and the output of every layer: num_hidden_layers + 1 tensors.
class CLIPEncoder final : public nn::Callable<std::vector<at::Tensor>(const at::Tensor&, const at::Tensor&)> {
 public:
  static constexpr const char* kInterface = "a CLIPEncoder";
  explicit CLIPEncoder(const ClipTextConfig& config);
  std::string_view class_name() const override { return "CLIPEncoder"; }
  nn::Slot<nn::ModuleList<CLIPMaskedModule>> layers;

 protected:
  std::vector<at::Tensor> forward(const at::Tensor& hidden_states, const at::Tensor& attention_mask) override;
};

}  // namespace attnscope
