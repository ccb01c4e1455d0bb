#pragma once
#include <c10/core/Device.h>
#include <c10/core/ScalarType.h>

#include <string>

namespace attnscope::nn {

// "auto" (the first CUDA device when libtorch sees one, else the CPU), "cpu", "cuda", "cuda:N". Throws ConfigError for
// another text, and for a device that is not there.
c10::Device parse_device(const std::string& text);
std::string device_name(const c10::Device& device);

// "float32", "bfloat16", "float16". Throws ConfigError for another text, and for float16 on the CPU, where libtorch
// lacks or emulates the kernels.
c10::ScalarType parse_dtype(const std::string& text, const c10::Device& device);
std::string dtype_name(c10::ScalarType dtype);

// Lets libtorch compute with `threads` threads (0: the cores this process may use).
void set_compute_threads(int threads = 0);
int compute_threads();

// Makes the C library keep freed memory for the next tensor: pages that are new to a process have to be zeroed, which
// took 9 % of a UNet step. Call once, before other threads start. Elsewhere than on glibc it does nothing.
void keep_freed_memory();
// Returns what was kept to the system; call when a run has ended.
void give_back_freed_memory();

}  // namespace attnscope::nn
