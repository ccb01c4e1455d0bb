#pragma once
#include <memory>
#include <optional>
#include <vector>

#include <QAbstractItemModel>

#include "models/config_filter.h"
#include "models/config_value.h"
#include "worker/config_snapshot.h"

namespace attnscope::ui {

// A config tree as rows: key, value, source. Rows are made when a view looks at them. A new snapshot changes only the
// rows that differ, so that selection, expansion and scroll position stay. It edits nothing itself: it says what is to
// be edited, and the next snapshot shows it.
class ConfigTreeModel : public QAbstractItemModel {
  Q_OBJECT

 public:
  enum Column { Key, Value, Source, ColumnCount };
  enum Role {
    PathRole = Qt::UserRole + 1,  // path_text()
    TypeRole,                     // int(ValueType)
    ChangedRole,                  // since the file was saved
    MissingRole,                  // `???`
    ErrorRole,                    // why an expression stands for nothing
    ResolvedRole,                 // what it stands for
    DefaultRole,                  // the schema's, as text
    ResettableRole,               // there is a default, and the value is another
    IssueRole,                    // int(Level) of the worst issue; -1: none
    WordsRole                     // what is searched for
  };

  explicit ConfigTreeModel(QObject* parent = nullptr);
  ~ConfigTreeModel() override;

  // The filter must be made from that snapshot; null shows everything.
  void setSnapshot(const ConfigSnapshot& snapshot, const std::shared_ptr<const ConfigFilter>& filter = {});
  const ConfigSnapshot& snapshot() const { return m_snapshot; }
  const ConfigFilter* filter() const { return m_filter.get(); }

  ConfigPath pathAt(const QModelIndex& index) const;
  const ConfigNode* nodeAt(const QModelIndex& index) const;  // of an invalid index: the root; may be null
  const SchemaEntry* entryAt(const QModelIndex& index) const;
  QModelIndex indexOf(const ConfigPath& path, int column = Key) const;
  // Asks for a value, as an editor does.
  void editValue(const QModelIndex& index, const ConfigNode& value);

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& index) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  bool hasChildren(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  QStringList mimeTypes() const override;
  QMimeData* mimeData(const QModelIndexList& indexes) const override;
  Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
  bool canDropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                       const QModelIndex& parent) const override;
  bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                    const QModelIndex& parent) override;

 Q_SIGNALS:
  void valueEdited(const attnscope::ConfigPath& path, const attnscope::ConfigNode& value);
  void keyEdited(const attnscope::ConfigPath& path, const QString& key);
  // Rows were dropped before a child of a container; at its end when there is none.
  void moveRequested(const std::vector<attnscope::ConfigPath>& paths, const attnscope::ConfigPath& container,
                     const std::optional<attnscope::ConfigKey>& before);

 private:
  struct Row;
  struct Child;
  struct Sync;
  Row* rowOf(const QModelIndex& index) const;
  QModelIndex indexOfRow(const Row* row, int column = Key) const;
  std::vector<Child> childrenOf(const Row& row) const;
  std::size_t countOf(const Row& row) const;
  void build(Row& row) const;
  ConfigPath pathOf(const Row* row) const;
  QString pathText(const Row* row) const;
  QString sourceText(const Row& row) const;
  QString valueCell(const Row& row) const;
  QString tip(const QModelIndex& index) const;
  QStringList sourceTip(const Row& row) const;
  int issueLevel(const QString& pathText) const;

  ConfigSnapshot m_snapshot;
  std::shared_ptr<const ConfigFilter> m_filter, m_oldFilter;
  QHash<QString, QList<const ConfigIssue*>> m_issues;
  std::unique_ptr<Row> m_root;
  mutable std::vector<ConfigPath> m_dragged;
  quint32 m_epoch = 0;  // of the snapshot; rows of an older one are not synced yet
};

}  // namespace attnscope::ui
