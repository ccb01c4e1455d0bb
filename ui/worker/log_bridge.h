#pragma once
#include <QObject>

namespace attnscope::ui {

enum class Level { Debug, Info, Warning, Error };

// Brings the engine's log lines, from whatever thread, to the window as queued signals. One at a time may exist.
class LogBridge : public QObject {
  Q_OBJECT

 public:
  explicit LogBridge(QObject* parent = nullptr);
  ~LogBridge() override;

 Q_SIGNALS:
  void message(attnscope::ui::Level level, const QString& text);
};

}  // namespace attnscope::ui

Q_DECLARE_METATYPE(attnscope::ui::Level)
