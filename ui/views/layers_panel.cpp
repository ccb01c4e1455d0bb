#include "views/layers_panel.h"

#include <algorithm>

#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QSplitter>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include "documents/config_document.h"
#include "models/conflicts_model.h"
#include "models/layers_model.h"
#include "views/icons.h"
#include "views/theme.h"

namespace attnscope::ui {

namespace {

constexpr int kConflictsDelayMs = 120;

// What is wrong is red, what does not count is dimmed. The models know no colours.
class LayerDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    return QStyledItemDelegate::sizeHint(option, index) + QSize(0, 4);
  }

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    const QModelIndex layer = index.parent().isValid() ? index.parent() : index.siblingAtColumn(0);
    if (!index.data(LayersModel::ErrorRole).toString().isEmpty())
      option->palette.setColor(QPalette::Text, theme::broken(option->palette));
    else if (index.column() == LayersModel::What || layer.data(Qt::CheckStateRole).toInt() != Qt::Checked)
      option->palette.setColor(QPalette::Text, theme::dimmed(option->palette));
  }
};

class ConflictDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    const bool hidden = index.data(ConflictsModel::HiddenRole).toBool();
    if (hidden || index.column() == ConflictsModel::Source)
      option->palette.setColor(QPalette::Text, theme::dimmed(option->palette));
    if (hidden && index.column() == ConflictsModel::Value) option->font.setStrikeOut(true);
  }
};

}  // namespace

LayersPanel::LayersPanel(ConfigDocument* document, QWidget* parent) : QWidget(parent), m_document(document) {
  setObjectName(QStringLiteral("layersPanel"));
  setAccessibleName(tr("Layers of the config"));
  m_layers = new LayersModel(this);
  m_conflicts = new ConflictsModel(this);
  auto* splitter = new QSplitter(Qt::Vertical, this);
  splitter->setObjectName(QStringLiteral("layersSplitter"));
  splitter->setChildrenCollapsible(false);
  splitter->addWidget(makeLayers());
  splitter->addWidget(makeConflicts());
  splitter->setSizes({2, 3});
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(splitter);

  m_delay.setSingleShot(true);
  m_delay.setInterval(kConflictsDelayMs);
  connect(&m_delay, &QTimer::timeout, this, [this] {
    m_conflicts->setMerged(m_document->snapshot().merged);
    onConflicts();
  });
  connect(m_layers, &LayersModel::wanted, this,
          [this](const QString& name, const QList<LayerSpec>& layers, int row, int text) {
            m_document->setLayers(name, layers);
            QModelIndex at = m_layers->index(row, 0);
            if (text >= 0) at = m_layers->index(text, 0, at);
            m_tree->setCurrentIndex(at);
          });
  connect(m_layers, &QAbstractItemModel::modelReset, m_tree, &QTreeView::expandAll);
  connect(m_layers, &QAbstractItemModel::dataChanged, this, &LayersPanel::updateButtons);
  connect(m_conflicts, &ConflictsModel::finished, this, &LayersPanel::onConflicts);
  connect(document, &ConfigDocument::layersChanged, this, &LayersPanel::onLayers);
  connect(document, &ConfigDocument::pathChanged, this, &LayersPanel::onLayers);
  connect(document, &ConfigDocument::opened, this, &LayersPanel::onLayers);
  connect(document, &ConfigDocument::snapshotChanged, this, &LayersPanel::onSnapshot);
  onLayers();
  onSnapshot();
  onConflicts();
}

QToolButton* LayersPanel::addButton(const char* name, const QString& iconName, const QString& text,
                                    const QString& tip) {
  auto* button = new QToolButton(this);
  button->setObjectName(QLatin1String(name));
  button->setIcon(icon(iconName));
  button->setAccessibleName(text);
  button->setToolTip(tip);
  button->setAutoRaise(true);
  button->setFocusPolicy(Qt::StrongFocus);
  return button;
}

QWidget* LayersPanel::makeLayers() {
  auto* part = new QWidget(this);
  m_tree = new QTreeView(part);
  m_tree->setObjectName(QStringLiteral("layersTree"));
  m_tree->setAccessibleName(tr("Layers, each wins over those above it"));
  m_tree->setToolTip(tr("A layer wins over those above it; drag, or Alt+Up and Alt+Down, to reorder"));
  m_tree->setModel(m_layers);
  m_tree->setItemDelegate(new LayerDelegate(m_tree));
  m_tree->setFrameShape(QFrame::NoFrame);
  m_tree->setAllColumnsShowFocus(true);
  m_tree->setAlternatingRowColors(true);
  m_tree->setDragDropMode(QAbstractItemView::InternalMove);
  m_tree->setDropIndicatorShown(true);
  m_tree->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
  m_tree->setIndentation(fontMetrics().height() * 3 / 2);
  m_tree->header()->setStretchLastSection(true);
  m_tree->header()->setSectionResizeMode(LayersModel::Name, QHeaderView::ResizeToContents);
  m_tree->header()->setAccessibleName(tr("Columns of the layers"));
  m_tree->installEventFilter(this);
  auto* addFileButton = addButton("addLayerFile", QStringLiteral("add-file"), tr("Add a file"),
                                  tr("Lay config files over this document"));
  m_up =
      addButton("layerUp", QStringLiteral("up"), tr("Move up"), tr("Let the layers below win over this one (Alt+Up)"));
  m_down = addButton("layerDown", QStringLiteral("down"), tr("Move down"),
                     tr("Let this layer win over the one below (Alt+Down)"));
  m_remove = addButton("layerRemove", QStringLiteral("remove"), tr("Remove"), tr("Remove the layer or override (Del)"));
  m_override = new QLineEdit(part);
  m_override->setObjectName(QStringLiteral("newOverride"));
  m_override->setAccessibleName(tr("New override"));
  m_override->setPlaceholderText(tr("Add an override: key=value"));
  m_override->setToolTip(tr("A value that wins over all files, for example model.dtype=bfloat16 (Enter adds it)"));
  m_override->setClearButtonEnabled(true);
  m_help = new QLabel(tr("Lay other files and key=value overrides over this document, to see what they give together "
                         "and which of them each value comes from. The file itself stays as it is."),
                      part);
  m_help->setObjectName(QStringLiteral("layersHelp"));
  m_help->setAccessibleName(m_help->text());
  m_help->setWordWrap(true);
  m_help->setForegroundRole(QPalette::PlaceholderText);
  m_help->setContentsMargins(8, 4, 8, 4);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(8, 4, 4, 4);
  row->setSpacing(4);
  row->addWidget(m_override, 1);
  for (QWidget* button : {static_cast<QWidget*>(addFileButton), static_cast<QWidget*>(m_up),
                          static_cast<QWidget*>(m_down), static_cast<QWidget*>(m_remove)})
    row->addWidget(button);
  auto* column = new QVBoxLayout(part);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_tree, 1);
  column->addWidget(m_help);
  column->addLayout(row);
  connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this, &LayersPanel::updateButtons);
  connect(m_tree, &QTreeView::activated, this, &LayersPanel::openLayer);
  connect(addFileButton, &QToolButton::clicked, this, &LayersPanel::addFile);
  connect(m_up, &QToolButton::clicked, this, [this] { m_layers->move(m_tree->currentIndex(), -1); });
  connect(m_down, &QToolButton::clicked, this, [this] { m_layers->move(m_tree->currentIndex(), 1); });
  connect(m_remove, &QToolButton::clicked, this, [this] { m_layers->remove(m_tree->currentIndex()); });
  connect(m_override, &QLineEdit::returnPressed, this, &LayersPanel::addOverride);
  return part;
}

QWidget* LayersPanel::makeConflicts() {
  auto* part = new QWidget(this);
  m_summary = new QLabel(part);
  m_summary->setObjectName(QStringLiteral("conflictsSummary"));
  m_summary->setAccessibleName(tr("Values that several layers give"));
  m_summary->setWordWrap(true);
  m_summary->setContentsMargins(8, 4, 8, 4);
  m_table = new QTableView(part);
  m_table->setObjectName(QStringLiteral("conflicts"));
  m_table->setAccessibleName(tr("Values that several layers give"));
  m_table->setToolTip(tr("Enter or a double click goes to the line"));
  m_table->setModel(m_conflicts);
  m_table->setItemDelegate(new ConflictDelegate(m_table));
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  m_table->setTabKeyNavigation(false);
  m_table->setShowGrid(false);
  m_table->setWordWrap(false);
  m_table->setFrameShape(QFrame::NoFrame);
  m_table->verticalHeader()->hide();
  m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
  QHeaderView* header = m_table->horizontalHeader();
  header->setHighlightSections(false);
  header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  header->setSectionResizeMode(ConflictsModel::Value, QHeaderView::Stretch);
  header->resizeSection(ConflictsModel::Key, fontMetrics().averageCharWidth() * 26);
  header->resizeSection(ConflictsModel::Source, fontMetrics().averageCharWidth() * 18);
  m_table->installEventFilter(this);
  auto* column = new QVBoxLayout(part);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_summary);
  column->addWidget(m_table, 1);
  connect(m_table, &QTableView::doubleClicked, this, &LayersPanel::openSource);
  return part;
}

// ---- What the document says

void LayersPanel::onLayers() {
  m_layers->setLayers(m_document->path(), m_document->layers());
  m_help->setVisible(m_document->layers().size() < 2);
  updateButtons();
}

void LayersPanel::onSnapshot() {
  m_layers->setIssues(m_document->snapshot().issues);
  if (isVisible()) m_delay.start();
}

void LayersPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  m_delay.start();
}

void LayersPanel::onConflicts() {
  const int count = m_conflicts->conflictCount();
  m_table->setVisible(count > 0);
  m_summary->setAlignment(count > 0 ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignCenter);
  m_summary->setForegroundRole(count > 0 ? QPalette::WindowText : QPalette::PlaceholderText);
  const QList<LayerSpec>& layers = m_document->layers();
  const auto on = std::count_if(layers.begin(), layers.end(), [](const LayerSpec& layer) { return layer.enabled; });
  if (on > 1 && !m_document->snapshot().merged)
    m_summary->setText(tr("The layers cannot be merged: the issues say why."));
  else
    m_summary->setText(count > 1    ? tr("%1 values are given by several layers").arg(count)
                       : count == 1 ? tr("1 value is given by several layers")
                                    : tr("No value is given by more than one layer."));
}

void LayersPanel::updateButtons() {
  const QModelIndex index = m_tree->currentIndex();
  m_remove->setEnabled(m_layers->canRemove(index));
  m_up->setEnabled(m_layers->canMove(index, -1));
  m_down->setEnabled(m_layers->canMove(index, 1));
}

// ---- What the user does

void LayersPanel::addFile() {
  auto* dialog = new QFileDialog(this, tr("Add Layers"), QFileInfo(m_document->path()).path(),
                                 tr("Configs (*.yaml *.yml *.json);;All files (*)"));
  dialog->setObjectName(QStringLiteral("addLayerDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFiles);
  connect(dialog, &QFileDialog::filesSelected, m_layers, &LayersModel::addFiles);
  dialog->open();
}

void LayersPanel::addOverride() {
  m_layers->addOverride(m_override->text(), m_tree->currentIndex());
  m_override->clear();
}

void LayersPanel::openLayer(const QModelIndex& index) {
  if (index.flags() & Qt::ItemIsEditable) {
    m_tree->edit(index);
  } else if (const QString path = index.siblingAtColumn(0).data(LayersModel::PathRole).toString(); !path.isEmpty()) {
    Q_EMIT sourceRequested(path, 1, 1);
  }
}

void LayersPanel::openSource(const QModelIndex& index) {
  const QString file = index.data(ConflictsModel::FileRole).toString();
  const int line = index.data(ConflictsModel::LineRole).toInt();
  if (!file.isEmpty() && line > 0) {
    Q_EMIT sourceRequested(file, line, std::max(1, index.data(ConflictsModel::ColumnRole).toInt()));
    return;
  }
  m_tree->setCurrentIndex(m_layers->index(index.data(ConflictsModel::LayerRole).toInt(), 0));
  m_tree->setFocus();
}

bool LayersPanel::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress && event->type() != QEvent::ShortcutOverride)
    return QWidget::eventFilter(watched, event);
  const auto* key = static_cast<QKeyEvent*>(event);
  const bool press = event->type() == QEvent::KeyPress;
  const bool enter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
  if (watched == m_table && enter && press && m_table->currentIndex().isValid()) {
    openSource(m_table->currentIndex());
    return true;
  }
  if (watched != m_tree) return QWidget::eventFilter(watched, event);
  const bool alt = (key->modifiers() & ~Qt::KeypadModifier) == Qt::AltModifier;
  if (alt && (key->key() == Qt::Key_Up || key->key() == Qt::Key_Down)) {
    if (press) m_layers->move(m_tree->currentIndex(), key->key() == Qt::Key_Up ? -1 : 1);
    event->accept();
    return true;
  }
  if (key->matches(QKeySequence::Delete)) {
    if (press) m_layers->remove(m_tree->currentIndex());
    event->accept();
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace attnscope::ui
