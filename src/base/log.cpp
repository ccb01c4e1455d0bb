#include "base/log.h"

#include <cstdio>
#include <mutex>
#include <utility>

namespace attnscope {
namespace {

std::mutex sink_mutex;

void to_stderr(LogLevel level, const std::string& message) {
  static const char* const names[] = {"debug", "info", "warning", "error"};
  std::fprintf(stderr, "%s: %s\n", names[static_cast<int>(level)], message.c_str());
}

LogSink& sink() {
  static LogSink current = to_stderr;
  return current;
}

}  // namespace

LogSink set_log_sink(LogSink next) {
  const std::lock_guard lock(sink_mutex);
  return std::exchange(sink(), next ? std::move(next) : LogSink(to_stderr));
}

void log(LogLevel level, const std::string& message) {
  const std::lock_guard lock(sink_mutex);
  sink()(level, message);
}

}  // namespace attnscope
