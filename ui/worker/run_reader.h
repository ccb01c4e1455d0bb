#pragma once
#include <memory>

#include <QObject>

#include "worker/run_data.h"

namespace attnscope::ui {

// Reads what is opened (run folder, config, video) and computes maps from a run folder, on a thread of its own beside
// the run's, so that a finished run can be looked at while another goes.
class RunReader : public QObject {
  Q_OBJECT

 public:
  RunReader();
  ~RunReader() override;

  // Each call answers with exactly one signal that carries `job`.
  void open(quint64 job, const QString& path);
  void openDemo(quint64 job);
  // What a config would run.
  void summarize(quint64 job, const QString& path, const attnscope::ui::ConfigText& config);
  void computeMaps(quint64 job, const MapQuery& query);
  void checkPaths(quint64 job, const QStringList& paths);

 Q_SIGNALS:
  void runOpened(quint64 job, const attnscope::ui::RunData& run);
  void configFound(quint64 job, const QString& path);  // a config is there to be opened
  void summarized(quint64 job, const attnscope::ui::ConfigSummary& config);
  void summaryFailed(quint64 job, const QString& path, const attnscope::ui::Failure& failure);
  void videoOpened(quint64 job, const attnscope::ui::VideoOffer& video);
  void openFailed(quint64 job, const QString& path, const attnscope::ui::Failure& failure);
  void mapsReady(quint64 job, const QList<attnscope::ui::WordMaps>& maps);
  void mapsFailed(quint64 job, const attnscope::ui::Failure& failure);
  void pathsChecked(quint64 job, const QStringList& existing);

 private:
  ConfigSummary m_summary;  // the last, whose frames may serve again
  struct Maps;
  std::unique_ptr<Maps> m_maps;  // of the folder asked last
};

}  // namespace attnscope::ui
