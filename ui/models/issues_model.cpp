#include "models/issues_model.h"

#include "models/log_model.h"

namespace attnscope::ui {

bool IssuesModel::filterAcceptsRow(int row, const QModelIndex& parent) const {
  const QModelIndex index = sourceModel()->index(row, 0, parent);
  return index.data(LogModel::LevelRole).toInt() >= int(Level::Warning);
}

}  // namespace attnscope::ui
