#pragma once
#include <functional>
#include <string>

namespace attnscope {

enum class LogLevel { debug, info, warning, error };

using LogSink = std::function<void(LogLevel, const std::string& message)>;

// Where log() goes: standard error until set. Thread-safe; returns the previous sink.
LogSink set_log_sink(LogSink sink);
void log(LogLevel level, const std::string& message);

}  // namespace attnscope
