#pragma once
#include <QObject>
#include <QThread>

#include "base/cancel.h"
#include "worker/run_worker.h"

namespace attnscope::ui {

// The window's side of runs: one at a time, started, stopped, ended. Lives on the GUI thread; owns the worker's thread.
// A result that belongs to another job than the current one is dropped.
class RunController : public QObject {
  Q_OBJECT

 public:
  enum class State { Idle, Running, Stopping };
  Q_ENUM(State)

  explicit RunController(RunFunction function, QObject* parent = nullptr);
  ~RunController() override;  // stops a run and waits for it

  State state() const { return m_state; }
  bool isBusy() const { return m_state != State::Idle; }
  quint64 job() const { return m_job; }
  RunWorker* worker() const { return m_worker; }

  // False, and nothing happens, while a run is on.
  bool start(const RunJob& job);
  // Asks the run to stop; a second call changes nothing.
  void stop();

 Q_SIGNALS:
  void stateChanged(attnscope::ui::RunController::State state);
  void started(const QString& folder);
  void progressed(const attnscope::ui::ProgressInfo& progress);
  void previewed(const attnscope::ui::PreviewFrame& preview);
  void mapped(const attnscope::ui::WordMaps& maps);
  void warned(const QString& text);
  void captureSized(qint64 bytes);
  // One of these ends each run; the state is Idle again when it is sent.
  void finished(const QString& folder);
  void cancelled(const QString& folder);
  void failed(const attnscope::ui::Failure& failure);

 private:
  template <class... Args>
  void forward(void (RunWorker::*from)(quint64, Args...), void (RunController::*to)(Args...), bool ends);
  void setState(State state);

  QThread m_thread;
  RunWorker* m_worker;
  CancelToken m_cancel;
  State m_state = State::Idle;
  quint64 m_job = 0;
};

}  // namespace attnscope::ui
