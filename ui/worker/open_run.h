#pragma once
#include "worker/run_data.h"

namespace attnscope::ui {

// Reads a run folder into a value, without the model. Throws LoadError.
RunData openRun(const QString& path);

}  // namespace attnscope::ui
