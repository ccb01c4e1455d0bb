#pragma once
#include <memory>
#include <vector>

#include <QAbstractTableModel>
#include <QTimer>

#include "config/layers.h"

namespace attnscope::ui {

// The values that more than one layer gives: the one in force and below it those that it hides, each with its place.
// Looks for them in slices, so that a large config does not stop the window.
class ConflictsModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { Key, Value, Source, ColumnCount };
  enum Role { HiddenRole = Qt::UserRole + 1, FileRole, LineRole, ColumnRole, LayerRole };  // file empty: an override

  explicit ConflictsModel(QObject* parent = nullptr);

  void setMerged(const std::shared_ptr<const MergedConfig>& merged);  // null: a single layer
  bool isBusy() const { return m_timer.isActive(); }
  int conflictCount() const { return m_conflicts; }  // keys

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 Q_SIGNALS:
  void finished();

 private:
  struct Row {
    QString key, value, file;
    int line, column, layer;
    bool hidden;
    bool operator==(const Row&) const = default;
  };
  struct Step {
    const ConfigNode* node;
    std::size_t next = 0;  // child
  };

  void goOn();
  void visit();
  bool report(const ConfigNode& node);
  void finish();

  std::shared_ptr<const MergedConfig> m_merged;
  QTimer m_timer;
  std::vector<Step> m_steps;  // from the root to where the search is
  ConfigPath m_path;
  QList<Row> m_rows, m_found;
  int m_conflicts = 0;
};

}  // namespace attnscope::ui
