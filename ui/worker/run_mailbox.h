#pragma once
#include <functional>
#include <mutex>
#include <optional>

#include <QMap>
#include <QObject>

#include "worker/run_data.h"

namespace attnscope::ui {

// How a run ended.
struct RunEnd {
  enum class Kind { Finished, Cancelled, Failed };
  Kind kind = Kind::Finished;
  QString folder;   // of the run; may be empty when it was cancelled
  Failure failure;  // when it failed
};

// What a run told since it was last looked at: the newest of what replaces itself, all of what does not.
struct RunNews {
  QString folder;  // the run's, told once when it begins
  std::optional<ProgressInfo> progress;
  QMap<int, PreviewFrame> previews;  // by frame
  QList<WordMaps> maps;              // one a word, in the order they first came
  QStringList warnings;
  std::optional<qint64> captureBytes;
  std::optional<RunEnd> end;

  void setMaps(const WordMaps& word);
};

// Between the run's thread, which writes news, and the window's, which takes them when it has the time. A window that
// is slow gets fewer and newer news and never falls behind.
class RunMailbox : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  // From here on only this job's news are kept.
  void open(quint64 job);
  // Writes news, from any thread; nothing of another job, nor after the end.
  void post(quint64 job, const std::function<void(RunNews&)>& write);
  RunNews take();

 Q_SIGNALS:
  void filled();  // there are news; said once until they are taken

 private:
  std::mutex m_mutex;
  RunNews m_news;
  quint64 m_job = 0;
  bool m_told = false;
  bool m_ended = false;
};

}  // namespace attnscope::ui
