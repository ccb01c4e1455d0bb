#pragma once
#include <ATen/core/Tensor.h>

#include "base/image.h"
#include "loaders/diffusers_folder.h"

namespace attnscope {

// Pictures of latents without the decoder: a linear map from a latent cell to RGB, fitted once by least squares to what
// the decoder makes of one frame.
class LatentPreview {
 public:
  explicit LatentPreview(StableDiffusion& model) : model_(model) {}

  // latents [1, 4, h, w] to a picture of h x w pixels. The first call decodes the frame once.
  Image picture(const at::Tensor& latents);

 private:
  StableDiffusion& model_;
  at::Tensor map_;  // [5, 3]: four channels and a constant
};

}  // namespace attnscope
