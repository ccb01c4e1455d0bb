#include "loaders/weights.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <map>
#include <vector>

#include "base/bytes.h"
#include "base/cancel.h"
#include "base/error.h"

namespace attnscope {
namespace {

constexpr std::size_t kMostNamed = 5;

// Parameter name to the file's tensor name.
using Matches = std::map<std::string, std::string>;

std::string count_and_names(const std::vector<std::string>& names, const std::string& what) {
  std::string text = std::to_string(names.size()) + " " + what + " (";
  for (std::size_t i = 0; i < names.size() && i < kMostNamed; ++i) text += (i ? ", " : "") + names[i];
  return text + (names.size() > kMostNamed ? ", … )" : ")");
}

std::string shape_text(const std::vector<int64_t>& sizes) {
  std::string text = "[";
  for (const int64_t size : sizes) text += (text.size() > 1 ? ", " : "") + std::to_string(size);
  return text + "]";
}

bool fits(const std::vector<int64_t>& given, const std::vector<int64_t>& needed, bool squeeze) {
  if (given == needed) return true;
  return squeeze && given.size() == 4 && needed.size() == 2 && given[0] == needed[0] && given[1] == needed[1] &&
         given[2] == 1 && given[3] == 1;
}

// Everything that can be told from names, shapes and dtypes, before any data is read.
Matches match(nn::Module& model, const TensorSource& source, const WeightOptions& options) {
  std::map<std::string, const nn::Parameter*> parameters;
  for (auto& [path, parameter] : model.named_parameters()) parameters.emplace(path, parameter);
  Matches matches;
  std::vector<std::string> surplus, shapes, dtypes, twice;
  for (const std::string& key : source.keys()) {
    const std::string name = options.rename ? options.rename(key) : key;
    if (name.empty()) continue;
    const auto parameter = parameters.find(name);
    if (parameter == parameters.end()) {
      if (!is_known_buffer(key) && !(options.ignore && options.ignore(key))) surplus.push_back(key);
      continue;
    }
    if (!matches.emplace(name, key).second) {
      twice.push_back(name + " from " + matches[name] + " and " + key);
      continue;
    }
    const TensorInfo info = source.info(key);
    const std::vector<int64_t>& needed = parameter->second->sizes();
    if (!fits(info.sizes, needed, options.squeeze_1x1)) {
      shapes.push_back(key + " " + shape_text(info.sizes) + " instead of " + shape_text(needed));
    }
    if (!c10::isFloatingType(info.dtype)) dtypes.push_back(key + " is " + c10::toString(info.dtype));
  }
  std::vector<std::string> missing;
  for (auto& [path, parameter] : model.named_parameters())
    if (!matches.count(path)) missing.push_back(path);

  std::string problems;
  const auto report = [&](const std::vector<std::string>& names, const char* what) {
    if (!names.empty()) problems += (problems.empty() ? "" : "; ") + count_and_names(names, what);
  };
  report(missing, "missing");
  report(surplus, "that the model does not have");
  report(shapes, "of the wrong shape");
  report(twice, "given twice");
  report(dtypes, "that are not floating point");
  if (!problems.empty()) {
    throw LoadError("the tensors do not fit the " + std::string(model.class_name()) + ": " + problems, source.name(),
                    {}, "Do config.json and the weights belong to the same model?");
  }
  return matches;
}

c10::ScalarType target_dtype(const TensorInfo& info, const WeightOptions& options) {
  if (options.dtype) return *options.dtype;
  return c10::elementSize(info.dtype) == 1 ? at::kFloat : info.dtype;
}

at::Tensor converted(const at::Tensor& stored, const nn::Parameter& parameter, c10::ScalarType dtype,
                     const WeightOptions& options) {
  const at::Tensor shaped =
      stored.sizes() == at::IntArrayRef(parameter.sizes()) ? stored : stored.view(parameter.sizes());
  // Kernels expect plain layout; a pickle may hold transposed or shared views.
  return shaped.to(options.device, dtype).contiguous();
}

void refuse_not_finite(const at::Tensor& weight, const at::Tensor& stored, const TensorSource& source,
                       const std::string& key) {
  if (all_finite(weight)) return;
  if (!all_finite(stored)) {
    throw LoadError("holds NaN or infinity", source.file_of(key), key, "The weights are damaged; get them again.");
  }
  throw LoadError("holds values that are too large for " + std::string(c10::toString(weight.scalar_type())),
                  source.file_of(key), key, "Use bfloat16 or float32.");
}

int64_t bytes_needed(const TensorSource& source, const Matches& matches, const WeightOptions& options) {
  int64_t bytes = 0;
  for (const auto& [name, key] : matches) {
    const TensorInfo info = source.info(key);
    bytes += info.bytes / static_cast<int64_t>(c10::elementSize(info.dtype)) *
             static_cast<int64_t>(c10::elementSize(target_dtype(info, options)));
  }
  return bytes;
}

// An allocation that failed; the CPU allocator reports it as a plain c10::Error.
bool is_out_of_memory(const c10::Error& error) {
  return dynamic_cast<const c10::OutOfMemoryError*>(&error) ||
         std::string_view(error.what_without_backtrace()).find("allocate memory") != std::string_view::npos;
}

}  // namespace

bool is_known_buffer(const std::string& key) {
  static constexpr std::string_view kNames[] = {"position_ids", "num_batches_tracked"};
  const auto dot = key.rfind('.');
  const std::string_view last = std::string_view(key).substr(dot == std::string::npos ? 0 : dot + 1);
  for (const std::string_view name : kNames)
    if (last == name) return true;
  return false;
}

bool all_finite(const at::Tensor& tensor) {
  const c10::NoGradGuard no_grad;
  if (!tensor.is_floating_point() || tensor.numel() == 0) return true;
  if (tensor.element_size() == 1) return tensor.to(at::kFloat).isfinite().all().item<bool>();
  // A sum passes NaN and infinity on; it may also overflow by itself, so only then look at each value.
  return tensor.sum().isfinite().item<bool>() || tensor.isfinite().all().item<bool>();
}

void load_weights(nn::Module& model, const TensorSource& source, const WeightOptions& options) {
  const c10::NoGradGuard no_grad;
  const Matches matches = match(model, source, options);
  try {
    for (auto& [name, parameter] : model.named_parameters()) {
      throw_if_cancelled();
      const std::string& key = matches.at(name);
      const at::Tensor stored = source.tensor(key);
      at::Tensor weight = converted(stored, *parameter, target_dtype(source.info(key), options), options);
      if (options.check_finite) refuse_not_finite(weight, stored, source, key);
      const bool copied = weight.storage().data() != stored.storage().data();
      parameter->set(std::move(weight));
      if (copied) source.release(key);
    }
  } catch (const c10::Error& error) {
    if (!is_out_of_memory(error)) throw;
    throw OutOfMemoryError(
        "loading the " + std::string(model.class_name()),
        readable_bytes(bytes_needed(source, matches, options)) + " are needed on " + options.device.str(),
        "Use float16 or bfloat16, or another device.");
  }
}

}  // namespace attnscope
