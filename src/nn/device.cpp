#include "nn/device.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/detail/CUDAHooksInterface.h>

#include <limits>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "base/error.h"
#include "base/threads.h"

namespace attnscope::nn {

c10::Device parse_device(const std::string& text) {
  const int count = at::hasCUDA() ? static_cast<int>(at::detail::getCUDAHooks().deviceCount()) : 0;
  if (text == "cpu") return at::kCPU;
  if (text == "auto") return count > 0 ? c10::Device(at::kCUDA, 0) : c10::Device(at::kCPU);
  const bool numbered = text.rfind("cuda:", 0) == 0 && text.size() > 5 && text.size() < 9 &&
                        text.find_first_not_of("0123456789", 5) == std::string::npos;
  if (text != "cuda" && !numbered)
    throw ConfigError("\"" + text + "\" is no device", {.key = "model.device"}, "Use auto, cpu, cuda or cuda:N.");
  const int index = numbered ? std::stoi(text.substr(5)) : 0;
  if (index >= count) {
    throw ConfigError(text + " is not there: libtorch sees " + std::to_string(count) + " CUDA devices",
                      {.key = "model.device"},
                      count == 0 ? "Use device: cpu, or install a libtorch built for CUDA (./dev setup --torch=PATH)."
                                 : "Use a smaller number.");
  }
  return c10::Device(at::kCUDA, static_cast<c10::DeviceIndex>(index));
}

std::string device_name(const c10::Device& device) { return device.str(); }

c10::ScalarType parse_dtype(const std::string& text, const c10::Device& device) {
  if (text == "float32") return at::kFloat;
  if (text == "bfloat16") return at::kBFloat16;
  if (text != "float16")
    throw ConfigError("\"" + text + "\" is no dtype", {.key = "model.dtype"}, "Use float32, bfloat16 or float16.");
  if (device.is_cpu())
    throw ConfigError("float16 needs a GPU", {.key = "model.dtype"}, "Use float32 or bfloat16 on the CPU.");
  return at::kHalf;
}

std::string dtype_name(c10::ScalarType dtype) {
  switch (dtype) {
    case at::kFloat: return "float32";
    case at::kBFloat16: return "bfloat16";
    case at::kHalf: return "float16";
    default: return c10::toString(dtype);
  }
}

void set_compute_threads(int threads) { at::set_num_threads(threads > 0 ? threads : available_cores()); }

void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, std::numeric_limits<int>::max());
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
  mallopt(M_TOP_PAD, 64 << 20);
  mallopt(M_ARENA_MAX, 1);  // the arenas of other threads cannot hold large tensors
#endif
}

void give_back_freed_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

int compute_threads() { return at::get_num_threads(); }

}  // namespace attnscope::nn
