#pragma once
#include <exception>

#include "worker/run_data.h"

namespace attnscope::ui {

// What a worker's exception says, as a value. The only place of the window that looks into exceptions.
Failure describeFailure(std::exception_ptr error);

}  // namespace attnscope::ui
