#include "op_times.h"

#include <ATen/record_function.h>

#include <chrono>

namespace attnscope::bench {
namespace {

using Clock = std::chrono::steady_clock;

thread_local int depth = 0;
thread_local Clock::time_point begun;
thread_local std::string current;
thread_local std::map<std::string, double> totals;

// "aten::conv2d [2, 320, 64, 64] [320, 320, 3, 3]"
std::string label(const at::RecordFunction& call) {
  std::string text = call.name();
  int shown = 0;
  for (const c10::IValue& input : call.inputs()) {
    if (!input.isTensor() || !input.toTensor().defined() || shown++ == 2) continue;
    text += " [";
    for (int64_t size : input.toTensor().sizes()) text += (text.back() == '[' ? "" : ", ") + std::to_string(size);
    text += "]";
  }
  return text;
}

std::unique_ptr<at::ObserverContext> on_start(const at::RecordFunction& call) {
  if (depth++ == 0) {
    current = label(call);  // the inputs may be gone at its end
    begun = Clock::now();
  }
  return nullptr;
}

void on_end(const at::RecordFunction&, at::ObserverContext*) {
  if (--depth == 0) totals[current] += std::chrono::duration<double>(Clock::now() - begun).count();
}

}  // namespace

OpTimes::OpTimes() {
  totals.clear();
  handle_ = at::addThreadLocalCallback(at::RecordFunctionCallback(on_start, on_end).needsInputs(true));
}

OpTimes::~OpTimes() { at::removeCallback(handle_); }

const std::map<std::string, double>& OpTimes::seconds() const { return totals; }

}  // namespace attnscope::bench
