#pragma once
#include <memory>

#include <QAbstractItemModel>

#include "worker/run_data.h"

namespace attnscope::ui {

// The attention layers of a model, by place: down_blocks > 1.attentions.0 > attn1, attn2, with a transformer_blocks
// level between where a block has several. Read-only.
class AttentionTreeModel : public QAbstractItemModel {
  Q_OBJECT

 public:
  enum Column { Node, Processor, Size, Heads, Calls, ColumnCount };
  enum Role { KeyRole = Qt::UserRole + 1, CapturedRole, SortRole };

  explicit AttentionTreeModel(QObject* parent = nullptr);
  ~AttentionTreeModel() override;

  void setLayers(const QList<LayerInfo>& layers);
  int layerCount() const { return int(m_layers.size()); }
  int capturedCount() const;
  QModelIndex indexOfKey(const QString& key) const;

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& index) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  struct Item;
  Item* itemOf(const QModelIndex& index) const;
  QVariant layerText(const LayerInfo& layer, int column) const;
  QString layerTip(const LayerInfo& layer) const;

  QList<LayerInfo> m_layers;
  std::unique_ptr<Item> m_root;
};

}  // namespace attnscope::ui
