#pragma once
#include <functional>
#include <optional>
#include <string>

#include "loaders/tensor_source.h"
#include "nn/module.h"

namespace attnscope {

struct WeightOptions {
  c10::Device device = c10::Device(c10::kCPU);
  // As the file has them when not given (float8, which nothing computes in, becomes float32).
  std::optional<c10::ScalarType> dtype;
  // The parameter a file's tensor belongs to (""; it is left out). Not given: the name as it is.
  std::function<std::string(const std::string& key)> rename;
  // Tensors of the file that may be left over; asked after `rename`. Known buffers (is_known_buffer) always may.
  std::function<bool(const std::string& key)> ignore;
  // Takes [out, in, 1, 1] for a parameter of [out, in], as old VAE files have it.
  bool squeeze_1x1 = false;
  // Refuses NaN and infinity (reads every value once).
  bool check_finite = false;
};

// Gives every parameter of `model` its tensor. Where device and dtype are the file's, parameters are views of the
// mapped file: nothing is copied, and pages are read when first used. Otherwise tensors are converted one by one and
// the file's pages are given back, so that memory peaks at the new weights. LoadError: all missing, surplus and wrongly
// shaped tensors at once; a dtype that is not floating; not finite (names the tensor). Then no parameter was touched,
// but for the last. OutOfMemoryError with the bytes needed. RunCancelled.
void load_weights(nn::Module& model, const TensorSource& source, const WeightOptions& options = {});

// Tensors in files that are no weights: position_ids and the like.
bool is_known_buffer(const std::string& key);

// Whether every value is a number. One pass, without a temporary of the tensor's size when all is well.
bool all_finite(const at::Tensor& tensor);

}  // namespace attnscope
