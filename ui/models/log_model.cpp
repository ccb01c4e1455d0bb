#include "models/log_model.h"

namespace attnscope::ui {

LogModel::LogModel(QObject* parent) : QAbstractTableModel(parent) {}

void LogModel::add(Level level, const QString& text, const QString& where, const QString& hint) {
  const QDateTime now = QDateTime::currentDateTime();
  if (!m_entries.isEmpty()) {
    LogEntry& last = m_entries.last();
    if (last.level == level && last.text == text && last.where == where) {
      ++last.count;
      last.time = now;
      const int row = int(m_entries.size()) - 1;
      Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1));
      return;
    }
  }
  if (m_entries.size() >= kMaxEntries) {
    beginRemoveRows({}, 0, 0);
    count(m_entries.takeFirst(), -1);
    endRemoveRows();
  }
  const int row = int(m_entries.size());
  beginInsertRows({}, row, row);
  m_entries.append({now, level, text, where, hint, 1});
  endInsertRows();
  count(m_entries.last(), 1);
}

void LogModel::add(const Failure& failure) { add(Level::Error, failure.message, failure.where, failure.hint); }

void LogModel::clear() {
  beginResetModel();
  m_entries.clear();
  m_issues = m_errors = 0;
  endResetModel();
  Q_EMIT issuesChanged();
}

void LogModel::count(const LogEntry& entry, int by) {
  if (entry.level < Level::Warning) return;
  m_issues += by;
  if (entry.level == Level::Error) m_errors += by;
  Q_EMIT issuesChanged();
}

int LogModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(m_entries.size()); }

int LogModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant LogModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const LogEntry& entry = m_entries[index.row()];
  const QString text = entry.count > 1 ? tr("%1 (%2 times)").arg(entry.text).arg(entry.count) : entry.text;
  switch (role) {
    case Qt::DisplayRole:
      switch (index.column()) {
        case Time: return entry.time.toString(QStringLiteral("hh:mm:ss"));
        case Message: return entry.hint.isEmpty() ? text : text + QStringLiteral(" — ") + entry.hint;
        case Where: return entry.where;
        default: return {};
      }
    case LevelRole: return int(entry.level);
    case Qt::ToolTipRole:
    case FullTextRole: {
      QStringList parts{text};
      if (!entry.where.isEmpty()) parts << entry.where;
      if (!entry.hint.isEmpty()) parts << entry.hint;
      return parts.join(QLatin1Char('\n'));
    }
    default: return {};
  }
}

QString LogModel::columnTitle(int column) {
  switch (column) {
    case Time: return tr("Time");
    case Message: return tr("Message");
    case Where: return tr("Where");
    default: return {};
  }
}

QVariant LogModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  return columnTitle(section);
}

}  // namespace attnscope::ui
