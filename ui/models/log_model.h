#pragma once
#include <QAbstractTableModel>
#include <QDateTime>

#include "worker/log_bridge.h"
#include "worker/run_data.h"

namespace attnscope::ui {

struct LogEntry {
  QDateTime time;
  Level level = Level::Info;
  QString text, where, hint;
  int count = 1;  // a repeat of the entry before it raises this instead of adding a row
};

// What was said, newest last. Keeps the last kMaxEntries.
class LogModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { Time, Message, Where, ColumnCount };
  enum Role { LevelRole = Qt::UserRole + 1, FullTextRole };
  static constexpr int kMaxEntries = 2000;

  explicit LogModel(QObject* parent = nullptr);

  // The title of a column, for all lists of messages.
  static QString columnTitle(int column);

  void add(Level level, const QString& text, const QString& where = {}, const QString& hint = {});
  void add(const Failure& failure);
  void clear();
  int issueCount() const { return m_issues; }  // warnings and errors
  int errorCount() const { return m_errors; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 Q_SIGNALS:
  void issuesChanged();

 private:
  void count(const LogEntry& entry, int by);
  QList<LogEntry> m_entries;
  int m_issues = 0, m_errors = 0;
};

}  // namespace attnscope::ui
