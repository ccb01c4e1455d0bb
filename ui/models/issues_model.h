#pragma once
#include <QSortFilterProxyModel>

namespace attnscope::ui {

// The warnings and errors of a LogModel.
class IssuesModel : public QSortFilterProxyModel {
  Q_OBJECT

 public:
  using QSortFilterProxyModel::QSortFilterProxyModel;

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
};

}  // namespace attnscope::ui
