#include "pipelines/images.h"

#include <ATen/ATen.h>

#include <cstring>

#include "base/error.h"

namespace attnscope {

at::Tensor images_to_tensor(const std::vector<Image>& images) {
  if (images.empty()) throw Error("no pictures");
  const int64_t count = static_cast<int64_t>(images.size());
  at::Tensor bytes = at::empty({count, images[0].height, images[0].width, 3}, at::kByte);
  for (int64_t i = 0; i < count; ++i) {
    const Image& image = images[static_cast<std::size_t>(i)];
    if (image.width != images[0].width || image.height != images[0].height)
      throw ShapeError("pictures of different sizes", "frame " + std::to_string(i));
    std::memcpy(bytes[i].data_ptr<uint8_t>(), image.rgb.data(), image.rgb.size());
  }
  return bytes.permute({0, 3, 1, 2}).to(at::kFloat).div(255.0).mul(2.0).sub(1.0).contiguous();
}

std::vector<Image> tensor_to_images(const at::Tensor& tensor) {
  const at::Tensor bytes = (tensor.detach().to(at::kCPU, at::kFloat) / 2 + 0.5)
                               .clamp(0, 1)
                               .mul(255.0)
                               .round()
                               .to(at::kByte)
                               .permute({0, 2, 3, 1})
                               .contiguous();
  std::vector<Image> images;
  for (int64_t i = 0; i < bytes.size(0); ++i) {
    const uint8_t* data = bytes[i].data_ptr<uint8_t>();
    images.push_back({static_cast<int>(bytes.size(2)), static_cast<int>(bytes.size(1)),
                      std::vector<uint8_t>(data, data + bytes[i].numel())});
  }
  return images;
}

}  // namespace attnscope
