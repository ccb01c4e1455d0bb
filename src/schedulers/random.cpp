#include "schedulers/random.h"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>

namespace attnscope {

at::Generator cpu_generator(uint64_t seed) { return at::detail::createCPUGenerator(seed); }

at::Tensor randn_tensor(at::IntArrayRef sizes, const std::optional<at::Generator>& generator, at::ScalarType dtype,
                        at::Device device) {
  const at::Device drawn_on = generator ? generator->device() : device;
  return at::randn(sizes, generator, at::TensorOptions().dtype(dtype).device(drawn_on)).to(device);
}

}  // namespace attnscope
