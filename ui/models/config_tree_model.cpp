#include "models/config_tree_model.h"

#include <algorithm>

#include <QFileInfo>
#include <QFont>
#include <QMimeData>

#include "config/writer.h"
#include "models/config_tree_rows.h"

namespace attnscope::ui {

namespace {

const QString kRowsMime = QStringLiteral("application/x-attnscope-config-rows");

QString placeText(const ConfigPlace& place, bool full) {
  if (place.file.empty()) return {};
  const QString file = full ? qstr(place.file) : QFileInfo(qstr(place.file)).fileName();
  return place.line > 0 ? file + QLatin1Char(':') + QString::number(place.line) : file;
}

}  // namespace

ConfigTreeModel::ConfigTreeModel(QObject* parent) : QAbstractItemModel(parent), m_root(std::make_unique<Row>()) {}
ConfigTreeModel::~ConfigTreeModel() = default;

std::vector<ConfigTreeModel::Child> ConfigTreeModel::childrenOf(const Row& row) const {
  std::vector<Child> out;
  const ConfigNode* node = row.child.node;
  if (!node || node->is_scalar()) return out;
  const auto at = [node](int position) -> Child {
    if (node->is_list()) return {position, nullptr, &node->items()[std::size_t(position)]};
    const auto& member = node->members()[std::size_t(position)];
    return {position, &member.first, &member.second};
  };
  const ConfigFilter* filter = row.epoch == m_epoch ? m_filter.get() : m_oldFilter.get();
  if (filter)
    if (const auto found = filter->shown.find(node); found != filter->shown.end()) {
      for (int position : found->second) out.push_back(at(position));
      return out;
    }
  const std::size_t count = node->is_list() ? node->items().size() : node->members().size();
  out.reserve(count);
  for (std::size_t i = 0; i < count; ++i) out.push_back(at(int(i)));
  return out;
}

std::size_t ConfigTreeModel::countOf(const Row& row) const {
  const ConfigNode* node = row.child.node;
  if (!node || node->is_scalar()) return 0;
  const ConfigFilter* filter = row.epoch == m_epoch ? m_filter.get() : m_oldFilter.get();
  if (filter)
    if (const auto found = filter->shown.find(node); found != filter->shown.end()) return found->second.size();
  return node->is_list() ? node->items().size() : node->members().size();
}

void ConfigTreeModel::build(Row& row) const {
  if (row.built) return;
  const std::vector<Child> children = childrenOf(row);
  row.children.reserve(children.size());
  for (const Child& child : children)
    row.children.push_back(std::make_unique<Row>(&row, int(row.children.size()), child, row.epoch));
  row.built = true;
}

ConfigTreeModel::Row* ConfigTreeModel::rowOf(const QModelIndex& index) const {
  return index.isValid() ? static_cast<Row*>(index.internalPointer()) : m_root.get();
}

QModelIndex ConfigTreeModel::indexOfRow(const Row* row, int column) const {
  return row == m_root.get() ? QModelIndex() : createIndex(row->row, column, row);
}

QModelIndex ConfigTreeModel::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent)) return {};
  Row* above = rowOf(parent);
  build(*above);
  return createIndex(row, column, above->children[std::size_t(row)].get());
}

QModelIndex ConfigTreeModel::parent(const QModelIndex& index) const {
  return index.isValid() ? indexOfRow(rowOf(index)->parent) : QModelIndex();
}

int ConfigTreeModel::rowCount(const QModelIndex& parent) const {
  if (parent.column() > 0) return 0;
  Row* row = rowOf(parent);
  if (row->built) return int(row->children.size());
  if (row->count < 0) row->count = int(countOf(*row));
  return row->count;
}

int ConfigTreeModel::columnCount(const QModelIndex&) const { return ColumnCount; }
bool ConfigTreeModel::hasChildren(const QModelIndex& parent) const { return rowCount(parent) > 0; }

ConfigPath ConfigTreeModel::pathOf(const Row* row) const {
  ConfigPath path;
  for (; row && row->parent; row = row->parent)
    path.push_back(row->child.key ? *row->child.key : index_key(std::size_t(row->child.position)));
  std::reverse(path.begin(), path.end());
  return path;
}

QString ConfigTreeModel::pathText(const Row* row) const {
  if (!row->parent) return {};
  const QString above = pathText(row->parent);
  if (!row->child.key) return above + QStringLiteral("[%1]").arg(row->child.position);
  const QString step = qstr(path_step(row->child.key->text()));
  return above.isEmpty() ? step : above + QLatin1Char('.') + step;
}

ConfigPath ConfigTreeModel::pathAt(const QModelIndex& index) const { return pathOf(rowOf(index)); }
const ConfigNode* ConfigTreeModel::nodeAt(const QModelIndex& index) const { return rowOf(index)->child.node; }

const SchemaEntry* ConfigTreeModel::entryAt(const QModelIndex& index) const {
  return m_snapshot.schema ? m_snapshot.schema->find(pathAt(index)) : nullptr;
}

QModelIndex ConfigTreeModel::indexOf(const ConfigPath& path, int column) const {
  Row* row = m_root.get();
  for (const ConfigKey& key : path) {
    build(*row);
    const auto found = std::find_if(row->children.begin(), row->children.end(), [&](const auto& child) {
      return child->child.key ? *child->child.key == key : index_of(key) == std::size_t(child->child.position);
    });
    if (found == row->children.end()) return {};
    row = found->get();
  }
  return indexOfRow(row, column);
}

QString ConfigTreeModel::sourceText(const Row& row) const {
  if (m_snapshot.merged) {
    const auto sources = m_snapshot.merged->blame(pathOf(&row));
    if (!sources.empty() && m_snapshot.merged->layers()[sources.front().layer].kind == ConfigLayer::Kind::overrides)
      return tr("override");
    if (!sources.empty()) return placeText(sources.front().place, false);
  }
  return placeText(row.child.node->place(), false);
}

QString ConfigTreeModel::valueCell(const Row& row) const {
  const ConfigNode& node = *row.child.node;
  if (node.is_missing()) return tr("must be given");
  const QString text = valueText(node);
  if (!node.is_interpolation()) return text;
  const ResolvedText resolved = m_snapshot.resolved.value(pathText(&row));
  if (!resolved.error.isEmpty()) return tr("%1 → %2").arg(text, resolved.error);
  return resolved.text.isEmpty() ? text : tr("%1 = %2").arg(text, resolved.text);
}

int ConfigTreeModel::issueLevel(const QString& pathText) const {
  int level = -1;
  for (const ConfigIssue* issue : m_issues.value(pathText)) level = std::max(level, int(issue->level));
  return level;
}

QVariant ConfigTreeModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const Row& row = *rowOf(index);
  const ConfigNode& node = *row.child.node;
  switch (role) {
    case Qt::DisplayRole:
      if (index.column() == Source) return sourceText(row);
      if (index.column() == Value) return valueCell(row);
      return row.child.key ? qstr(row.child.key->text()) : QStringLiteral("[%1]").arg(row.child.position);
    case Qt::EditRole:
      if (index.column() == Value) return editText(node, valueType(node, entryAt(index)));
      return row.child.key ? qstr(row.child.key->text()) : QString();
    case Qt::CheckStateRole:
      if (index.column() != Value || node.kind() != ConfigNode::Kind::boolean) return {};
      return int(node.as_bool() ? Qt::Checked : Qt::Unchecked);
    case Qt::ToolTipRole: return tip(index);
    case Qt::AccessibleTextRole:
      if (index.column() != Value || node.is_scalar()) return {};
      return node.is_dict() ? tr("%n key(s)", nullptr, int(node.members().size()))
                            : tr("%n item(s)", nullptr, int(node.items().size()));
    case Qt::FontRole: {
      if (index.column() == Source || !m_snapshot.changed.contains(pathText(&row))) return {};
      QFont font;
      font.setBold(true);
      return font;
    }
    case PathRole: return pathText(&row);
    case TypeRole: return int(valueType(node, entryAt(index)));
    case ChangedRole: return m_snapshot.changed.contains(pathText(&row));
    case MissingRole: return node.is_missing();
    case ErrorRole: return node.is_interpolation() ? m_snapshot.resolved.value(pathText(&row)).error : QString();
    case ResolvedRole: return node.is_interpolation() ? m_snapshot.resolved.value(pathText(&row)).text : QString();
    case DefaultRole: {
      const SchemaEntry* entry = entryAt(index);
      return entry && entry->default_value ? valueText(*entry->default_value) : QString();
    }
    case ResettableRole: {
      const SchemaEntry* entry = entryAt(index);
      return entry && entry->default_value && !(*entry->default_value == node);
    }
    case IssueRole: return issueLevel(pathText(&row));
    case WordsRole: return m_filter ? m_filter->words : QStringList();
    default: return {};
  }
}

void ConfigTreeModel::editValue(const QModelIndex& index, const ConfigNode& value) {
  if (index.isValid()) Q_EMIT valueEdited(pathAt(index), value);
}

bool ConfigTreeModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!index.isValid()) return false;
  if (role == Qt::CheckStateRole && index.column() == Value) {
    editValue(index, ConfigNode(value.toInt() == Qt::Checked));
    return true;
  }
  if (role != Qt::EditRole || index.column() != Key || !rowOf(index)->child.key) return false;
  const QString key = value.toString();
  if (key.isEmpty() || key == index.data(Qt::EditRole).toString()) return false;
  Q_EMIT keyEdited(pathAt(index), key);
  return true;
}

Qt::ItemFlags ConfigTreeModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::ItemIsDropEnabled;
  const Row& row = *rowOf(index);
  Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsDragEnabled;
  if (!row.child.node->is_scalar()) flags |= Qt::ItemIsDropEnabled;
  if (index.column() == Key && row.child.key) flags |= Qt::ItemIsEditable;
  if (index.column() != Value || !row.child.node->is_scalar()) return flags;
  if (row.child.node->kind() == ConfigNode::Kind::boolean) flags |= Qt::ItemIsUserCheckable;
  return flags | Qt::ItemIsEditable;
}

QVariant ConfigTreeModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) return int(Qt::AlignLeft | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole) {
    switch (section) {
      case Key: return tr("Key; F2 renames it");
      case Value: return tr("Value; Enter edits it");
      case Source: return tr("File and line that the value is from; F4 goes there");
    }
  }
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case Key: return tr("Key");
    case Value: return tr("Value");
    case Source: return tr("Source");
    default: return {};
  }
}

QStringList ConfigTreeModel::mimeTypes() const { return {kRowsMime}; }

QMimeData* ConfigTreeModel::mimeData(const QModelIndexList& indexes) const {
  std::vector<ConfigPath> paths;
  for (const QModelIndex& index : indexes)
    if (index.column() == Key) paths.push_back(pathAt(index));
  if (paths.empty()) return nullptr;
  // A path means nothing elsewhere: what is dragged stays here, and the data only say whose it is.
  m_dragged = std::move(paths);
  auto* data = new QMimeData;
  data->setData(kRowsMime, QByteArray::number(quintptr(this)));
  return data;
}

bool ConfigTreeModel::canDropMimeData(const QMimeData* data, Qt::DropAction action, int, int,
                                      const QModelIndex& parent) const {
  const ConfigNode* node = nodeAt(parent);
  const bool own = data->data(kRowsMime) == QByteArray::number(quintptr(this));
  if (!own || action != Qt::MoveAction || !node || node->is_scalar()) return false;
  const ConfigPath container = pathAt(parent);
  return std::none_of(m_dragged.begin(), m_dragged.end(),
                      [&](const ConfigPath& path) { return starts_with(container, path); });
}

bool ConfigTreeModel::dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                                   const QModelIndex& parent) {
  if (!canDropMimeData(data, action, row, column, parent)) return false;
  std::optional<ConfigKey> before;
  if (row >= 0 && row < rowCount(parent)) before = pathAt(index(row, Key, parent)).back();
  Q_EMIT moveRequested(m_dragged, pathAt(parent), before);
  return true;
}

}  // namespace attnscope::ui
