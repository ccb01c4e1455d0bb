#include "models/attention_tree_model.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include <QHash>

namespace attnscope::ui {

struct AttentionTreeModel::Item {
  Item* parent = nullptr;
  int row = 0;
  QString text;
  int layer = -1;  // index into m_layers; -1: a group
  std::vector<std::unique_ptr<Item>> children;

  Item* child(const QString& name) {
    for (const auto& c : children)
      if (c->text == name) return c.get();
    return add(name);
  }
  Item* add(const QString& name) {
    children.push_back(std::make_unique<Item>());
    Item* item = children.back().get();
    item->parent = this;
    item->row = int(children.size()) - 1;
    item->text = name;
    return item;
  }
};

namespace {

// "down_blocks.1.attentions.0.transformer_blocks.2.attn1.processor" in the parts the tree shows.
struct KeyParts {
  QString place, block, transformer, leaf;
};

KeyParts splitKey(const QString& key) {
  QStringList parts = key.split(QLatin1Char('.'), Qt::SkipEmptyParts);
  if (parts.size() > 1 && parts.last() == QLatin1String("processor")) parts.removeLast();
  KeyParts out;
  if (parts.isEmpty()) return out;
  out.leaf = parts.takeLast();
  if (parts.isEmpty()) return out;
  out.place = parts.takeFirst();
  const qsizetype at = parts.indexOf(QStringLiteral("transformer_blocks"));
  if (at >= 0) {
    out.transformer = QStringList(parts.mid(at)).join(QLatin1Char('.'));
    parts = parts.mid(0, at);
  }
  out.block = parts.join(QLatin1Char('.'));
  return out;
}

int placeRank(const QString& key) {
  if (key.startsWith(QLatin1String("down"))) return 0;
  if (key.startsWith(QLatin1String("mid"))) return 1;
  return key.startsWith(QLatin1String("up")) ? 2 : 3;
}

QString sizeText(int height, int width) {
  if (height <= 0 || width <= 0) return {};
  return height == width ? QString::number(height) + QStringLiteral("²")
                         : QStringLiteral("%1×%2").arg(height).arg(width);
}

}  // namespace

AttentionTreeModel::AttentionTreeModel(QObject* parent)
    : QAbstractItemModel(parent), m_root(std::make_unique<Item>()) {}
AttentionTreeModel::~AttentionTreeModel() = default;

void AttentionTreeModel::setLayers(const QList<LayerInfo>& layers) {
  beginResetModel();
  m_layers = layers;
  m_root = std::make_unique<Item>();
  QHash<QString, QString> first;  // block path -> its first transformer block
  QHash<QString, bool> several;
  for (const LayerInfo& layer : layers) {
    const KeyParts parts = splitKey(layer.key);
    const QString block = parts.place + QLatin1Char('.') + parts.block;
    if (!first.contains(block)) first.insert(block, parts.transformer);
    if (first.value(block) != parts.transformer) several.insert(block, true);
  }
  // As the data flows: down, mid, up. Inside a place the order is the model's own.
  QList<int> order(layers.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return placeRank(layers[a].key) < placeRank(layers[b].key); });
  for (int i : order) {
    const KeyParts parts = splitKey(layers[i].key);
    Item* item = m_root.get();
    if (!parts.place.isEmpty()) item = item->child(parts.place);
    if (!parts.block.isEmpty()) item = item->child(parts.block);
    if (several.value(parts.place + QLatin1Char('.') + parts.block) && !parts.transformer.isEmpty())
      item = item->child(parts.transformer);
    item->add(parts.leaf)->layer = i;
  }
  endResetModel();
}

int AttentionTreeModel::capturedCount() const {
  return int(std::count_if(m_layers.begin(), m_layers.end(), [](const LayerInfo& l) { return l.captured; }));
}

QModelIndex AttentionTreeModel::indexOfKey(const QString& key) const {
  const auto find = [&](auto&& self, Item* item) -> QModelIndex {
    if (item->layer >= 0 && m_layers[item->layer].key == key) return createIndex(item->row, 0, item);
    for (const auto& child : item->children)
      if (const QModelIndex found = self(self, child.get()); found.isValid()) return found;
    return {};
  };
  return find(find, m_root.get());
}

AttentionTreeModel::Item* AttentionTreeModel::itemOf(const QModelIndex& index) const {
  return index.isValid() ? static_cast<Item*>(index.internalPointer()) : m_root.get();
}

QModelIndex AttentionTreeModel::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent)) return {};
  return createIndex(row, column, itemOf(parent)->children[row].get());
}

QModelIndex AttentionTreeModel::parent(const QModelIndex& index) const {
  if (!index.isValid()) return {};
  Item* above = itemOf(index)->parent;
  return above && above != m_root.get() ? createIndex(above->row, 0, above) : QModelIndex();
}

int AttentionTreeModel::rowCount(const QModelIndex& parent) const {
  return parent.column() > 0 ? 0 : int(itemOf(parent)->children.size());
}

int AttentionTreeModel::columnCount(const QModelIndex&) const { return ColumnCount; }

QVariant AttentionTreeModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const Item* item = itemOf(index);
  const LayerInfo* layer = item->layer >= 0 ? &m_layers[item->layer] : nullptr;
  switch (role) {
    case Qt::DisplayRole:
      if (index.column() == Node) return item->text;
      return layer ? layerText(*layer, index.column()) : QVariant();
    case Qt::ToolTipRole: return layer ? layerTip(*layer) : item->text;
    case Qt::TextAlignmentRole:
      return int(index.column() >= Size ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    case KeyRole: return layer ? layer->key : QString();
    case CapturedRole: return layer && layer->captured;
    default: return {};
  }
}

QVariant AttentionTreeModel::layerText(const LayerInfo& layer, int column) const {
  switch (column) {
    case Processor: return layer.processor;
    case Size: return sizeText(layer.height, layer.width);
    case Heads: return layer.heads > 0 ? QStringLiteral("%1 × %2").arg(layer.heads).arg(layer.headDim) : QString();
    case Calls: return layer.calls;
    default: return {};
  }
}

QString AttentionTreeModel::layerTip(const LayerInfo& layer) const {
  QStringList lines{layer.key};
  lines << (layer.crossDim > 0 ? tr("cross-attention over the prompt, %1 wide").arg(layer.crossDim)
                               : tr("self-attention over the picture"));
  lines << tr("processor %1, called %2 times").arg(layer.processor).arg(layer.calls);
  lines << (layer.captured ? tr("Its maps are in the run: select it to see them alone.")
                           : tr("Its maps were not captured."));
  return lines.join(QLatin1Char('\n'));
}

QVariant AttentionTreeModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole)
    return int(section >= Size ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole) {
    switch (section) {
      case Node: return tr("Where the attention layer sits in the UNet");
      case Processor: return tr("What computes it (attn_processors)");
      case Size: return tr("Queries: cells of the picture at this layer, height × width");
      case Heads: return tr("Heads × width of a head");
      case Calls: return tr("How often it ran");
    }
  }
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case Node: return tr("Node");
    case Processor: return tr("Processor");
    case Size: return tr("Size");
    case Heads: return tr("Heads");
    case Calls: return tr("Calls");
    default: return {};
  }
}

}  // namespace attnscope::ui
