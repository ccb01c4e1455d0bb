#pragma once
#include <string>

#include "io/safetensors.h"

namespace attnscope {

// Files that numpy.load reads. bfloat16 and float8, which numpy does not have, are written as float32. Any device, any
// strides; atomic. WriteError names the file.
void save_npy(const std::string& path, const at::Tensor& tensor);
// A zip of .npy files, stored. Entry names may hold "/" (a folder inside the zip).
void save_npz(const std::string& path, const NamedTensors& tensors);

}  // namespace attnscope
