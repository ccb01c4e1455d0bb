#include "pipelines/latent_preview.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include "pipelines/denoise.h"
#include "pipelines/images.h"

namespace attnscope {
namespace {

// [1, C, h, w] to [h·w, C + 1] with a column of ones.
at::Tensor cells(const at::Tensor& latents) {
  const at::Tensor rows = latents.squeeze(0).flatten(1).transpose(0, 1);
  return at::cat({rows, at::ones({rows.size(0), 1}, rows.options())}, 1);
}

}  // namespace

Image LatentPreview::picture(const at::Tensor& latents) {
  const c10::NoGradGuard no_grad;
  const at::Tensor cpu = latents.to(at::kCPU, at::kFloat);
  const int64_t height = cpu.size(2), width = cpu.size(3);
  const at::Tensor rows = cells(cpu);
  if (!map_.defined()) {
    const at::Tensor target = at::adaptive_avg_pool2d(decode_latents(model_, latents), {height, width});
    const at::Tensor pixels = target.squeeze(0).flatten(1).transpose(0, 1);
    // Ridge term: the first latents are noise, where the fit must not chase single cells.
    const at::Tensor normal = rows.t().matmul(rows) + 1e-3 * at::eye(rows.size(1)) * static_cast<double>(rows.size(0));
    map_ = at::linalg_solve(normal, rows.t().matmul(pixels));
  }
  const at::Tensor rgb = rows.matmul(map_).transpose(0, 1).reshape({1, 3, height, width});
  return tensor_to_images(rgb)[0];
}

}  // namespace attnscope
