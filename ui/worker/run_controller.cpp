#include "worker/run_controller.h"

namespace attnscope::ui {

namespace {
constexpr int kDeliveryMs = 30;  // between rounds, so that the window also gets to paint and to answer
}

RunController::RunController(RunFunction function, QObject* parent)
    : QObject(parent), m_worker(new RunWorker(std::move(function), m_mailbox)) {
  m_thread.setObjectName(QStringLiteral("run"));
  m_worker->moveToThread(&m_thread);
  connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
  m_delivery.setSingleShot(true);
  m_delivery.setInterval(kDeliveryMs);
  connect(&m_mailbox, &RunMailbox::filled, &m_delivery, qOverload<>(&QTimer::start));
  connect(&m_delivery, &QTimer::timeout, this, &RunController::deliver);
  // At the usual priority: a nicer thread cuts the window's longest gaps from 40 to 25 ms, but on a busy machine the
  // run takes ten times as long, as libtorch's threads wait for each other spinning.
  m_thread.start();
}

RunController::~RunController() {
  m_cancel.cancel();
  m_thread.quit();
  m_thread.wait();
}

bool RunController::start(const RunJob& job) {
  if (isBusy()) return false;
  m_mailbox.open(++m_job);
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

void RunController::deliver() {
  const RunNews news = m_mailbox.take();
  if (!news.folder.isEmpty()) Q_EMIT started(news.folder);
  if (news.captureBytes) Q_EMIT captureSized(*news.captureBytes);
  for (const QString& warning : news.warnings) Q_EMIT warned(warning);
  if (news.progress) Q_EMIT progressed(*news.progress);
  if (!news.previews.isEmpty()) Q_EMIT previewed(news.previews.values());
  if (!news.maps.isEmpty()) Q_EMIT mapped(news.maps);
  if (!news.end) return;
  setState(State::Idle);
  switch (news.end->kind) {
    case RunEnd::Kind::Finished: Q_EMIT finished(news.end->folder); break;
    case RunEnd::Kind::Cancelled: Q_EMIT cancelled(news.end->folder); break;
    case RunEnd::Kind::Failed: Q_EMIT failed(news.end->failure); break;
  }
}

void RunController::setState(State state) {
  if (state == m_state) return;
  m_state = state;
  Q_EMIT stateChanged(state);
}

}  // namespace attnscope::ui
