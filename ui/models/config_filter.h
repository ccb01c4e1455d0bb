#pragma once
#include <memory>
#include <unordered_map>
#include <vector>

#include <QElapsedTimer>
#include <QHash>
#include <QList>
#include <QObject>
#include <QStringList>
#include <QTimer>

#include "worker/config_snapshot.h"

namespace attnscope::ui {

// What is looked for in a config tree.
struct ConfigQuery {
  QStringList words;  // each must stand in the key path, the value or the help
  bool changedOnly = false;
  bool problemsOnly = false;
  bool isEmpty() const { return words.isEmpty() && !changedOnly && !problemsOnly; }
  bool operator==(const ConfigQuery&) const = default;
};

// The part of one snapshot's tree that fits a query: hits, what is above them and what is below them.
struct ConfigFilter {
  // The children that are shown of a container that does not show all of them.
  std::unordered_map<const ConfigNode*, std::vector<int>> shown;
  QList<ConfigPath> hits;  // in the order of the tree
  QStringList words;       // to be highlighted
};

// What is wrong in a snapshot, by path_text(): issues, values that must be given, expressions that stand for nothing.
QHash<QString, QList<const ConfigIssue*>> issuesByKey(const ConfigSnapshot& snapshot);

// Searches a snapshot in slices of a few milliseconds, so that the window stays live. A tree of ordinary size is done
// before start() returns.
class ConfigSearch : public QObject {
  Q_OBJECT

 public:
  explicit ConfigSearch(QObject* parent = nullptr);
  ~ConfigSearch() override;

  // `keep` is shown although it may not fit: the selected row does not vanish.
  void start(const ConfigSnapshot& snapshot, const ConfigQuery& query, const ConfigPath& keep);
  void cancel();
  bool isRunning() const { return m_run != nullptr; }

 Q_SIGNALS:
  void finished(const attnscope::ui::ConfigSnapshot& snapshot,
                const std::shared_ptr<const attnscope::ui::ConfigFilter>& filter);

 private:
  struct Run;
  void slice();

  QTimer m_timer;
  std::unique_ptr<Run> m_run;
};

}  // namespace attnscope::ui
