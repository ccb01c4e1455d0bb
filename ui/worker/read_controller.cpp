#include "worker/read_controller.h"

namespace attnscope::ui {

ReadController::ReadController(QObject* parent) : QObject(parent), m_reader(new RunReader) {
  m_thread.setObjectName(QStringLiteral("reader"));
  m_reader->moveToThread(&m_thread);
  connect(&m_thread, &QThread::finished, m_reader, &QObject::deleteLater);

  connect(m_reader, &RunReader::runOpened, this, [this](quint64 job, const RunData& run) {
    if (takeOpen(job)) Q_EMIT runOpened(run);
  });
  connect(m_reader, &RunReader::configFound, this, [this](quint64 job, const QString& path) {
    if (takeOpen(job)) Q_EMIT configFound(path);
  });
  connect(m_reader, &RunReader::summarized, this, [this](quint64 job, const ConfigSummary& config) {
    if (job == m_summaryJob) Q_EMIT summarized(config);
  });
  connect(m_reader, &RunReader::summaryFailed, this, [this](quint64 job, const QString& path, const Failure& failure) {
    if (job == m_summaryJob) Q_EMIT summaryFailed(path, failure);
  });
  connect(m_reader, &RunReader::videoOpened, this, [this](quint64 job, const VideoOffer& video) {
    if (takeOpen(job)) Q_EMIT videoOpened(video);
  });
  connect(m_reader, &RunReader::openFailed, this, [this](quint64 job, const QString& path, const Failure& failure) {
    if (takeOpen(job)) Q_EMIT openFailed(path, failure);
  });
  connect(m_reader, &RunReader::mapsReady, this, [this](quint64 job, const QList<WordMaps>& maps) {
    if (takeMaps(job)) Q_EMIT mapsReady(maps);
  });
  connect(m_reader, &RunReader::mapsFailed, this, [this](quint64 job, const Failure& failure) {
    if (takeMaps(job)) Q_EMIT mapsFailed(failure);
  });
  connect(m_reader, &RunReader::pathsChecked, this, [this](quint64 job, const QStringList& existing) {
    if (job == m_pathJob) Q_EMIT pathsChecked(existing);
  });
  m_thread.start();
}

ReadController::~ReadController() {
  m_thread.quit();
  m_thread.wait();
}

void ReadController::open(const QString& path) {
  const quint64 job = beginOpen();
  QMetaObject::invokeMethod(
      m_reader, [reader = m_reader, job, path] { reader->open(job, path); }, Qt::QueuedConnection);
}

void ReadController::openDemo() {
  const quint64 job = beginOpen();
  QMetaObject::invokeMethod(
      m_reader, [reader = m_reader, job] { reader->openDemo(job); }, Qt::QueuedConnection);
}

void ReadController::summarize(const QString& path, const ConfigText& config) {
  const quint64 job = ++m_summaryJob;
  QMetaObject::invokeMethod(
      m_reader, [reader = m_reader, job, path, config] { reader->summarize(job, path, config); }, Qt::QueuedConnection);
}

quint64 ReadController::beginOpen() {
  setOpening(true);
  return ++m_openJob;
}

void ReadController::requestMaps(const MapQuery& query) {
  m_wantedMapJob = m_mapJob + 1;
  if (m_mapping)
    m_pending = query;
  else
    sendMaps(query);
}

void ReadController::dropMaps() {
  m_wantedMapJob = 0;
  m_pending.reset();
}

void ReadController::checkPaths(const QStringList& paths) {
  const quint64 job = ++m_pathJob;
  QMetaObject::invokeMethod(
      m_reader, [reader = m_reader, job, paths] { reader->checkPaths(job, paths); }, Qt::QueuedConnection);
}

bool ReadController::takeOpen(quint64 job) {
  if (job != m_openJob) return false;
  setOpening(false);
  return true;
}

bool ReadController::takeMaps(quint64 job) {
  m_mapping = false;
  if (m_pending) {
    const MapQuery next = *m_pending;
    m_pending.reset();
    sendMaps(next);
    return false;
  }
  return job == m_wantedMapJob;
}

void ReadController::sendMaps(const MapQuery& query) {
  const quint64 job = ++m_mapJob;
  m_wantedMapJob = job;
  m_mapping = true;
  QMetaObject::invokeMethod(
      m_reader, [reader = m_reader, job, query] { reader->computeMaps(job, query); }, Qt::QueuedConnection);
}

void ReadController::setOpening(bool opening) {
  if (opening == m_opening) return;
  m_opening = opening;
  Q_EMIT openingChanged(opening);
}

}  // namespace attnscope::ui
