#pragma once
#include <memory>

#include "nn/attention.h"

namespace attnscope::nn {

// GEGLU feed-forward: net.0.proj [8C, C], net.1 dropout, net.2 [C, 4C].
class FeedForward final : public UnaryModule {
 public:
  explicit FeedForward(int64_t channels);
  std::string_view class_name() const override { return "FeedForward"; }

  Slot<ModuleList<UnaryModule>> net;

 protected:
  at::Tensor forward(const at::Tensor& hidden_states) override;
};

// hidden_states and encoder_hidden_states [B, S, D] to hidden_states' shape.
class TransformerModule : public Callable<at::Tensor(const at::Tensor&, const at::Tensor&)> {
 public:
  static constexpr const char* kInterface = "a transformer over (hidden_states, encoder_hidden_states)";
};

struct TransformerConfig {
  int64_t channels = 0;
  int64_t heads = 0;
  int64_t cross_attention_dim = 0;
  int64_t layers = 1;
  int64_t norm_num_groups = 32;
  bool use_linear_projection = false;
  bool upcast_attention = false;
};

// Self-attention (attn1), cross-attention (attn2), feed-forward, each behind a LayerNorm and added to its input. [B, Q,
// C].
class BasicTransformerBlock final : public TransformerModule {
 public:
  explicit BasicTransformerBlock(const TransformerConfig& config);
  std::string_view class_name() const override { return "BasicTransformerBlock"; }

  Slot<UnaryModule> norm1;
  Slot<Attention> attn1;
  Slot<UnaryModule> norm2;
  Slot<Attention> attn2;
  Slot<UnaryModule> norm3, ff;

 protected:
  at::Tensor forward(const at::Tensor& hidden_states, const at::Tensor& encoder_hidden_states) override;
};

// Transformer blocks over an image: [B, C, H, W] to tokens and back, residual. The entry norm has eps 1e-6.
class Transformer2DModel final : public TransformerModule {
 public:
  explicit Transformer2DModel(const TransformerConfig& config);
  std::string_view class_name() const override { return "Transformer2DModel"; }

  Slot<UnaryModule> norm, proj_in;
  Slot<ModuleList<TransformerModule>> transformer_blocks;
  Slot<UnaryModule> proj_out;

 protected:
  at::Tensor forward(const at::Tensor& hidden_states, const at::Tensor& encoder_hidden_states) override;

 private:
  bool use_linear_projection_;
};

}  // namespace attnscope::nn
