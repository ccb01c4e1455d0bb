#pragma once
#include <ATen/core/Tensor.h>

#include <vector>

#include "base/image.h"

namespace attnscope {

// Pictures of one size to [F, 3, H, W] fp32 in -1..1 on the CPU.
at::Tensor images_to_tensor(const std::vector<Image>& images);

// [F, 3, H, W] in -1..1 (clamped) to pictures, rounded as diffusers' VaeImageProcessor.
std::vector<Image> tensor_to_images(const at::Tensor& tensor);

}  // namespace attnscope
