#include "nn/layers.h"

#include <ATen/ATen.h>

#include "base/error.h"
#include "nn/winograd.h"

namespace attnscope::nn {

Linear::Linear(int64_t in_features, int64_t out_features, bool has_bias)
    : weight(*this, "weight", {out_features, in_features}), bias(*this, "bias", {out_features}, has_bias) {}

at::Tensor Linear::forward(const at::Tensor& input) { return at::linear(input, weight, bias.tensor()); }

Conv2d::Conv2d(int64_t in_channels, int64_t out_channels, int64_t kernel, int64_t stride, int64_t padding,
               bool has_bias)
    : weight(*this, "weight", {out_channels, in_channels, kernel, kernel}),
      bias(*this, "bias", {out_channels}, has_bias),
      stride_(stride),
      padding_(padding) {}

bool Conv2d::suits_winograd(const at::Tensor& input) const {
  constexpr int64_t kMinChannels = 128,
                    kMinMultiplications = 1 << 23;  // a picture's; measured: below, direct is faster
  const at::Tensor& w = weight;
  return w.size(2) == 3 && w.size(3) == 3 && stride_ == 1 && padding_ == 1 && input.device().is_cpu() &&
         input.scalar_type() == at::kFloat && w.scalar_type() == at::kFloat && w.size(0) >= kMinChannels &&
         w.size(1) >= kMinChannels && w.size(0) * w.size(1) * input.size(2) * input.size(3) >= kMinMultiplications &&
         TensorCache::can_hold(w) && !wants_gradient({input, w, bias});
}

at::Tensor Conv2d::forward(const at::Tensor& input) {
  if (input.dim() == 4 && input.size(1) == weight.sizes()[1] && suits_winograd(input))
    return winograd_conv2d(input.contiguous(), winograd_.of({weight}, [this] { return winograd_weight(weight); }),
                           bias);
  winograd_.clear();
  return at::conv2d(input, weight, bias.tensor(), stride_, padding_);
}

GroupNorm::GroupNorm(int64_t groups, int64_t channels, double eps)
    : weight(*this, "weight", {channels}), bias(*this, "bias", {channels}), groups_(groups), eps_(eps) {
  if (groups < 1 || channels % groups != 0) {
    throw Error(std::to_string(channels) + " channels cannot be split into " + std::to_string(groups) + " groups",
                "norm_num_groups");
  }
}

at::Tensor GroupNorm::forward(const at::Tensor& input) {
  return at::group_norm(input, groups_, weight.tensor(), bias.tensor(), eps_);
}

LayerNorm::LayerNorm(int64_t features, double eps)
    : weight(*this, "weight", {features}), bias(*this, "bias", {features}), eps_(eps) {}

at::Tensor LayerNorm::forward(const at::Tensor& input) {
  return at::layer_norm(input, weight.sizes(), weight.tensor(), bias.tensor(), eps_);
}

Embedding::Embedding(int64_t count, int64_t features) : weight(*this, "weight", {count, features}) {}

at::Tensor Embedding::forward(const at::Tensor& indices) { return at::embedding(weight, indices); }

namespace {

struct KnownActivation {
  const char* name;
  const char* class_name;
  at::Tensor (*apply)(const at::Tensor&);
};

const KnownActivation& find_activation(const std::string& act_fn) {
  static const KnownActivation known[] = {
      {"silu", "SiLU", [](const at::Tensor& x) { return at::silu(x); }},
      {"swish", "SiLU", [](const at::Tensor& x) { return at::silu(x); }},
      {"gelu", "GELU", [](const at::Tensor& x) { return at::gelu(x); }},
      {"quick_gelu", "QuickGELUActivation", [](const at::Tensor& x) { return x * at::sigmoid(1.702 * x); }},
      {"relu", "ReLU", [](const at::Tensor& x) { return at::relu(x); }},
      {"mish", "Mish", [](const at::Tensor& x) { return at::mish(x); }},
  };
  for (const auto& activation : known)
    if (act_fn == activation.name) return activation;
  throw Error("activation \"" + act_fn + "\" is not supported", "act_fn",
              "Known: silu, swish, gelu, quick_gelu, relu, mish.");
}

}  // namespace

at::Tensor activate(const std::string& act_fn, const at::Tensor& input) { return find_activation(act_fn).apply(input); }

Activation::Activation(std::string act_fn) : act_fn_(std::move(act_fn)) { find_activation(act_fn_); }

std::string_view Activation::class_name() const { return find_activation(act_fn_).class_name; }

}  // namespace attnscope::nn
