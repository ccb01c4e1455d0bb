#pragma once
#include <QAbstractTableModel>

#include "models/log_model.h"
#include "worker/config_snapshot.h"

namespace attnscope::ui {

// What is wrong in the open configs now, in the columns and roles of LogModel. Issues go when what they say is mended.
class ConfigIssuesModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  using QAbstractTableModel::QAbstractTableModel;

  // Replaces the issues of one document; rows of others stay as they are.
  void setIssues(const void* document, const QList<ConfigIssue>& issues);
  void remove(const void* document) { setIssues(document, {}); }

  int issueCount() const { return int(m_rows.size()); }
  int errorCount() const;
  ConfigIssue issueAt(int row) const { return m_rows.value(row).issue; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  static QString whereText(const ConfigIssue& issue);  // "file:line:column (key)"

 Q_SIGNALS:
  void issuesChanged();

 private:
  struct Row {
    const void* document;
    ConfigIssue issue;
  };
  QList<Row> m_rows;
};

}  // namespace attnscope::ui
