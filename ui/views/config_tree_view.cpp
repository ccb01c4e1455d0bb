#include "views/config_tree_view.h"

#include <algorithm>

#include <QHeaderView>
#include <QKeyEvent>

#include "models/config_tree_model.h"
#include "views/value_delegate.h"

namespace attnscope::ui {

ConfigTreeView::ConfigTreeView(ConfigTreeModel* model, ValueDelegate* delegate, QWidget* parent)
    : QTreeView(parent), m_model(model), m_delegate(delegate) {
  setObjectName(QStringLiteral("configTree"));
  setAccessibleName(tr("Configuration"));
  setModel(model);
  setItemDelegate(delegate);
  setUniformRowHeights(true);
  setAlternatingRowColors(true);
  setIndentation(fontMetrics().height() * 3 / 4);
  setFrameShape(QFrame::NoFrame);
  setAllColumnsShowFocus(true);
  setTabKeyNavigation(false);
  setEditTriggers(NoEditTriggers);
  setSelectionMode(ExtendedSelection);
  setContextMenuPolicy(Qt::CustomContextMenu);
  setDragEnabled(true);
  setAcceptDrops(true);
  setDropIndicatorShown(true);
  setDragDropMode(InternalMove);
  setDefaultDropAction(Qt::MoveAction);
  setAutoExpandDelay(600);
  setVerticalScrollMode(ScrollPerItem);
  setTextElideMode(Qt::ElideRight);
  header()->setObjectName(QStringLiteral("configHeader"));
  header()->setAccessibleName(tr("Columns of the configuration"));
  header()->setMinimumSectionSize(fontMetrics().averageCharWidth() * 6);
  header()->setStretchLastSection(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);  // the columns share the room that there is
  header()->setSectionsMovable(false);
  connect(model, &QAbstractItemModel::rowsInserted, this, [this](const QModelIndex& parent) {
    if (!parent.isValid()) fitColumns();
  });
}

bool ConfigTreeView::toggle(const QModelIndex& index) {
  const QModelIndex value = index.siblingAtColumn(ConfigTreeModel::Value);
  const QVariant state = value.data(Qt::CheckStateRole);
  if (!state.isValid()) return false;
  return m_model->setData(value, state.toInt() == Qt::Checked ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
}

void ConfigTreeView::editCurrent() {
  const QModelIndex index = currentIndex();
  if (!index.isValid() || toggle(index)) return;
  const ConfigNode* node = m_model->nodeAt(index);
  if (!node->is_scalar()) {
    setExpanded(index.siblingAtColumn(0), !isExpanded(index.siblingAtColumn(0)));
    return;
  }
  const bool text = node->kind() == ConfigNode::Kind::string && !node->is_interpolation();
  if (text && isLongText(node->as_string()))
    Q_EMIT boxRequested(index);
  else
    edit(index.siblingAtColumn(ConfigTreeModel::Value));
}

void ConfigTreeView::editCurrentAsYaml() {
  const QModelIndex index = currentIndex();
  if (!index.isValid() || !m_model->nodeAt(index)->is_scalar()) return;
  m_delegate->editNextAsYaml();
  edit(index.siblingAtColumn(ConfigTreeModel::Value));
}

void ConfigTreeView::renameCurrent() {
  const QModelIndex key = currentIndex().siblingAtColumn(ConfigTreeModel::Key);
  if (key.isValid() && m_model->flags(key) & Qt::ItemIsEditable) edit(key);
}

void ConfigTreeView::expandWithin(int rows) {
  QModelIndexList level{QModelIndex()};
  int shown = m_model->rowCount();
  while (!level.isEmpty()) {
    QModelIndexList next;
    for (const QModelIndex& parent : std::as_const(level)) {
      const int count = m_model->rowCount(parent);
      if (count > rows) continue;
      for (int row = 0; row < count; ++row) {
        const QModelIndex child = m_model->index(row, 0, parent);
        const int below = m_model->rowCount(child);
        if (below == 0 || shown + below > rows) continue;
        shown += below;
        expand(child);
        next.append(child);
      }
    }
    level = next;
  }
}

void ConfigTreeView::keyPressEvent(QKeyEvent* event) {
  const bool plain = !(event->modifiers() & ~Qt::KeypadModifier);
  if (plain && event->key() == Qt::Key_Space && toggle(currentIndex())) return;
  QTreeView::keyPressEvent(event);
}

void ConfigTreeView::mouseDoubleClickEvent(QMouseEvent* event) {
  const QModelIndex index = indexAt(event->pos());
  const bool onText = index.isValid() && visualRect(index).contains(event->pos());
  if (onText && event->button() == Qt::LeftButton && m_model->nodeAt(index)->is_scalar()) {
    setCurrentIndex(index);
    if (index.column() == ConfigTreeModel::Source)
      Q_EMIT sourceRequested(index);
    else if (!index.siblingAtColumn(ConfigTreeModel::Value).data(Qt::CheckStateRole).isValid())
      editCurrent();
    return;
  }
  QTreeView::mouseDoubleClickEvent(event);
}

void ConfigTreeView::resizeEvent(QResizeEvent* event) {
  QTreeView::resizeEvent(event);
  if (event->oldSize().width() != event->size().width()) fitColumns();
}

// The key as wide as the names need, the source as its files; the value gets the rest.
void ConfigTreeView::fitColumns() {
  const int room = viewport()->width(), em = fontMetrics().averageCharWidth();
  const int source = std::min({sizeHintForColumn(ConfigTreeModel::Source) + em, room / 4, em * 24});
  const int key =
      std::clamp(sizeHintForColumn(ConfigTreeModel::Key) + em * 3, room / 5, std::max(room / 5, room * 2 / 5));
  header()->resizeSection(ConfigTreeModel::Key, key);
  header()->resizeSection(ConfigTreeModel::Value, std::max(room - key - std::max(source, em * 8), em * 8));
}

}  // namespace attnscope::ui
