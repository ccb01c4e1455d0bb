#pragma once
#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>

namespace attnscope {

// torch.Generator("cpu").manual_seed(seed): the same seed draws the same numbers as there.
at::Generator cpu_generator(uint64_t seed);

// Normal noise as diffusers' randn_tensor makes it: drawn in `dtype` on the generator's device (on `device` with its
// default generator when there is none), then moved to `device`. A seed so gives the same noise on every device.
at::Tensor randn_tensor(at::IntArrayRef sizes, const std::optional<at::Generator>& generator, at::ScalarType dtype,
                        at::Device device);

}  // namespace attnscope
