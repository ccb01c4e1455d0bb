#pragma once
#include <ATen/core/Tensor.h>

#include <functional>

namespace attnscope {

// Overlapping square tiles of `size` input cells (a quarter of it is overlap), each mapped by `part` to tiles of
// `result_size` cells, whose overlaps are blended linearly. Equals diffusers' tiled_encode and tiled_decode.
struct TilePlan {
  int64_t size = 0;
  int64_t result_size = 0;
};

// input [B, C, H, W]; tiles at the right and lower edge are smaller.
at::Tensor map_tiles(const at::Tensor& input, const TilePlan& plan,
                     const std::function<at::Tensor(const at::Tensor&)>& part);

}  // namespace attnscope
