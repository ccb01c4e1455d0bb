#include "nn/attention.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "base/cancel.h"
#include "base/error.h"

namespace attnscope::nn {
namespace {

// A 4-D input is flattened to tokens for the processor's work and restored afterwards; what precedes (group norm) and
// follows (residual, rescale) the attention itself is the same for every processor.
template <class Attend>
at::Tensor around(Attention& attn, const at::Tensor& input, const at::Tensor& encoder_hidden_states, Attend attend) {
  const bool spatial = input.dim() == 4;
  at::Tensor hidden = spatial ? input.flatten(2).transpose(1, 2) : input;
  if (attn.group_norm) hidden = attn.group_norm(hidden.transpose(1, 2)).transpose(1, 2);
  const at::Tensor& source = encoder_hidden_states.defined() ? encoder_hidden_states : hidden;
  at::Tensor output = attn.project_out(attn.merge_heads(attend(hidden, source)));
  if (spatial) output = output.transpose(-1, -2).reshape(input.sizes());
  if (attn.config().residual_connection) output = output + input;
  if (attn.config().rescale_output_factor != 1.0) output = output / attn.config().rescale_output_factor;
  return output;
}

std::shared_ptr<AttnProcessor> default_processor(bool cross) {
  static const auto explicit_one = std::make_shared<DefaultAttnProcessor>();
  static const auto fused_one = std::make_shared<FusedAttnProcessor>();
  return cross ? std::shared_ptr<AttnProcessor>(explicit_one) : fused_one;
}

}  // namespace

Attention::Attention(const AttentionConfig& config)
    : group_norm(*this, "group_norm"),
      to_q(*this, "to_q"),
      to_k(*this, "to_k"),
      to_v(*this, "to_v"),
      to_out(*this, "to_out", std::make_shared<ModuleList<UnaryModule>>()),
      processor(*this, "processor", default_processor(config.cross_attention_dim > 0)),
      config_(config) {
  const int64_t inner = config.heads * config.dim_head;
  const int64_t source = config.cross_attention_dim > 0 ? config.cross_attention_dim : config.query_dim;
  if (config.norm_num_groups > 0)
    group_norm.set(std::make_shared<GroupNorm>(config.norm_num_groups, config.query_dim, config.eps));
  to_q.set(std::make_shared<Linear>(config.query_dim, inner, config.bias));
  to_k.set(std::make_shared<Linear>(source, inner, config.bias));
  to_v.set(std::make_shared<Linear>(source, inner, config.bias));
  to_out->append(std::make_shared<Linear>(inner, config.query_dim));
  to_out->append(std::make_shared<Dropout>());
}

double Attention::scale() const { return 1.0 / std::sqrt(static_cast<double>(config_.dim_head)); }

bool Attention::lists_child(const SlotBase& slot) const {
  return &slot != &processor || !processor->named_parameters().empty();
}

at::Tensor Attention::split_heads(const at::Tensor& tensor) const {
  return tensor.view({tensor.size(0), tensor.size(1), config_.heads, config_.dim_head}).transpose(1, 2);
}

at::Tensor Attention::merge_heads(const at::Tensor& tensor) const {
  return tensor.transpose(1, 2).reshape({tensor.size(0), tensor.size(2), config_.heads * config_.dim_head});
}

at::Tensor Attention::probabilities(const at::Tensor& query, const at::Tensor& key,
                                    const at::Tensor& attention_mask) const {
  const auto dtype = query.scalar_type();
  const auto widen = [this](const at::Tensor& tensor) {
    return config_.upcast_attention ? tensor.to(at::kFloat) : tensor;
  };
  const at::Tensor q = widen(query).flatten(0, 1);
  const at::Tensor k = widen(key).flatten(0, 1).transpose(-1, -2);
  // The scale goes into the product, as in diffusers, which keeps the rounding the same and saves a pass.
  at::Tensor scores = at::baddbmm(at::empty({1}, q.options()), q, k, 0, scale());
  scores = scores.view({query.size(0), query.size(1), query.size(2), key.size(2)});
  if (attention_mask.defined()) scores = scores + attention_mask;
  if (config_.upcast_softmax) scores = scores.to(at::kFloat);
  return at::softmax(scores, -1).to(dtype);
}

at::Tensor Attention::project_out(const at::Tensor& hidden_states) const {
  at::Tensor hidden = hidden_states;
  for (const auto& layer : *to_out) hidden = layer(hidden);
  return hidden;
}

at::Tensor Attention::forward(const at::Tensor& hidden_states, const at::Tensor& encoder_hidden_states,
                              const at::Tensor& attention_mask) {
  throw_if_cancelled();
  ++calls_;
  return processor(*this, hidden_states, encoder_hidden_states, attention_mask);
}

at::Tensor DefaultAttnProcessor::forward(Attention& attn, const at::Tensor& hidden_states,
                                         const at::Tensor& encoder_hidden_states, const at::Tensor& attention_mask) {
  return around(attn, hidden_states, encoder_hidden_states, [&](const at::Tensor& hidden, const at::Tensor& source) {
    const at::Tensor query = attn.split_heads(attn.to_q(hidden));
    const at::Tensor key = attn.split_heads(attn.to_k(source));
    const at::Tensor value = attn.split_heads(attn.to_v(source));
    const at::Tensor probabilities = attn.probabilities(query, key, attention_mask);
    if (attn.tapped()) attn.tap(probabilities);
    return at::matmul(probabilities, value);
  });
}

at::Tensor FusedAttnProcessor::forward(Attention& attn, const at::Tensor& hidden_states,
                                       const at::Tensor& encoder_hidden_states, const at::Tensor& attention_mask) {
  return around(attn, hidden_states, encoder_hidden_states, [&](const at::Tensor& hidden, const at::Tensor& source) {
    const at::Tensor query = attn.split_heads(attn.to_q(hidden));
    const at::Tensor key = attn.split_heads(attn.to_k(source));
    const at::Tensor value = attn.split_heads(attn.to_v(source));
    if (attn.tapped()) attn.tap(attn.probabilities(query, key, attention_mask));
    std::optional<at::Tensor> mask;
    if (attention_mask.defined()) mask = attention_mask;
    return at::scaled_dot_product_attention(query, key, value, mask, 0.0, false, attn.scale());
  });
}

CaptureAttnProcessor::CaptureAttnProcessor(std::shared_ptr<AttnProcessor> inner, ProbabilityTap tap)
    : inner_(std::move(inner)), tap_(std::move(tap)) {}

at::Tensor CaptureAttnProcessor::forward(Attention& attn, const at::Tensor& hidden_states,
                                         const at::Tensor& encoder_hidden_states, const at::Tensor& attention_mask) {
  struct TapScope {
    Attention& attn;
    ProbabilityTap previous;
    ~TapScope() { attn.exchange_tap(std::move(previous)); }
  } scope{attn, attn.exchange_tap(tap_)};
  return (*inner_)(attn, hidden_states, encoder_hidden_states, attention_mask);
}

std::vector<std::pair<std::string, Attention*>> attention_layers(Module& root) {
  std::vector<std::pair<std::string, Attention*>> layers;
  for (auto& [path, module] : root.named_modules())
    if (auto* attention = dynamic_cast<Attention*>(module))
      layers.emplace_back(join_path(path, "processor"), attention);
  return layers;
}

AttnProcessors attn_processors(Module& root) {
  AttnProcessors processors;
  for (auto& [key, attention] : attention_layers(root)) processors.emplace_back(key, attention->processor.pointer());
  return processors;
}

void set_attn_processor(Module& root, const std::shared_ptr<AttnProcessor>& processor) {
  for (auto& [key, attention] : attention_layers(root)) attention->processor.set(processor);
}

void set_attn_processor(Module& root, const std::map<std::string, std::shared_ptr<AttnProcessor>>& processors) {
  const auto layers = attention_layers(root);
  std::vector<std::string> keys;
  for (const auto& [key, attention] : layers) keys.push_back(key);
  for (const auto& [key, processor] : processors) {
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
      const std::string near = nearest_name(key, keys);
      throw Error("no attention layer has this key", key, near.empty() ? "" : "Did you mean " + near + "?");
    }
    if (!processor) throw Error("no processor given", key);
  }
  for (const std::string& key : keys) {
    if (!processors.count(key)) {
      throw Error("a map of " + std::to_string(processors.size()) + " processors was given for " +
                      std::to_string(keys.size()) + " attention layers; this one is missing",
                  key);
    }
  }
  for (const auto& [key, attention] : layers) attention->processor.set(processors.at(key));
}

}  // namespace attnscope::nn
