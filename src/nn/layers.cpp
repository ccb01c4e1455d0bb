#include "nn/layers.h"

#include <ATen/ATen.h>

#include "base/error.h"

namespace attnscope::nn {

Linear::Linear(int64_t in_features, int64_t out_features, bool has_bias)
    : weight(*this, "weight", {out_features, in_features}), bias(*this, "bias", {out_features}, has_bias) {}

at::Tensor Linear::forward(const at::Tensor& input) { return at::linear(input, weight, bias.tensor()); }

Conv2d::Conv2d(int64_t in_channels, int64_t out_channels, int64_t kernel, int64_t stride, int64_t padding, bool has_bias)
    : weight(*this, "weight", {out_channels, in_channels, kernel, kernel}),
      bias(*this, "bias", {out_channels}, has_bias),
      stride_(stride),
      padding_(padding) {}

at::Tensor Conv2d::forward(const at::Tensor& input) {
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
