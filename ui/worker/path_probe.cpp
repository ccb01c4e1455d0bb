#include "worker/path_probe.h"

#include <QDateTime>
#include <QFileInfo>

namespace attnscope::ui {

namespace {

constexpr qint64 kTrustMs = 4000;

}  // namespace

PathProbe::PathProbe(QObject* parent) : QObject(parent) { m_pool.setMaxThreadCount(1); }

PathProbe::~PathProbe() {
  m_pool.clear();
  m_pool.waitForDone();
}

std::optional<PathProbe::State> PathProbe::state(const QString& path) {
  Seen& seen = m_seen[path];
  if (seen.looking || (seen.state && QDateTime::currentMSecsSinceEpoch() - seen.at < kTrustMs)) return seen.state;
  seen.looking = true;
  m_pool.start([this, path] {
    const QFileInfo info(path);
    const State state = !info.exists() ? State::Missing : info.isDir() ? State::Folder : State::File;
    QMetaObject::invokeMethod(
        this,
        [this, path, state] {
          const bool same = m_seen.value(path).state == state;
          m_seen[path] = {state, QDateTime::currentMSecsSinceEpoch(), false};
          if (!same) Q_EMIT known(path);
        },
        Qt::QueuedConnection);
  });
  return seen.state;
}

}  // namespace attnscope::ui
