#include "worker/log_bridge.h"

#include "base/log.h"

namespace attnscope::ui {

namespace {

Level toLevel(LogLevel level) {
  switch (level) {
    case LogLevel::debug: return Level::Debug;
    case LogLevel::info: return Level::Info;
    case LogLevel::warning: return Level::Warning;
    case LogLevel::error: break;
  }
  return Level::Error;
}

}  // namespace

LogBridge::LogBridge(QObject* parent) : QObject(parent) {
  set_log_sink([this](LogLevel level, const std::string& text) {
    const QString line = QString::fromStdString(text);
    QMetaObject::invokeMethod(
        this, [this, level, line] { Q_EMIT message(toLevel(level), line); }, Qt::QueuedConnection);
  });
}

LogBridge::~LogBridge() { set_log_sink({}); }

}  // namespace attnscope::ui
