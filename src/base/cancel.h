#pragma once
#include <atomic>
#include <memory>

namespace attnscope {

// Asks a run to stop; copies share one flag. Setting it is async-signal-safe and allowed from any thread.
class CancelToken {
 public:
  CancelToken() : flag_(std::make_shared<std::atomic<bool>>(false)) {}
  void cancel() const noexcept { flag_->store(true, std::memory_order_relaxed); }
  bool cancelled() const noexcept { return flag_->load(std::memory_order_relaxed); }

 private:
  std::shared_ptr<std::atomic<bool>> flag_;
};

// Makes a token the current one of this thread, so that code deep in a model can stop without being handed it.
class CancelScope {
 public:
  explicit CancelScope(const CancelToken& token);
  ~CancelScope();
  CancelScope(const CancelScope&) = delete;
  CancelScope& operator=(const CancelScope&) = delete;

 private:
  const CancelToken* previous_;
};

// A cancellation point: throws RunCancelled when the thread's token is set. Attention and ResNet blocks call it.
void throw_if_cancelled();

}  // namespace attnscope
