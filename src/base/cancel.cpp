#include "base/cancel.h"

#include "base/error.h"

namespace attnscope {
namespace {
thread_local const CancelToken* current_token = nullptr;
}

CancelScope::CancelScope(const CancelToken& token) : previous_(current_token) { current_token = &token; }

CancelScope::~CancelScope() { current_token = previous_; }

void throw_if_cancelled() {
  if (current_token && current_token->cancelled()) throw RunCancelled();
}

}  // namespace attnscope
