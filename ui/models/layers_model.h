#pragma once
#include <QAbstractItemModel>

#include "worker/config_snapshot.h"

namespace attnscope::ui {

// A document's layers in the order in which they are laid: a row wins over those above it. Below a layer of overrides
// are its texts. Changes nothing by itself: what the user wants is asked for with wanted(), and comes back with
// setLayers().
class LayersModel : public QAbstractItemModel {
  Q_OBJECT

 public:
  enum Column { Name, What, ColumnCount };
  enum Role { KindRole = Qt::UserRole + 1, PathRole, ErrorRole };  // of a text of overrides: KindRole is -1

  explicit LayersModel(QObject* parent = nullptr);

  // `document`: the file that is edited.
  void setLayers(const QString& document, const QList<LayerSpec>& layers);
  const QList<LayerSpec>& layers() const { return m_layers; }
  // Shown at the layers and texts that they are about.
  void setIssues(const QList<ConfigIssue>& issues);

  // Each asks for one change. Rows that cannot be changed so are left alone.
  void addFiles(const QStringList& paths);
  // To the layer of overrides at or above `near`, else the last one, else a new one.
  void addOverride(const QString& text, const QModelIndex& near);
  void remove(const QModelIndex& index);
  bool canRemove(const QModelIndex& index) const;
  // One place up or down. The document takes its bases along.
  void move(const QModelIndex& index, int by);
  bool canMove(const QModelIndex& index, int by) const;

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& index) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
  QStringList mimeTypes() const override;
  QMimeData* mimeData(const QModelIndexList& indexes) const override;
  bool canDropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                       const QModelIndex& parent) const override;
  bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                    const QModelIndex& parent) override;

 Q_SIGNALS:
  // `name`: of the undo step. `row`: where the changed layer is then, `text`: the text in it; -1: none.
  void wanted(const QString& name, const QList<attnscope::ui::LayerSpec>& layers, int row, int text);

 private:
  void rowsChanged();
  QString nameOf(int layer) const;
  QVariant layerData(int layer, int role) const;
  QVariant overrideData(int layer, int text, int role) const;
  QString errorOf(const LayerSpec& layer) const;
  QString errorOf(const QString& override) const;
  std::pair<int, int> group(int layer) const;
  bool canMoveTo(int layer, int before) const;
  void moveTo(int layer, int before);

  QString m_document;
  QList<LayerSpec> m_layers;
  QList<ConfigIssue> m_issues;
};

}  // namespace attnscope::ui
