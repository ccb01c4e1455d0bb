#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "nn/layers.h"

namespace attnscope::nn {

class Attention;

// Called with the probabilities an attention layer uses: [B, heads, Q, S], rows sum to 1, before any edit.
using ProbabilityTap = std::function<void(const Attention&, const at::Tensor& probabilities)>;

// How an Attention computes its output from its projections. Processors hold no layer state, so one may serve many
// layers. A processor whose layer is tapped() reports its probabilities and must return the same bits as without.
class AttnProcessor : public Callable<at::Tensor(Attention&, const at::Tensor&, const at::Tensor&, const at::Tensor&)> {
 public:
  static constexpr const char* kInterface = "an attention processor";

 protected:
  // hidden_states [B, Q, C] or [B, C, H, W]; encoder_hidden_states [B, S, D] or undefined (self-attention);
  // attention_mask undefined or additive, broadcastable to [B, heads, Q, S].
  at::Tensor forward(Attention& attn, const at::Tensor& hidden_states, const at::Tensor& encoder_hidden_states,
                     const at::Tensor& attention_mask) override = 0;
};

struct AttentionConfig {
  int64_t query_dim = 0;
  int64_t cross_attention_dim = 0;  // 0: self-attention
  int64_t heads = 8;
  int64_t dim_head = 64;
  bool bias = false;  // of to_q, to_k, to_v
  bool upcast_attention = false;
  bool upcast_softmax = false;
  int64_t norm_num_groups = 0;  // 0: no group norm
  double eps = 1e-5;
  bool residual_connection = false;
  double rescale_output_factor = 1.0;
};

// diffusers' Attention: to_q, to_k, to_v, to_out.0, to_out.1 and a replaceable `processor`.
class Attention final : public Callable<at::Tensor(const at::Tensor&, const at::Tensor&, const at::Tensor&)> {
 public:
  static constexpr const char* kInterface = "an Attention";
  explicit Attention(const AttentionConfig& config);
  std::string_view class_name() const override { return "Attention"; }
  const AttentionConfig& config() const { return config_; }
  bool is_cross_attention() const { return config_.cross_attention_dim > 0; }
  double scale() const;  // dim_head^-0.5

  Slot<UnaryModule> group_norm;
  Slot<UnaryModule> to_q, to_k, to_v;
  Slot<ModuleList<UnaryModule>> to_out;
  Slot<AttnProcessor> processor;

  // The parts a processor is made of.
  // [B, S, heads*dim_head] to [B, heads, S, dim_head] and back.
  at::Tensor split_heads(const at::Tensor& tensor) const;
  at::Tensor merge_heads(const at::Tensor& tensor) const;
  // softmax(scale q kᵀ + mask): q [B, heads, Q, d], k [B, heads, S, d] to [B, heads, Q, S] in q's dtype.
  at::Tensor probabilities(const at::Tensor& query, const at::Tensor& key, const at::Tensor& attention_mask) const;
  at::Tensor project_out(const at::Tensor& hidden_states) const;  // to_out.0, then to_out.1

  // Forward calls since construction.
  int64_t calls() const { return calls_; }

  bool tapped() const { return static_cast<bool>(tap_); }
  void tap(const at::Tensor& probabilities) const { tap_(*this, probabilities); }
  // Returns the previous tap.
  ProbabilityTap exchange_tap(ProbabilityTap tap) { return std::exchange(tap_, std::move(tap)); }

 protected:
  // Same arguments as AttnProcessor. A cancellation point.
  at::Tensor forward(const at::Tensor& hidden_states, const at::Tensor& encoder_hidden_states,
                     const at::Tensor& attention_mask) override;
  bool lists_child(const SlotBase& slot) const override;

 private:
  AttentionConfig config_;
  ProbabilityTap tap_;
  int64_t calls_ = 0;
};

// Explicit probabilities: softmax(scale q kᵀ + mask) v (diffusers' AttnProcessor). Default for cross-attention, where
// 77 keys make it as fast as the fused kernel and capture then costs nothing.
class DefaultAttnProcessor final : public AttnProcessor {
 public:
  std::string_view class_name() const override { return "AttnProcessor"; }

 protected:
  at::Tensor forward(Attention& attn, const at::Tensor& hidden_states, const at::Tensor& encoder_hidden_states,
                     const at::Tensor& attention_mask) override;
};

// scaled_dot_product_attention (diffusers' AttnProcessor2_0). Default for self-attention. When tapped, the
// probabilities are computed beside it, the output stays the kernel's.
class FusedAttnProcessor final : public AttnProcessor {
 public:
  std::string_view class_name() const override { return "AttnProcessor2_0"; }

 protected:
  at::Tensor forward(Attention& attn, const at::Tensor& hidden_states, const at::Tensor& encoder_hidden_states,
                     const at::Tensor& attention_mask) override;
};

// Passes the probabilities of the processor it wraps to a tap, and changes nothing.
class CaptureAttnProcessor final : public AttnProcessor {
 public:
  CaptureAttnProcessor(std::shared_ptr<AttnProcessor> inner, ProbabilityTap tap);
  std::string_view class_name() const override { return "CaptureAttnProcessor"; }
  const std::shared_ptr<AttnProcessor>& inner() const { return inner_; }

 protected:
  at::Tensor forward(Attention& attn, const at::Tensor& hidden_states, const at::Tensor& encoder_hidden_states,
                     const at::Tensor& attention_mask) override;

 private:
  std::shared_ptr<AttnProcessor> inner_;
  ProbabilityTap tap_;
};

// Processors of every Attention below `root` by diffusers' key "<module path>.processor", in diffusers' order.
using AttnProcessors = std::vector<std::pair<std::string, std::shared_ptr<AttnProcessor>>>;
AttnProcessors attn_processors(Module& root);
// The same walk with the layers themselves.
std::vector<std::pair<std::string, Attention*>> attention_layers(Module& root);

// One processor for every layer.
void set_attn_processor(Module& root, const std::shared_ptr<AttnProcessor>& processor);
// A processor for each layer. As in diffusers the map must name every layer; unlike there all keys are checked before
// anything changes. Throws Error naming the missing or unknown key.
void set_attn_processor(Module& root, const std::map<std::string, std::shared_ptr<AttnProcessor>>& processors);

}  // namespace attnscope::nn
