#include "views/attention_tree_view.h"

#include <algorithm>

#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>
#include <QTreeView>
#include <QVBoxLayout>

#include "models/attention_tree_model.h"
#include "views/theme.h"

namespace attnscope::ui {

namespace {

constexpr int kFilterDelayMs = 120;

// Matches the processor key and what the columns say, and keeps what is above and below a hit.
class LayerFilter : public QSortFilterProxyModel {
 public:
  using QSortFilterProxyModel::QSortFilterProxyModel;

  void setWords(const QString& text) {
    m_words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    invalidateFilter();
  }

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override {
    if (m_words.isEmpty()) return true;
    const QModelIndex first = sourceModel()->index(row, 0, parent);
    QString text = first.data(AttentionTreeModel::KeyRole).toString();
    if (text.isEmpty()) return false;
    for (int column = 0; column < AttentionTreeModel::ColumnCount; ++column)
      text += QLatin1Char(' ') + first.siblingAtColumn(column).data().toString();
    return std::all_of(m_words.begin(), m_words.end(),
                       [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
  }

 private:
  QStringList m_words;
};

// Layers without maps cannot be looked at alone: they are dimmed. Rows are as high as in the other lists.
class LayerDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const QSize size = QStyledItemDelegate::sizeHint(option, index);
    return {size.width(), std::max(size.height(), option.fontMetrics.height() + 4)};
  }

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    const QModelIndex first = index.siblingAtColumn(0);
    if (!first.data(AttentionTreeModel::KeyRole).toString().isEmpty() &&
        !first.data(AttentionTreeModel::CapturedRole).toBool())
      option->palette.setColor(QPalette::Text, theme::dimmed(option->palette));
  }
};

int leaves(const QAbstractItemModel* model, const QModelIndex& parent = {}) {
  const int rows = model->rowCount(parent);
  if (rows == 0) return parent.isValid() ? 1 : 0;
  int sum = 0;
  for (int row = 0; row < rows; ++row) sum += leaves(model, model->index(row, 0, parent));
  return sum;
}

}  // namespace

AttentionTreeView::AttentionTreeView(AttentionTreeModel* model, QWidget* parent)
    : QWidget(parent), m_model(model), m_proxy(new LayerFilter(this)) {
  setObjectName(QStringLiteral("attentionLayers"));
  setAccessibleName(tr("Attention layers"));
  m_proxy->setSourceModel(model);
  m_proxy->setRecursiveFilteringEnabled(true);

  m_filter = new QLineEdit(this);
  m_filter->setObjectName(QStringLiteral("layerFilter"));
  m_filter->setAccessibleName(tr("Filter of the layers"));
  m_filter->setToolTip(tr("Words that a layer's key, processor or size must have, for example: up attn2 16² (Ctrl+F)"));
  m_filter->setPlaceholderText(tr("Filter: attn2, up, 16²"));
  m_filter->setClearButtonEnabled(true);
  m_hits = new QLabel(this);
  m_hits->setObjectName(QStringLiteral("layerHits"));
  m_hits->setAccessibleName(tr("Layers found"));
  m_hits->setToolTip(tr("Layers that fit the filter"));

  m_tree = new QTreeView(this);
  m_tree->setObjectName(QStringLiteral("layerTree"));
  m_tree->setAccessibleName(tr("Attention layers"));
  m_tree->setToolTip(tr("Select a captured layer to see its maps alone"));
  m_tree->setModel(m_proxy);
  m_tree->setUniformRowHeights(true);
  m_tree->setAlternatingRowColors(true);
  m_tree->setIndentation(fontMetrics().height() * 3 / 4);
  m_tree->setFrameShape(QFrame::NoFrame);
  m_tree->setAllColumnsShowFocus(true);
  QHeaderView* header = m_tree->header();
  header->setObjectName(QStringLiteral("layerHeader"));
  header->setAccessibleName(tr("Columns of the layers"));
  header->setStretchLastSection(false);
  header->setMinimumSectionSize(fontMetrics().averageCharWidth() * 4);
  m_tree->setItemDelegate(new LayerDelegate(m_tree));
  m_tree->viewport()->installEventFilter(this);

  auto* top = new QHBoxLayout;
  top->setContentsMargins(4, 4, 8, 0);
  top->addWidget(m_filter, 1);
  top->addWidget(m_hits);
  m_hits->hide();
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  column->addLayout(top);
  m_empty = new QLabel(tr("The attention layers are listed here once a run is open."), this);
  m_empty->setObjectName(QStringLiteral("layersEmpty"));
  m_empty->setAccessibleName(m_empty->text());
  m_empty->setAlignment(Qt::AlignCenter);
  m_empty->setWordWrap(true);
  m_empty->setForegroundRole(QPalette::PlaceholderText);
  m_empty->setMargin(8);
  column->addWidget(m_empty, 1);
  column->addWidget(m_tree, 1);

  m_delay.setSingleShot(true);
  m_delay.setInterval(kFilterDelayMs);
  connect(&m_delay, &QTimer::timeout, this, &AttentionTreeView::applyFilter);
  connect(m_filter, &QLineEdit::textChanged, &m_delay, qOverload<>(&QTimer::start));
  connect(model, &QAbstractItemModel::modelReset, this, &AttentionTreeView::onReset);
  connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this, &AttentionTreeView::onCurrent);
  onReset();
}

void AttentionTreeView::focusFilter() {
  m_filter->setFocus(Qt::ShortcutFocusReason);
  m_filter->selectAll();
}

void AttentionTreeView::showLayer(const QString& key) {
  m_quiet = true;
  const QModelIndex index = m_proxy->mapFromSource(m_model->indexOfKey(key));
  if (key.isEmpty()) {
    const QModelIndex current = m_tree->currentIndex();
    if (!current.data(AttentionTreeModel::KeyRole).toString().isEmpty()) {
      m_tree->clearSelection();
      m_tree->setCurrentIndex({});
    }
  } else if (index.isValid()) {
    m_tree->setCurrentIndex(index);
    m_tree->scrollTo(index);
  }
  m_quiet = false;
}

void AttentionTreeView::applyFilter() {
  static_cast<LayerFilter*>(m_proxy)->setWords(m_filter->text());
  m_tree->expandAll();
  if (m_tree->currentIndex().isValid()) m_tree->scrollTo(m_tree->currentIndex());
  onReset();
}

void AttentionTreeView::onReset() {
  m_tree->expandAll();
  const int all = m_model->layerCount();
  m_tree->setVisible(all > 0);
  m_empty->setVisible(all == 0);
  m_filter->setEnabled(all > 0);
  fitColumns();
  m_hits->setVisible(!m_filter->text().isEmpty());
  m_hits->setText(m_filter->text().isEmpty() ? QString() : tr("%1 of %2").arg(leaves(m_proxy)).arg(all));
}

// Every column as wide as what it holds; the room that is left goes to the processors. Where there is none the calls go
// first, then the names of the processors are cut; both are in the tooltip.
void AttentionTreeView::fitColumns() {
  int room = m_tree->viewport()->width();
  for (int column = 0; column < AttentionTreeModel::ColumnCount; ++column) {
    m_tree->setColumnHidden(column, false);
    m_tree->resizeColumnToContents(column);
    room -= m_tree->columnWidth(column);
  }
  if (room < 0) {
    room += m_tree->columnWidth(AttentionTreeModel::Calls);
    m_tree->setColumnHidden(AttentionTreeModel::Calls, true);
  }
  const int least = fontMetrics().averageCharWidth() * 6;
  m_tree->setColumnWidth(AttentionTreeModel::Processor,
                         std::max(least, m_tree->columnWidth(AttentionTreeModel::Processor) + room));
}

bool AttentionTreeView::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) fitColumns();
  return QWidget::eventFilter(watched, event);
}

void AttentionTreeView::onCurrent() {
  if (m_quiet) return;
  const QModelIndex current = m_tree->currentIndex();
  if (current.data(AttentionTreeModel::CapturedRole).toBool())
    Q_EMIT layerChosen(current.siblingAtColumn(0).data(AttentionTreeModel::KeyRole).toString());
}

}  // namespace attnscope::ui
