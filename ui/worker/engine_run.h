#pragma once
#include <functional>

#include "worker/run_data.h"

namespace attnscope {
class CancelToken;
class RunObserver;
}  // namespace attnscope

namespace attnscope::ui {

// Does a run: tells `observer` what happens, stops with RunCancelled when the token is set, throws Error on failure.
// The folder it writes is told through `started`. Tests give their own.
using RunFunction = std::function<void(const RunJob& job, RunObserver& observer, const CancelToken& cancel,
                                       const std::function<void(const QString& folder)>& started)>;

// The engine's run. Ask for it before other threads start: it sets how the process keeps memory.
RunFunction engineRun();

// The first of base-1, base-2… that does not exist.
QString nextRunFolder(const QString& base);

}  // namespace attnscope::ui
