#include "models/vae_tiling.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <vector>

namespace attnscope {
namespace {

constexpr double kOverlap = 0.25;

// `tile` with its first `extent` rows (dim 2) or columns (dim 3) faded in from the end of the tile before it.
at::Tensor blend(const at::Tensor& before, const at::Tensor& tile, int64_t dim, int64_t extent) {
  extent = std::min({extent, before.size(dim), tile.size(dim)});
  if (extent <= 0) return tile;
  std::vector<int64_t> shape{1, 1, 1, 1};
  shape[dim] = extent;
  const at::Tensor weight = (at::arange(extent, tile.options()) / static_cast<double>(extent)).view(shape);
  const at::Tensor faded =
      before.narrow(dim, before.size(dim) - extent, extent) * (1 - weight) + tile.narrow(dim, 0, extent) * weight;
  return at::cat({faded, tile.narrow(dim, extent, tile.size(dim) - extent)}, dim);
}

at::Tensor cropped(const at::Tensor& tile, int64_t limit) {
  return tile.narrow(2, 0, std::min(limit, tile.size(2))).narrow(3, 0, std::min(limit, tile.size(3)));
}

}  // namespace

at::Tensor map_tiles(const at::Tensor& input, const TilePlan& plan,
                     const std::function<at::Tensor(const at::Tensor&)>& part) {
  const auto step = static_cast<int64_t>(static_cast<double>(plan.size) * (1 - kOverlap));
  const auto extent = static_cast<int64_t>(static_cast<double>(plan.result_size) * kOverlap);
  const int64_t limit = plan.result_size - extent;
  std::vector<at::Tensor> above, rows;
  for (int64_t y = 0; y < input.size(2); y += step) {
    std::vector<at::Tensor> row, kept;
    for (int64_t x = 0; x < input.size(3); x += step) {
      at::Tensor tile = part(input.narrow(2, y, std::min(plan.size, input.size(2) - y))
                                 .narrow(3, x, std::min(plan.size, input.size(3) - x)));
      if (!above.empty()) tile = blend(above[row.size()], tile, 2, extent);
      if (!row.empty()) tile = blend(row.back(), tile, 3, extent);
      row.push_back(tile);
      kept.push_back(cropped(tile, limit));
    }
    rows.push_back(at::cat(kept, 3));
    above = std::move(row);
  }
  return at::cat(rows, 2);
}

}  // namespace attnscope
