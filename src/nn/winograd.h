#pragma once
#include <ATen/core/Tensor.h>

namespace attnscope::nn {

// 3x3 convolution, stride 1, padding 1, with 2.25 times fewer multiplications: Winograd's F(2x2, 3x3),
// arXiv:1509.09308. Float32 on the CPU; rounding differs from at::conv2d by less than 1e-6 of the largest value. Not
// differentiable.

// weight [K, C, 3, 3] to the 16 matrices [16, K, C] that winograd_conv2d takes.
at::Tensor winograd_weight(const at::Tensor& weight);

// input [N, C, H, W] contiguous, bias [K] or undefined, to [N, K, H, W].
at::Tensor winograd_conv2d(const at::Tensor& input, const at::Tensor& winograd_weight, const at::Tensor& bias);

}  // namespace attnscope::nn
