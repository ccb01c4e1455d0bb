#include "models/facts_model.h"

namespace attnscope::ui {

FactsModel::FactsModel(QObject* parent) : QAbstractTableModel(parent) {}

void FactsModel::setFacts(const QList<Fact>& facts) {
  beginResetModel();
  m_facts = facts;
  endResetModel();
}

int FactsModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(m_facts.size()); }

int FactsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : 2; }

QVariant FactsModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Fact& fact = m_facts[index.row()];
  if (role == Qt::DisplayRole) return index.column() == 0 ? fact.name : fact.value;
  if (role == Qt::ToolTipRole) return fact.name + QStringLiteral(": ") + fact.value;
  return {};
}

QVariant FactsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  return section == 0 ? tr("Key") : tr("Value");
}

}  // namespace attnscope::ui
