#pragma once
#include <QAbstractTableModel>

#include "worker/run_data.h"

namespace attnscope::ui {

// Names and values, read-only: a config's summary or a run's manifest.
class FactsModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  explicit FactsModel(QObject* parent = nullptr);
  void setFacts(const QList<Fact>& facts);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  QList<Fact> m_facts;
};

}  // namespace attnscope::ui
