#pragma once
#include <ATen/core/Tensor.h>

#include <QtTest>
#include <sstream>
#include <string>

#include "io/safetensors.h"

namespace attnscope::testing {

// "" when `actual` is `expected` within `rel_tol` of the largest expected value, else what differs, with numbers.
// Shapes must be equal; dtypes may differ.
inline std::string compare(const at::Tensor& actual, const at::Tensor& expected, double rel_tol = 1e-5) {
  std::ostringstream text;
  if (!actual.defined() || !expected.defined()) return actual.defined() == expected.defined() ? "" : "one has no value";
  if (actual.sizes() != expected.sizes()) {
    text << "shape " << actual.sizes() << ", expected " << expected.sizes();
    return text.str();
  }
  if (actual.numel() == 0) return {};
  const at::Tensor got = actual.detach().to(at::kCPU).to(at::kDouble).reshape({-1});
  const at::Tensor want = expected.detach().to(at::kCPU).to(at::kDouble).reshape({-1});
  const at::Tensor difference = (got - want).abs();
  const double largest = want.abs().max().item<double>();
  const double worst = difference.max().item<double>();
  if (worst <= rel_tol * largest) return {};                  // false for NaN
  const int64_t place = difference.argmax().item<int64_t>();  // of the first NaN when there is one
  std::vector<int64_t> index(actual.sizes().size());
  for (int64_t rest = place, d = actual.dim() - 1; d >= 0; --d) {
    index[static_cast<std::size_t>(d)] = rest % actual.size(d);
    rest /= actual.size(d);
  }
  text << "largest difference " << worst << " = " << worst / largest << " of the largest value " << largest
       << " (allowed " << rel_tol << "), at " << at::IntArrayRef(index) << ": " << got[place].item<double>()
       << ", expected " << want[place].item<double>();
  return text.str();
}

// A case below tests/golden/data: a folder as save_pretrained writes it, with inputs and `expect/…` outputs in `file`.
class Golden {
 public:
  explicit Golden(const std::string& name, const std::string& file = "io.safetensors")
      : folder_(std::string(ATTNSCOPE_GOLDEN_DIR) + "/" + name),
        tensors_(SafetensorsFile::open(folder_ + "/" + file)) {}

  const std::string& folder() const { return folder_; }
  const SafetensorsFile& file() const { return *tensors_; }
  bool contains(const std::string& key) const { return tensors_->contains(key); }
  at::Tensor operator[](const std::string& key) const { return tensors_->tensor(key); }
  at::Tensor expected(const std::string& key) const { return tensors_->tensor("expect/" + key); }

 private:
  std::string folder_;
  std::shared_ptr<SafetensorsFile> tensors_;
};

}  // namespace attnscope::testing

// Fails the test function, naming the values, unless they agree within `rel_tol` of the largest expected value.
#define COMPARE_TENSORS(actual, expected, rel_tol)                                                  \
  do {                                                                                              \
    const std::string difference_ = ::attnscope::testing::compare((actual), (expected), (rel_tol)); \
    QVERIFY2(difference_.empty(), (std::string(#actual) + ": " + difference_).c_str());             \
  } while (false)
