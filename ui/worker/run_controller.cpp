#include "worker/run_controller.h"

namespace attnscope::ui {

RunController::RunController(RunFunction function, QObject* parent)
    : QObject(parent), m_worker(new RunWorker(std::move(function))) {
  m_thread.setObjectName(QStringLiteral("run"));
  m_worker->moveToThread(&m_thread);
  connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);

  forward(&RunWorker::started, &RunController::started, false);
  forward(&RunWorker::progressed, &RunController::progressed, false);
  forward(&RunWorker::previewed, &RunController::previewed, false);
  forward(&RunWorker::mapped, &RunController::mapped, false);
  forward(&RunWorker::warned, &RunController::warned, false);
  forward(&RunWorker::captureSized, &RunController::captureSized, false);
  forward(&RunWorker::finished, &RunController::finished, true);
  forward(&RunWorker::cancelled, &RunController::cancelled, true);
  forward(&RunWorker::failed, &RunController::failed, true);
  m_thread.start();
}

RunController::~RunController() {
  m_cancel.cancel();
  m_thread.quit();
  m_thread.wait();
}

template <class... Args>
void RunController::forward(void (RunWorker::*from)(quint64, Args...), void (RunController::*to)(Args...), bool ends) {
  connect(m_worker, from, this, [this, to, ends](quint64 job, Args... args) {
    if (job != m_job || m_state == State::Idle) return;
    if (ends) setState(State::Idle);
    Q_EMIT (this->*to)(args...);
  });
}

bool RunController::start(const RunJob& job) {
  if (isBusy()) return false;
  ++m_job;
  m_cancel = CancelToken();  // a fresh flag: the old one may be set
  setState(State::Running);
  QMetaObject::invokeMethod(
      m_worker, [worker = m_worker, id = m_job, job, cancel = m_cancel] { worker->run(id, job, cancel); },
      Qt::QueuedConnection);
  return true;
}

void RunController::stop() {
  if (m_state != State::Running) return;
  m_cancel.cancel();
  setState(State::Stopping);
}

void RunController::setState(State state) {
  if (state == m_state) return;
  m_state = state;
  Q_EMIT stateChanged(state);
}

}  // namespace attnscope::ui
