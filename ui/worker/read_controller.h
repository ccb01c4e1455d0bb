#pragma once
#include <optional>

#include <QObject>
#include <QThread>

#include "worker/run_reader.h"

namespace attnscope::ui {

// The window's side of reading. Only the answer to the newest open is passed on; of map queries that come faster than
// they are computed only the newest waits, so that dragging never queues up work.
class ReadController : public QObject {
  Q_OBJECT

 public:
  explicit ReadController(QObject* parent = nullptr);
  ~ReadController() override;

  void open(const QString& path);
  void openDemo();
  // What a config would run: summarized() or summaryFailed(). Of several only the newest is answered.
  void summarize(const QString& path, const ConfigText& config);
  void requestMaps(const MapQuery& query);
  void dropMaps();  // answers to queries made so far are not wanted any more
  void checkPaths(const QStringList& paths);
  bool isOpening() const { return m_opening; }

 Q_SIGNALS:
  void openingChanged(bool opening);
  void runOpened(const attnscope::ui::RunData& run);
  void configFound(const QString& path);
  void summarized(const attnscope::ui::ConfigSummary& config);
  void summaryFailed(const QString& path, const attnscope::ui::Failure& failure);
  void videoOpened(const attnscope::ui::VideoOffer& video);
  void openFailed(const QString& path, const attnscope::ui::Failure& failure);
  void mapsReady(const QList<attnscope::ui::WordMaps>& maps);
  void mapsFailed(const attnscope::ui::Failure& failure);
  void pathsChecked(const QStringList& existing);

 private:
  quint64 beginOpen();
  bool takeOpen(quint64 job);
  bool takeMaps(quint64 job);
  void sendMaps(const MapQuery& query);
  void setOpening(bool opening);

  QThread m_thread;
  RunReader* m_reader;
  quint64 m_openJob = 0, m_mapJob = 0, m_wantedMapJob = 0, m_pathJob = 0, m_summaryJob = 0;
  bool m_opening = false, m_mapping = false;
  std::optional<MapQuery> m_pending;
};

}  // namespace attnscope::ui
