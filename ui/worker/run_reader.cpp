#include "worker/run_reader.h"

#include <QFileInfo>

#include "base/error.h"
#include "pipelines/run_folder.h"
#include "worker/convert.h"
#include "worker/failure.h"
#include "worker/open_config.h"
#include "worker/open_run.h"
#include "worker/word_maps.h"

namespace attnscope::ui {

struct RunReader::Maps {
  QString path;
  CrossMaps maps;
};

RunReader::RunReader() = default;
RunReader::~RunReader() = default;

void RunReader::open(quint64 job, const QString& path) {
  try {
    const QFileInfo info(path);
    if (!info.exists())
      throw LoadError("there is no such file or folder", path.toStdString(), {},
                      "check the path, or choose another one");
    const QString absolute = info.absoluteFilePath();
    if (info.isDir()) {
      const RunData run = openRun(absolute);
      m_maps.reset();  // the folder may have been written anew
      Q_EMIT runOpened(job, run);
    } else if (info.fileName() == QLatin1String("manifest.json")) {
      m_maps.reset();
      Q_EMIT runOpened(job, openRun(info.absolutePath()));
    } else if (isConfigName(path)) {
      Q_EMIT configFound(job, absolute);
    } else if (isVideoName(path)) {
      Q_EMIT videoOpened(job, offerVideo(absolute));
    } else {
      throw LoadError(
          "this kind of file cannot be opened", path.toStdString(), {},
          "open a config (.yaml), a video (.mp4, .mov, .avi, .mkv, .webm, .gif), a picture or a run folder");
    }
  } catch (...) {
    Q_EMIT openFailed(job, path, describeFailure(std::current_exception()));
  }
}

void RunReader::openDemo(quint64 job) {
  const QString path = demoConfigPath();
  if (path.isEmpty())
    Q_EMIT openFailed(job, {},
                      {tr("The demo is not installed with this program."),
                       {},
                       tr("Get configs/demo.yaml and resources/demo, or open a config of your own.")});
  else
    open(job, path);
}

void RunReader::summarize(quint64 job, const QString& path, const ConfigText& config) {
  try {
    m_summary = summarizeConfig(path, config, m_summary);
    Q_EMIT summarized(job, m_summary);
  } catch (...) {
    Q_EMIT summaryFailed(job, path, describeFailure(std::current_exception()));
  }
}

void RunReader::computeMaps(quint64 job, const MapQuery& query) {
  try {
    if (!m_maps || m_maps->path != query.runPath) {
      m_maps.reset();
      const RunFolder folder = RunFolder::open(query.runPath.toStdString());
      m_maps = std::make_unique<Maps>(Maps{query.runPath, folder.maps()});
    }
    Q_EMIT mapsReady(job, wordMaps(m_maps->maps, query));
  } catch (...) {
    Q_EMIT mapsFailed(job, describeFailure(std::current_exception()));
  }
}

void RunReader::checkPaths(quint64 job, const QStringList& paths) {
  QStringList existing;
  for (const QString& path : paths)
    if (QFileInfo::exists(path)) existing.append(path);
  Q_EMIT pathsChecked(job, existing);
}

}  // namespace attnscope::ui
