#pragma once
#include <string>

#include "nn/callable.h"
#include "nn/tensor_cache.h"

namespace attnscope::nn {

// y = x Wᵀ + b over the last axis. weight [out, in], bias [out].
class Linear final : public UnaryModule {
 public:
  Linear(int64_t in_features, int64_t out_features, bool bias = true);
  std::string_view class_name() const override { return "Linear"; }
  Parameter weight, bias;

 protected:
  at::Tensor forward(const at::Tensor& input) override;
};

// 2-D convolution, NCHW. weight [out, in, k, k], bias [out]. Large 3x3 ones are computed by Winograd's algorithm where
// that is faster (float32 on the CPU, no gradients); the weights for it are made at the first call.
class Conv2d final : public UnaryModule {
 public:
  Conv2d(int64_t in_channels, int64_t out_channels, int64_t kernel, int64_t stride = 1, int64_t padding = 0,
         bool bias = true);
  std::string_view class_name() const override { return "Conv2d"; }
  int64_t stride() const { return stride_; }
  int64_t padding() const { return padding_; }
  Parameter weight, bias;

 protected:
  at::Tensor forward(const at::Tensor& input) override;

 private:
  bool suits_winograd(const at::Tensor& input) const;

  int64_t stride_, padding_;
  TensorCache winograd_;
};

// Over [N, C, ...]; weight and bias [C].
class GroupNorm final : public UnaryModule {
 public:
  GroupNorm(int64_t groups, int64_t channels, double eps);
  std::string_view class_name() const override { return "GroupNorm"; }
  Parameter weight, bias;

 protected:
  at::Tensor forward(const at::Tensor& input) override;

 private:
  int64_t groups_;
  double eps_;
};

// Over the last axis; weight and bias [features].
class LayerNorm final : public UnaryModule {
 public:
  explicit LayerNorm(int64_t features, double eps = 1e-5);
  std::string_view class_name() const override { return "LayerNorm"; }
  Parameter weight, bias;

 protected:
  at::Tensor forward(const at::Tensor& input) override;

 private:
  double eps_;
};

// Row lookup: int64 indices of any shape to [..., features]. weight [count, features].
class Embedding final : public UnaryModule {
 public:
  Embedding(int64_t count, int64_t features);
  std::string_view class_name() const override { return "Embedding"; }
  Parameter weight;

 protected:
  at::Tensor forward(const at::Tensor& indices) override;
};

// An element-wise function by the name configs use: silu (or swish), gelu, quick_gelu, relu, mish.
// Throws Error naming `act_fn` for any other.
at::Tensor activate(const std::string& act_fn, const at::Tensor& input);

class Activation final : public UnaryModule {
 public:
  explicit Activation(std::string act_fn);
  std::string_view class_name() const override;

 protected:
  at::Tensor forward(const at::Tensor& input) override { return activate(act_fn_, input); }

 private:
  std::string act_fn_;
};

// Dropout as inference sees it: the identity. Kept because it has a path (to_out.1).
class Dropout final : public UnaryModule {
 public:
  std::string_view class_name() const override { return "Dropout"; }

 protected:
  at::Tensor forward(const at::Tensor& input) override { return input; }
};

}  // namespace attnscope::nn
