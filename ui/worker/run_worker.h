#pragma once
#include <QObject>

#include "base/cancel.h"
#include "worker/engine_run.h"
#include "worker/run_data.h"

namespace attnscope::ui {

// Lives on a thread of its own and is the only owner of a model. Each job ends with exactly one of finished,
// cancelled and failed, and says nothing after that.
class RunWorker : public QObject {
  Q_OBJECT

 public:
  explicit RunWorker(RunFunction function);

  // Call on the worker's thread; returns when the run has ended.
  void run(quint64 job, const RunJob& what, const CancelToken& cancel);

 Q_SIGNALS:
  void started(quint64 job, const QString& folder);
  void progressed(quint64 job, const attnscope::ui::ProgressInfo& progress);
  void previewed(quint64 job, const attnscope::ui::PreviewFrame& preview);
  void mapped(quint64 job, const attnscope::ui::WordMaps& maps);
  void warned(quint64 job, const QString& text);
  void captureSized(quint64 job, qint64 bytes);
  void finished(quint64 job, const QString& folder);
  void cancelled(quint64 job, const QString& folder);
  void failed(quint64 job, const attnscope::ui::Failure& failure);

 private:
  RunFunction m_function;
};

}  // namespace attnscope::ui
