#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace attnscope::nn {

// One tensor that is made of others, kept until one of those is replaced or written to.
class TensorCache {
 public:
  // Tensors made in inference mode do not count their writes, so nothing can be kept for them.
  static bool can_hold(const at::Tensor& source) { return !source.is_inference(); }

  const at::Tensor& of(const std::vector<at::Tensor>& sources, const std::function<at::Tensor()>& make);
  void clear();

 private:
  std::vector<std::pair<at::Tensor, int64_t>> sources_;  // with their version
  at::Tensor result_;
};

// Whether a result computed from these has to be differentiable.
bool wants_gradient(std::initializer_list<at::Tensor> tensors);

}  // namespace attnscope::nn
