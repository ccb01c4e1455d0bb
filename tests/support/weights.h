#pragma once
#include <stdexcept>
#include <string>

#include "io/safetensors.h"
#include "nn/module.h"

namespace attnscope::testing {

// Gives every parameter of `module` the tensor of its path (after `prefix`); both sides must match exactly.
inline void fill(nn::Module& module, const SafetensorsFile& weights, const std::string& prefix = {}) {
  std::size_t used = 0;
  for (auto& [path, parameter] : module.named_parameters()) {
    parameter->set(weights.tensor(prefix + path));
    ++used;
  }
  std::size_t given = 0;
  for (const std::string& key : weights.keys()) given += key.rfind(prefix, 0) == 0;
  if (used != given)
    throw std::runtime_error(std::to_string(given) + " tensors for " + std::to_string(used) + " parameters");
}

}  // namespace attnscope::testing
