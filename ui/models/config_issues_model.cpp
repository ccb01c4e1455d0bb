#include "models/config_issues_model.h"

#include <algorithm>

#include <QFileInfo>

namespace attnscope::ui {

void ConfigIssuesModel::setIssues(const void* document, const QList<ConfigIssue>& issues) {
  int first = 0;
  while (first < m_rows.size() && m_rows[first].document != document) ++first;
  int end = first;
  while (end < m_rows.size() && m_rows[end].document == document) ++end;
  // What stays at the beginning and the end keeps its rows, and so the selection.
  int head = 0, tail = 0;
  const int before = end - first, after = int(issues.size());
  while (head < std::min(before, after) && m_rows[first + head].issue == issues[head]) ++head;
  while (tail < std::min(before, after) - head && m_rows[end - 1 - tail].issue == issues[after - 1 - tail]) ++tail;
  if (before == after && head == before) return;
  if (const int gone = before - head - tail; gone > 0) {
    beginRemoveRows({}, first + head, first + head + gone - 1);
    m_rows.remove(first + head, gone);
    endRemoveRows();
  }
  if (const int fresh = after - head - tail; fresh > 0) {
    beginInsertRows({}, first + head, first + head + fresh - 1);
    for (int i = 0; i < fresh; ++i) m_rows.insert(first + head + i, {document, issues[head + i]});
    endInsertRows();
  }
  Q_EMIT issuesChanged();
}

int ConfigIssuesModel::errorCount() const {
  return int(
      std::count_if(m_rows.begin(), m_rows.end(), [](const Row& row) { return row.issue.level == Level::Error; }));
}

int ConfigIssuesModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(m_rows.size()); }

int ConfigIssuesModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int(LogModel::ColumnCount);
}

QString ConfigIssuesModel::whereText(const ConfigIssue& issue) {
  QString text = QFileInfo(issue.file).fileName();
  if (issue.line > 0) text += QStringLiteral(":%1:%2").arg(issue.line).arg(issue.column);
  if (!issue.key.isEmpty())
    text += (text.isEmpty() ? QString() : QStringLiteral(" ")) + QLatin1Char('(') + issue.key + QLatin1Char(')');
  return text;
}

QVariant ConfigIssuesModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const ConfigIssue& issue = m_rows[index.row()].issue;
  const QString first = issue.message.section(QLatin1Char('\n'), 0, 0);
  switch (role) {
    case Qt::DisplayRole:
      switch (index.column()) {
        case LogModel::Time: return tr("config");
        case LogModel::Message: return issue.hint.isEmpty() ? first : first + QStringLiteral(" — ") + issue.hint;
        case LogModel::Where: return whereText(issue);
        default: return {};
      }
    case LogModel::LevelRole: return int(issue.level);
    case Qt::ToolTipRole:
    case LogModel::FullTextRole: {
      QStringList parts{issue.message, whereText(issue)};
      if (!issue.hint.isEmpty()) parts << issue.hint;
      return parts.join(QLatin1Char('\n'));
    }
    default: return {};
  }
}

QVariant ConfigIssuesModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  return LogModel::columnTitle(section);
}

}  // namespace attnscope::ui
