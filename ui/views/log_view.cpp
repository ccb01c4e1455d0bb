#include "views/log_view.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QScrollBar>
#include <QStackedLayout>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "models/log_model.h"
#include "views/icons.h"
#include "views/theme.h"

namespace attnscope::ui {

namespace {

// Colours a message by its level; the model knows levels, not colours.
class LevelDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    const QPalette palette = option->palette;
    QColor color = palette.color(QPalette::Text);
    const int level = index.data(LogModel::LevelRole).toInt();
    if (index.column() != LogModel::Message)
      color = theme::dimmed(palette);
    else if (level == int(Level::Warning))
      color = theme::changed(palette);
    else if (level == int(Level::Error))
      color = theme::broken(palette);
    option->palette.setColor(QPalette::Text, color);
  }
};

}  // namespace

LogView::LogView(const QString& name, const QString& title, const QString& emptyText, QAbstractItemModel* model,
                 QWidget* parent)
    : QWidget(parent) {
  setObjectName(name);
  setAccessibleName(title);
  m_table = new QTableView(this);
  m_table->setObjectName(name + QStringLiteral("Table"));
  m_table->setAccessibleName(title);
  m_table->setToolTip(tr("Ctrl+C copies the selected rows with all details"));
  m_table->setModel(model);
  m_table->setItemDelegate(new LevelDelegate(m_table));
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setTabKeyNavigation(false);
  m_table->setShowGrid(false);
  m_table->setFrameShape(QFrame::NoFrame);
  m_table->setWordWrap(false);
  m_table->verticalHeader()->hide();
  m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
  QHeaderView* header = m_table->horizontalHeader();
  header->setHighlightSections(false);
  header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  header->setSectionResizeMode(LogModel::Time, QHeaderView::ResizeToContents);
  header->setSectionResizeMode(LogModel::Message, QHeaderView::Stretch);
  header->setSectionResizeMode(LogModel::Where, QHeaderView::Interactive);
  header->resizeSection(LogModel::Where, fontMetrics().averageCharWidth() * 36);

  auto* empty = new QLabel(emptyText, this);
  empty->setObjectName(name + QStringLiteral("Empty"));
  empty->setAccessibleName(emptyText);
  empty->setAlignment(Qt::AlignCenter);
  empty->setForegroundRole(QPalette::PlaceholderText);

  auto* copyAction = new QAction(this);
  copyAction->setShortcut(QKeySequence::Copy);
  copyAction->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  connect(copyAction, &QAction::triggered, this, &LogView::copy);
  addAction(copyAction);
  const auto button = [&](const QString& id, const QString& iconName, const QString& text) {
    auto* b = new QToolButton(this);
    b->setObjectName(name + id);
    b->setIcon(icon(iconName));
    b->setAccessibleName(text);
    b->setToolTip(text);
    b->setAutoRaise(true);
    b->setFocusPolicy(Qt::StrongFocus);
    return b;
  };
  auto* copyButton = button(QStringLiteral("Copy"), QStringLiteral("copy"), tr("Copy the selected rows, or all"));
  auto* clearButton = button(QStringLiteral("Clear"), QStringLiteral("clear"), tr("Clear the list"));
  connect(m_table, &QTableView::activated, this, &LogView::activated);
  connect(copyButton, &QToolButton::clicked, this, &LogView::copy);
  connect(clearButton, &QToolButton::clicked, this, &LogView::clearRequested);

  m_stack = new QStackedLayout;
  m_stack->addWidget(empty);
  m_stack->addWidget(m_table);
  auto* buttons = new QVBoxLayout;
  buttons->addWidget(copyButton);
  buttons->addWidget(clearButton);
  buttons->addStretch(1);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 4, 0);
  row->setSpacing(4);
  row->addLayout(m_stack, 1);
  row->addLayout(buttons);

  connect(m_table->verticalScrollBar(), &QScrollBar::sliderMoved, this, [this] {
    const QScrollBar* bar = m_table->verticalScrollBar();
    m_follow = bar->value() >= bar->maximum() - 1;
  });
  connect(model, &QAbstractItemModel::rowsInserted, this, &LogView::onRows);
  connect(model, &QAbstractItemModel::rowsRemoved, this, &LogView::onRows);
  connect(model, &QAbstractItemModel::modelReset, this, &LogView::onRows);
  onRows();
}

void LogView::copy() const {
  QList<int> rows;
  for (const QModelIndex& index : m_table->selectionModel()->selectedRows()) rows.append(index.row());
  if (rows.isEmpty())
    for (int row = 0; row < m_table->model()->rowCount(); ++row) rows.append(row);
  std::sort(rows.begin(), rows.end());
  QStringList lines;
  for (int row : rows)
    lines << m_table->model()->index(row, LogModel::Time).data().toString() + QLatin1Char(' ') +
                 m_table->model()->index(row, 0).data(LogModel::FullTextRole).toString();
  QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

void LogView::onRows() {
  m_stack->setCurrentIndex(m_table->model()->rowCount() > 0 ? 1 : 0);
  if (m_follow) m_table->scrollToBottom();
}

}  // namespace attnscope::ui
