#include "models/layers_model.h"

#include <algorithm>

#include <QFileInfo>
#include <QFontDatabase>
#include <QMimeData>

namespace attnscope::ui {

namespace {

constexpr quintptr kLayerId = 0;  // of layers; their texts have the layer's row + 1
constexpr char kMimeType[] = "application/x-attnscope-layer";
constexpr int kHintIndent = 2;  // before the caret, in the engine's hint

int layerOf(const QModelIndex& index) {
  return index.internalId() == kLayerId ? index.row() : int(index.internalId()) - 1;
}
bool isText(const QModelIndex& index) { return index.isValid() && index.internalId() != kLayerId; }

bool sameShape(const QList<LayerSpec>& a, const QList<LayerSpec>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const LayerSpec& x, const LayerSpec& y) {
    return x.kind == y.kind && x.path == y.path && x.overrides.size() == y.overrides.size();
  });
}

}  // namespace

LayersModel::LayersModel(QObject* parent) : QAbstractItemModel(parent) {}

void LayersModel::setLayers(const QString& document, const QList<LayerSpec>& layers) {
  const bool same = sameShape(layers, m_layers);
  if (!same) beginResetModel();
  m_document = document;
  m_layers = layers;
  same ? rowsChanged() : endResetModel();
}

void LayersModel::setIssues(const QList<ConfigIssue>& issues) {
  m_issues = issues;
  rowsChanged();
}

void LayersModel::rowsChanged() {
  if (m_layers.isEmpty()) return;
  Q_EMIT dataChanged(index(0, 0), index(int(m_layers.size()) - 1, ColumnCount - 1));
  for (int row = 0; row < m_layers.size(); ++row)
    if (const int texts = int(m_layers[row].overrides.size()); texts > 0)
      Q_EMIT dataChanged(index(0, 0, index(row, 0)), index(texts - 1, ColumnCount - 1, index(row, 0)));
}

// ---- Changes

void LayersModel::addFiles(const QStringList& paths) {
  if (paths.isEmpty()) return;
  QList<LayerSpec> layers = m_layers;
  // Over the document and the files that are there, under the overrides at the end.
  qsizetype at = layers.size();
  while (at > 0 && layers[at - 1].kind == LayerSpec::Kind::Overrides) --at;
  for (const QString& path : paths) layers.insert(at++, {LayerSpec::Kind::File, path, {}, true});
  const QString name = paths.size() == 1 ? tr("Add layer %1").arg(QFileInfo(paths.first()).fileName())
                                         : tr("Add %1 layers").arg(paths.size());
  Q_EMIT wanted(name, layers, int(at) - 1, -1);
}

void LayersModel::addOverride(const QString& text, const QModelIndex& near) {
  if (text.trimmed().isEmpty()) return;
  QList<LayerSpec> layers = m_layers;
  const auto isOverrides = [&](qsizetype row) { return layers[row].kind == LayerSpec::Kind::Overrides; };
  qsizetype row = near.isValid() && isOverrides(layerOf(near)) ? layerOf(near) : -1;
  for (qsizetype i = layers.size() - 1; row < 0 && i >= 0; --i)
    if (isOverrides(i)) row = i;
  if (row < 0) {
    row = layers.size();
    layers.append({LayerSpec::Kind::Overrides, {}, {}, true});
  }
  layers[row].overrides.append(text.trimmed());
  Q_EMIT wanted(tr("Add override %1").arg(text.trimmed()), layers, int(row), int(layers[row].overrides.size()) - 1);
}

bool LayersModel::canRemove(const QModelIndex& index) const {
  if (!index.isValid()) return false;
  const LayerSpec::Kind kind = m_layers[layerOf(index)].kind;
  return kind == LayerSpec::Kind::File || kind == LayerSpec::Kind::Overrides;
}

void LayersModel::remove(const QModelIndex& index) {
  if (!canRemove(index)) return;
  QList<LayerSpec> layers = m_layers;
  const int layer = layerOf(index);
  if (isText(index) && layers[layer].overrides.size() > 1) {
    const QString text = layers[layer].overrides.takeAt(index.row());
    const int next = std::min(index.row(), int(layers[layer].overrides.size()) - 1);
    Q_EMIT wanted(tr("Remove override %1").arg(text), layers, layer, next);
    return;
  }
  const QString name = nameOf(layer);
  layers.removeAt(layer);
  Q_EMIT wanted(tr("Remove layer %1").arg(name), layers, std::min(layer, int(layers.size()) - 1), -1);
}

// The rows that move together: a document and its bases.
std::pair<int, int> LayersModel::group(int layer) const {
  const auto isOwn = [&](int row) {
    return m_layers[row].kind == LayerSpec::Kind::Base || m_layers[row].kind == LayerSpec::Kind::Document;
  };
  if (!isOwn(layer)) return {layer, layer + 1};
  int begin = layer, end = layer + 1;
  while (begin > 0 && isOwn(begin - 1)) --begin;
  while (end < m_layers.size() && isOwn(end)) ++end;
  return {begin, end};
}

bool LayersModel::canMoveTo(int layer, int before) const {
  const auto [begin, end] = group(layer);
  if (before < 0 || before > m_layers.size() || (before >= begin && before <= end)) return false;
  return before == m_layers.size() || group(before).first == before;  // not between a document and its base
}

void LayersModel::moveTo(int layer, int before) {
  const auto [begin, end] = group(layer);
  QList<LayerSpec> layers = m_layers;
  if (before < begin)
    std::rotate(layers.begin() + before, layers.begin() + begin, layers.begin() + end);
  else
    std::rotate(layers.begin() + begin, layers.begin() + end, layers.begin() + before);
  const int row = before < begin ? before + (layer - begin) : before - (end - layer);
  Q_EMIT wanted(tr("Move layer %1").arg(nameOf(layer)), layers, row, -1);
}

bool LayersModel::canMove(const QModelIndex& index, int by) const {
  if (!index.isValid() || isText(index)) return false;
  const auto [begin, end] = group(index.row());
  return by < 0 ? begin > 0 : end < m_layers.size();
}

void LayersModel::move(const QModelIndex& index, int by) {
  if (!canMove(index, by)) return;
  const auto [begin, end] = group(index.row());
  moveTo(index.row(), by < 0 ? group(begin - 1).first : group(end).second);
}

bool LayersModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!index.isValid()) return false;
  const int layer = layerOf(index);
  QList<LayerSpec> layers = m_layers;
  if (role == Qt::CheckStateRole && !isText(index)) {
    layers[layer].enabled = value.toInt() == Qt::Checked;
    const QString name = layers[layer].enabled ? tr("Switch on layer %1") : tr("Switch off layer %1");
    Q_EMIT wanted(name.arg(nameOf(layer)), layers, layer, -1);
    return true;
  }
  if (role != Qt::EditRole || !isText(index)) return false;
  const QString text = value.toString().trimmed();
  if (text == layers[layer].overrides[index.row()]) return false;
  if (text.isEmpty()) {
    remove(index);
    return true;
  }
  layers[layer].overrides[index.row()] = text;
  Q_EMIT wanted(tr("Edit override %1").arg(text), layers, layer, index.row());
  return true;
}

// ---- Drag and drop

QStringList LayersModel::mimeTypes() const { return {QLatin1String(kMimeType)}; }

QMimeData* LayersModel::mimeData(const QModelIndexList& indexes) const {
  if (indexes.isEmpty() || isText(indexes.first())) return nullptr;
  auto* data = new QMimeData;
  data->setData(QLatin1String(kMimeType), QByteArray::number(indexes.first().row()));
  return data;
}

bool LayersModel::canDropMimeData(const QMimeData* data, Qt::DropAction, int row, int,
                                  const QModelIndex& parent) const {
  if (!data->hasFormat(QLatin1String(kMimeType)) || parent.isValid()) return false;
  const int layer = data->data(QLatin1String(kMimeType)).toInt();
  return layer < m_layers.size() && canMoveTo(layer, row < 0 ? int(m_layers.size()) : row);
}

bool LayersModel::dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                               const QModelIndex& parent) {
  if (!canDropMimeData(data, action, row, column, parent)) return false;
  moveTo(data->data(QLatin1String(kMimeType)).toInt(), row < 0 ? int(m_layers.size()) : row);
  return true;
}

// ---- Rows

QModelIndex LayersModel::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent)) return {};
  return createIndex(row, column, parent.isValid() ? quintptr(parent.row()) + 1 : kLayerId);
}

QModelIndex LayersModel::parent(const QModelIndex& index) const {
  return isText(index) ? createIndex(layerOf(index), 0, kLayerId) : QModelIndex();
}

int LayersModel::rowCount(const QModelIndex& parent) const {
  if (!parent.isValid()) return int(m_layers.size());
  return isText(parent) || parent.column() > 0 ? 0 : int(m_layers[parent.row()].overrides.size());
}

int LayersModel::columnCount(const QModelIndex&) const { return ColumnCount; }

Qt::ItemFlags LayersModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::ItemIsDropEnabled;
  Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
  if (isText(index)) return index.column() == Name ? flags | Qt::ItemIsEditable : flags;
  if (index.column() == Name) flags |= Qt::ItemIsUserCheckable;
  if (m_layers[index.row()].kind != LayerSpec::Kind::Base) flags |= Qt::ItemIsDragEnabled;
  return flags;
}

QVariant LayersModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  return section == Name ? tr("Layer") : tr("What it is");
}

QVariant LayersModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const int layer = layerOf(index);
  if (isText(index)) return index.column() == Name ? overrideData(layer, index.row(), role) : QVariant();
  if (index.column() == Name) return layerData(layer, role);
  switch (role) {
    case Qt::DisplayRole: {
      if (const QString error = errorOf(m_layers[layer]); !error.isEmpty()) return error;
      switch (m_layers[layer].kind) {
        case LayerSpec::Kind::Document: return tr("this document");
        case LayerSpec::Kind::Base: return tr("its base");
        case LayerSpec::Kind::File: return tr("merged file");
        case LayerSpec::Kind::Overrides: return tr("key=value");
      }
      return {};
    }
    case Qt::ToolTipRole:
    case ErrorRole: return layerData(layer, role);
    default: return {};
  }
}

QString LayersModel::nameOf(int layer) const {
  const LayerSpec& spec = m_layers[layer];
  if (spec.kind == LayerSpec::Kind::Overrides) return tr("Overrides");
  return QFileInfo(spec.kind == LayerSpec::Kind::Document ? m_document : spec.path).fileName();
}

QVariant LayersModel::layerData(int layer, int role) const {
  const LayerSpec& spec = m_layers[layer];
  switch (role) {
    case Qt::DisplayRole: return nameOf(layer);
    case Qt::CheckStateRole: return spec.enabled ? Qt::Checked : Qt::Unchecked;
    case Qt::ToolTipRole: {
      QStringList lines;
      if (spec.kind == LayerSpec::Kind::Document) lines << m_document;
      if (!spec.path.isEmpty()) lines << spec.path;
      if (const QString error = errorOf(spec); !error.isEmpty()) lines << error;
      lines << (spec.kind == LayerSpec::Kind::Base ? tr("Named by _base_: stays below the document")
                                                   : tr("Wins over the layers above it"));
      return lines.join(u'\n');
    }
    case KindRole: return int(spec.kind);
    case PathRole: return spec.kind == LayerSpec::Kind::Document ? m_document : spec.path;
    case ErrorRole: return errorOf(spec);
    default: return {};
  }
}

QVariant LayersModel::overrideData(int layer, int text, int role) const {
  const QString& override = m_layers[layer].overrides[text];
  switch (role) {
    case Qt::DisplayRole: {
      const QString error = errorOf(override);
      return error.isEmpty() ? override : override + u'\n' + error;
    }
    case Qt::EditRole: return override;
    case Qt::FontRole: return QFontDatabase::systemFont(QFontDatabase::FixedFont);
    case Qt::ToolTipRole: return tr("F2 or a double click edits it");
    case KindRole: return -1;
    case ErrorRole: return errorOf(override);
    default: return {};
  }
}

QString LayersModel::errorOf(const LayerSpec& layer) const {
  if (layer.kind != LayerSpec::Kind::File && layer.kind != LayerSpec::Kind::Base) return {};
  for (const ConfigIssue& issue : m_issues)
    if (issue.level == Level::Error && issue.file == layer.path) return issue.message;
  return {};
}

// The caret of the engine's hint and what is wrong there: "    ^ a list item needs a number".
QString LayersModel::errorOf(const QString& override) const {
  for (const ConfigIssue& issue : m_issues)
    if (issue.hint.section(u'\n', 0, 0) == override && issue.hint.contains(u'\n'))
      return issue.hint.section(u'\n', 1, 1).mid(kHintIndent) + u' ' + issue.message;
  return {};
}

}  // namespace attnscope::ui
