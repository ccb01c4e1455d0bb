#include "models/conflicts_model.h"

#include <algorithm>

#include <QElapsedTimer>
#include <QFileInfo>
#include "worker/convert.h"

namespace attnscope::ui {

namespace {

constexpr int kSliceMs = 4;
constexpr qsizetype kLongestValue = 200;
constexpr std::size_t kMostItems = 8;

// A value in one line.
QString shortText(const ConfigNode& node) {
  if (node.is_dict()) return node.members().empty() ? QStringLiteral("{}") : QStringLiteral("{…}");
  QString out;
  if (node.is_list()) {
    QStringList items;
    for (const ConfigNode& item : node.items()) {
      items << (items.size() < qsizetype(kMostItems) ? shortText(item) : QStringLiteral("…"));
      if (std::size_t(items.size()) > kMostItems) break;
    }
    out = u'[' + items.join(QStringLiteral(", ")) + u']';
  } else {
    out = qstr(node.text());
    if (out.isEmpty()) out = QStringLiteral("\"\"");
  }
  out.replace(u'\n', u' ');
  return out.size() > kLongestValue ? out.left(kLongestValue) + u'…' : out;
}

}  // namespace

ConflictsModel::ConflictsModel(QObject* parent) : QAbstractTableModel(parent) {
  m_timer.setInterval(0);
  connect(&m_timer, &QTimer::timeout, this, &ConflictsModel::goOn);
}

void ConflictsModel::setMerged(const std::shared_ptr<const MergedConfig>& merged) {
  if (merged == m_merged) return;
  m_merged = merged;
  m_steps.clear();
  m_path.clear();
  m_found.clear();
  if (merged) m_steps.push_back({&merged->tree()});
  m_timer.start();
}

void ConflictsModel::goOn() {
  QElapsedTimer clock;
  clock.start();
  while (!m_steps.empty() && clock.elapsed() < kSliceMs) visit();
  if (m_steps.empty()) finish();
}

// One child of the innermost node.
void ConflictsModel::visit() {
  Step& step = m_steps.back();
  const ConfigNode& node = *step.node;
  const std::size_t count = node.is_dict() ? node.members().size() : node.is_list() ? node.items().size() : 0;
  if (step.next >= count) {
    m_steps.pop_back();
    if (!m_path.empty()) m_path.pop_back();
    return;
  }
  const std::size_t index = step.next++;
  const ConfigNode& child = node.is_dict() ? node.members()[index].second : node.items()[index];
  m_path.push_back(node.is_dict() ? node.members()[index].first : index_key(index));
  const bool done = report(child);
  if (!done && !child.is_scalar())
    m_steps.push_back({&child});
  else
    m_path.pop_back();
}

// True when nothing below needs to be looked at: a list is given whole.
bool ConflictsModel::report(const ConfigNode& node) {
  const std::vector<MergedConfig::Source> sources = m_merged->blame(m_path);
  if (sources.size() < 2) return false;
  const auto isDict = [](const MergedConfig::Source& source) { return source.value.is_dict(); };
  if (std::all_of(sources.begin(), sources.end(), isDict)) return false;  // they are laid on each other
  const QString key = qstr(path_text(m_merged->tree(), m_path));
  bool hidden = false;
  for (const MergedConfig::Source& source : sources) {
    const ConfigLayer& layer = m_merged->layers()[source.layer];
    const bool isFile = layer.kind != ConfigLayer::Kind::overrides;
    const ConfigNode* value = !hidden ? &node : layer.tree ? node_at(*layer.tree, m_path) : nullptr;
    m_found.append({key, shortText(value ? *value : source.value), isFile ? qstr(source.place.file) : QString(),
                    source.place.line, source.place.column, int(source.layer), hidden});
    hidden = true;
  }
  return !node.is_dict();
}

// Only the rows that differ are exchanged, so that the rest keeps its selection.
void ConflictsModel::finish() {
  m_timer.stop();
  const qsizetype least = std::min(m_rows.size(), m_found.size());
  qsizetype begin = 0, end = 0;
  while (begin < least && m_rows[begin] == m_found[begin]) ++begin;
  while (end < least - begin && m_rows[m_rows.size() - 1 - end] == m_found[m_found.size() - 1 - end]) ++end;
  if (const int last = int(m_rows.size() - end) - 1; last >= begin) {
    beginRemoveRows({}, int(begin), last);
    m_rows.remove(begin, last - begin + 1);
    endRemoveRows();
  }
  if (const int last = int(m_found.size() - end) - 1; last >= begin) {
    beginInsertRows({}, int(begin), last);
    m_rows = m_found;
    endInsertRows();
  }
  m_found.clear();
  m_conflicts = int(std::count_if(m_rows.begin(), m_rows.end(), [](const Row& row) { return !row.hidden; }));
  Q_EMIT finished();
}

int ConflictsModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(m_rows.size()); }
int ConflictsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(ColumnCount); }

QVariant ConflictsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  return section == Key ? tr("Key") : section == Value ? tr("Value") : tr("From");
}

QVariant ConflictsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const Row& row = m_rows[index.row()];
  const QString layer = qstr(m_merged ? m_merged->layers()[std::size_t(row.layer)].name : std::string());
  switch (role) {
    case Qt::DisplayRole:
      if (index.column() == Key) return row.hidden ? tr("   hides") : row.key;
      if (index.column() == Value) return row.value;
      if (row.file.isEmpty()) return tr("override");
      return QStringLiteral("%1:%2").arg(QFileInfo(row.file).fileName()).arg(row.line);
    case Qt::ToolTipRole: {
      const QString place = row.file.isEmpty() ? layer : QStringLiteral("%1:%2").arg(row.file).arg(row.line);
      return row.hidden ? tr("%1: %2\nhidden, from %3").arg(row.key, row.value, place)
                        : tr("%1: %2\nin force, from %3").arg(row.key, row.value, place);
    }
    case HiddenRole: return row.hidden;
    case FileRole: return row.file;
    case LineRole: return row.line;
    case ColumnRole: return row.column;
    case LayerRole: return row.layer;
    default: return {};
  }
}

}  // namespace attnscope::ui
