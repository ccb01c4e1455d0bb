#pragma once
#include <QObject>
#include <QThread>
#include <QTimer>

#include "base/cancel.h"
#include "worker/run_mailbox.h"
#include "worker/run_worker.h"

namespace attnscope::ui {

// The window's side of runs: one at a time, started, stopped, ended. Lives on the GUI thread; owns the worker's thread.
// What a run tells comes in rounds, a few dozen a second at most, each with the newest of everything.
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

  // False, and nothing happens, while a run is on.
  bool start(const RunJob& job);
  // Asks the run to stop; a second call changes nothing.
  void stop();

 Q_SIGNALS:
  void stateChanged(attnscope::ui::RunController::State state);
  void started(const QString& folder);
  void progressed(const attnscope::ui::ProgressInfo& progress);
  void previewed(const QList<attnscope::ui::PreviewFrame>& frames);
  void mapped(const QList<attnscope::ui::WordMaps>& words);
  void warned(const QString& text);
  void captureSized(qint64 bytes);
  // One of these ends each run and is the last that it says; the state is Idle again when it is sent.
  void finished(const QString& folder);
  void cancelled(const QString& folder);
  void failed(const attnscope::ui::Failure& failure);

 private:
  void deliver();
  void setState(State state);

  RunMailbox m_mailbox;
  QTimer m_delivery;
  QThread m_thread;
  RunWorker* m_worker;
  CancelToken m_cancel;
  State m_state = State::Idle;
  quint64 m_job = 0;
};

}  // namespace attnscope::ui
