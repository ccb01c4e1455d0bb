#include "views/config_form.h"

#include <algorithm>

#include <QAction>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

#include "documents/config_document.h"
#include "models/config_tree_model.h"
#include "views/config_actions.h"
#include "views/config_tree_view.h"
#include "views/icons.h"
#include "views/theme.h"
#include "views/value_delegate.h"
#include "worker/path_probe.h"

namespace attnscope::ui {

namespace {

constexpr int kSearchDelayMs = 120;
constexpr int kFirstRows = 120;       // that are open when a file is
constexpr int kMostOpenedHits = 500;  // F3 opens the others

}  // namespace

ConfigForm::ConfigForm(ConfigDocument* document, QWidget* parent)
    : QWidget(parent), m_document(document), m_model(new ConfigTreeModel(this)), m_probe(new PathProbe(this)) {
  setObjectName(QStringLiteral("configForm"));
  setAccessibleName(tr("Configuration form"));
  const auto isThere = [this](const QString& path) -> std::optional<bool> {
    const auto state = m_probe->state(m_actions->located(path));
    return state ? std::optional(*state != PathProbe::State::Missing) : std::nullopt;
  };
  auto* delegate = new ValueDelegate(m_model, isThere, this);
  m_tree = new ConfigTreeView(m_model, delegate, this);
  m_actions = new ConfigActions(document, m_model, m_tree, m_probe);
  connect(m_probe, &PathProbe::known, m_tree->viewport(), qOverload<>(&QWidget::update));
  connect(delegate, &ValueDelegate::valueCommitted, this, [this](const QModelIndex& index, const ConfigNode& value) {
    m_actions->commit(m_model->pathAt(index), value);
  });
  connect(delegate, &ValueDelegate::moreRequested, m_actions, &ConfigActions::openMore);
  connect(delegate, &ValueDelegate::refused, this, [this](const QString& message) {
    m_hint->setText(message);
    m_hint->setAccessibleDescription(message);
  });
  m_empty = new QLabel(this);
  m_empty->setObjectName(QStringLiteral("configEmpty"));
  m_empty->setAlignment(Qt::AlignCenter);
  m_empty->setWordWrap(true);
  m_empty->setForegroundRole(QPalette::PlaceholderText);
  m_empty->setMargin(8);
  m_hint = new QLabel(this);
  m_hint->setObjectName(QStringLiteral("configHint"));
  m_hint->setAccessibleName(tr("About the current row"));
  m_hint->setWordWrap(true);
  m_hint->setTextFormat(Qt::PlainText);
  m_hint->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  m_hint->setFixedHeight(fontMetrics().lineSpacing() * 3 + 8);
  m_hint->setContentsMargins(8, 2, 8, 2);
  m_hint->setForegroundRole(QPalette::PlaceholderText);
  makeSearch();

  auto* top = new QHBoxLayout;
  top->setContentsMargins(4, 4, 4, 0);
  top->setSpacing(4);
  top->addWidget(m_line, 1);
  top->addWidget(m_hits);
  for (QToolButton* button : {m_changedOnly, m_problemsOnly, m_add}) top->addWidget(button);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  column->addLayout(top);
  column->addWidget(m_tree, 1);
  column->addWidget(m_empty, 1);
  column->addWidget(m_hint);
  const QList<QWidget*> order{m_line, m_changedOnly, m_problemsOnly, m_add, m_tree};
  for (qsizetype i = 1; i < order.size(); ++i) setTabOrder(order[i - 1], order[i]);
  connectTree();
  connectDocument();
  onSnapshot();
}

ConfigForm::~ConfigForm() = default;

void ConfigForm::makeSearch() {
  m_line = new QLineEdit(this);
  m_line->setObjectName(QStringLiteral("configSearch"));
  m_line->setAccessibleName(tr("Search in the configuration"));
  m_line->setToolTip(tr("Words that a key, a value or its help must have (Ctrl+F); F3 goes to the next, Esc clears"));
  m_line->setPlaceholderText(tr("Search keys, values, help"));
  m_line->setClearButtonEnabled(true);
  m_line->installEventFilter(this);
  m_hits = new QLabel(this);
  m_hits->setObjectName(QStringLiteral("configHits"));
  m_hits->setAccessibleName(tr("Found"));
  m_hits->hide();
  const auto button = [this](const QString& name, const QString& iconName, const QString& text, bool checkable) {
    auto* out = new QToolButton(this);
    out->setObjectName(name);
    out->setIcon(icon(iconName));
    out->setAccessibleName(text);
    out->setToolTip(text);
    out->setAutoRaise(true);
    out->setCheckable(checkable);
    out->setFocusPolicy(Qt::StrongFocus);
    return out;
  };
  m_changedOnly = button(QStringLiteral("configChangedOnly"), QStringLiteral("changed"),
                         tr("Show only what was changed since the file was saved"), true);
  m_problemsOnly = button(QStringLiteral("configProblemsOnly"), QStringLiteral("warning"),
                          tr("Show only what is wrong or must still be given"), true);
  m_add = button(QStringLiteral("configAddButton"), QStringLiteral("add"), tr("Add a key or an item (Ins)"), false);
  m_delay.setSingleShot(true);
  m_delay.setInterval(kSearchDelayMs);
  connect(&m_delay, &QTimer::timeout, this, &ConfigForm::startSearch);
  connect(m_line, &QLineEdit::textChanged, &m_delay, qOverload<>(&QTimer::start));
  connect(m_changedOnly, &QToolButton::toggled, this, &ConfigForm::startSearch);
  connect(m_problemsOnly, &QToolButton::toggled, this, &ConfigForm::startSearch);
  connect(m_add, &QToolButton::clicked, this, [this] { m_actions->action(QStringLiteral("configAdd"))->trigger(); });
  connect(&m_search, &ConfigSearch::finished, this, &ConfigForm::onSearched);
  const auto shortcut = [this](const QString& name, const QList<QKeySequence>& keys, void (ConfigForm::*slot)()) {
    auto* action = new QAction(this);
    action->setObjectName(name);
    action->setShortcuts(keys);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(action, &QAction::triggered, this, slot);
    addAction(action);
  };
  shortcut(QStringLiteral("configFindNext"), {QKeySequence(Qt::Key_F3)}, &ConfigForm::findNext);
  shortcut(QStringLiteral("configFindPrevious"), {QKeySequence(Qt::SHIFT | Qt::Key_F3)}, &ConfigForm::findPrevious);
}

void ConfigForm::connectTree() {
  connect(m_model, &ConfigTreeModel::valueEdited, m_actions, &ConfigActions::commit);
  connect(m_model, &ConfigTreeModel::keyEdited, m_actions, &ConfigActions::rename);
  connect(m_model, &ConfigTreeModel::moveRequested, m_actions, &ConfigActions::move);
  connect(m_model, &QAbstractItemModel::dataChanged, this, &ConfigForm::updateHint);
  connect(m_tree, &ConfigTreeView::boxRequested, this, [this](const QModelIndex& index) {
    m_actions->openMore(index, ValueType::LongText, rawText(*m_model->nodeAt(index)));
  });
  connect(m_tree, &ConfigTreeView::sourceRequested, this,
          [this] { m_actions->action(QStringLiteral("configSource"))->trigger(); });
  connect(m_tree, &QWidget::customContextMenuRequested, this,
          [this](const QPoint& at) { m_actions->menu()->popup(m_tree->viewport()->mapToGlobal(at)); });
  connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this, &ConfigForm::onCurrent);
  connect(m_actions, &ConfigActions::appeared, this, [this](const ConfigPath& path) { m_awaited = path; });
  connect(m_actions, &ConfigActions::sourceRequested, this, &ConfigForm::sourceRequested);
}

void ConfigForm::connectDocument() {
  connect(m_document, &ConfigDocument::snapshotChanged, this, &ConfigForm::onSnapshot);
  connect(m_document, &ConfigDocument::opened, this, [this] {
    m_awaited.reset();
    m_fresh = true;
  });
  connect(m_document, &ConfigDocument::editRefused, this, [this] { m_awaited.reset(); });
}

void ConfigForm::onSnapshot() {
  const ConfigSnapshot& snapshot = m_document->snapshot();
  if (m_query.isEmpty())
    showTree(snapshot, nullptr);
  else
    m_search.start(snapshot, m_query, m_model->pathAt(m_tree->currentIndex()));
}

void ConfigForm::startSearch() {
  m_delay.stop();
  ConfigQuery query;
  query.words = m_line->text().split(QLatin1Char(' '), Qt::SkipEmptyParts);
  query.changedOnly = m_changedOnly->isChecked();
  query.problemsOnly = m_problemsOnly->isChecked();
  if (query == m_query) return;
  if (m_query.isEmpty()) rememberExpanded();
  m_query = query;
  m_hit = -1;
  m_search.cancel();
  m_expandHits = !query.isEmpty();
  onSnapshot();
  if (query.isEmpty()) restoreExpanded();
  updateHits();
}

void ConfigForm::onSearched(const ConfigSnapshot& snapshot, const std::shared_ptr<const ConfigFilter>& filter) {
  showTree(snapshot, filter);
  if (!std::exchange(m_expandHits, false)) return;
  int opened = 0;
  for (const ConfigPath& hit : filter->hits) {
    if (++opened > kMostOpenedHits) break;
    for (QModelIndex at = m_model->indexOf(hit).parent(); at.isValid() && !m_tree->isExpanded(at); at = at.parent())
      m_tree->expand(at);
  }
  if (m_tree->currentIndex().isValid()) m_tree->scrollTo(m_tree->currentIndex());
}

void ConfigForm::showTree(const ConfigSnapshot& snapshot, const std::shared_ptr<const ConfigFilter>& filter) {
  m_filter = filter;
  m_model->setSnapshot(snapshot, filter);
  if (std::exchange(m_fresh, m_fresh && !snapshot.shown) && snapshot.shown) {
    m_tree->expandWithin(kFirstRows);
    if (!m_tree->currentIndex().isValid()) m_tree->setCurrentIndex(m_model->index(0, 0));
  }
  if (m_awaited && m_model->indexOf(*m_awaited).isValid()) {
    selectPath(*std::exchange(m_awaited, std::nullopt));
    onCurrent();
  }
  updateEmpty();
  updateHits();
  updateHint();
}

void ConfigForm::find(int by) {
  if (m_delay.isActive()) startSearch();
  if (!m_filter || m_filter->hits.isEmpty()) return;
  const int count = int(m_filter->hits.size());
  m_hit = m_hit < 0 ? (by > 0 ? 0 : count - 1) : (m_hit + by + count) % count;
  selectPath(m_filter->hits[m_hit]);
  onCurrent();
  updateHits();
}

void ConfigForm::focusSearch() {
  m_line->setFocus(Qt::ShortcutFocusReason);
  m_line->selectAll();
}

void ConfigForm::selectPath(const ConfigPath& path) {
  const QModelIndex index = m_model->indexOf(path);
  if (!index.isValid() || index == m_tree->currentIndex().siblingAtColumn(0)) return;
  m_quiet = true;
  for (QModelIndex above = index.parent(); above.isValid(); above = above.parent()) m_tree->expand(above);
  // Whatever keys are held down: the view's own would add to what is selected, or take it out.
  m_tree->selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
  m_tree->scrollTo(index);
  m_quiet = false;
}

void ConfigForm::onCurrent() {
  updateHint();
  if (!m_quiet && m_tree->currentIndex().isValid()) Q_EMIT pathSelected(m_model->pathAt(m_tree->currentIndex()));
}

void ConfigForm::updateHits() {
  m_hits->setVisible(!m_query.isEmpty());
  if (m_query.isEmpty()) return;
  if (m_search.isRunning() || !m_filter) {
    m_hits->setText(tr("searching…"));
    return;
  }
  const int count = int(m_filter->hits.size());
  m_hits->setText(m_hit < 0 ? tr("%n found", nullptr, count) : tr("%1 of %2").arg(m_hit + 1).arg(count));
}

void ConfigForm::updateEmpty() {
  const bool hasTree = m_document->snapshot().shown != nullptr;
  const bool hasRows = m_model->rowCount() > 0;
  QString text;
  if (!hasTree)
    text = m_document->snapshot().parses ? tr("Reading %1…").arg(m_document->name())
                                         : tr("The text cannot be read yet. Correct it in the text beside the form.");
  else if (!m_query.isEmpty())
    text = m_line->text().isEmpty() ? tr("Nothing of that kind. Switch the buttons above off to see all.")
                                    : tr("Nothing has these words. Esc in the search line shows all.");
  else
    text = tr("This config is empty. Add its first key with Ins or the + above, or paste YAML.");
  m_empty->setText(text);
  m_empty->setAccessibleName(text);
  // An empty tree keeps the keyboard, so that Ins and Ctrl+V work in it.
  const bool focused = m_tree->hasFocus();
  m_tree->setVisible(hasRows || (hasTree && m_query.isEmpty() && focused));
  m_empty->setVisible(!hasRows);
  for (QWidget* widget : {static_cast<QWidget*>(m_line), static_cast<QWidget*>(m_changedOnly),
                          static_cast<QWidget*>(m_problemsOnly), static_cast<QWidget*>(m_add)})
    widget->setEnabled(hasTree);
}

void ConfigForm::updateHint() {
  const QModelIndex index = m_tree->currentIndex();
  QString text;
  if (!m_document->snapshot().parses && m_document->snapshot().shown) {
    text = tr("The text cannot be read just now; this is its last state that could.");
  } else if (index.isValid()) {
    const SchemaEntry* entry = m_model->entryAt(index);
    const ConfigNode* node = m_model->nodeAt(index);
    text = entry ? qstr(entry->summary()).replace(QLatin1Char('\n'), QStringLiteral(" · "))
                 : typeName(ValueType(index.data(ConfigTreeModel::TypeRole).toInt()));
    if (node->is_missing() && !entry) text = tr("This value must be given.");
    if (const QString error = index.data(ConfigTreeModel::ErrorRole).toString(); !error.isEmpty()) text = error;
  }
  m_hint->setText(text);
  m_hint->setToolTip(text);
}

void ConfigForm::rememberExpanded() {
  m_expanded.clear();
  QModelIndexList level{QModelIndex()};
  while (!level.isEmpty()) {
    const QModelIndex parent = level.takeLast();
    for (int row = 0; row < m_model->rowCount(parent); ++row)
      if (const QModelIndex child = m_model->index(row, 0, parent); m_tree->isExpanded(child)) {
        m_expanded.push_back(m_model->pathAt(child));
        level.append(child);
      }
  }
}

void ConfigForm::restoreExpanded() {
  for (const ConfigPath& path : m_expanded)
    if (const QModelIndex index = m_model->indexOf(path); index.isValid()) m_tree->expand(index);
  if (m_tree->currentIndex().isValid()) m_tree->scrollTo(m_tree->currentIndex());
}

// In the search line: Esc shows all again, Enter goes to the next hit, Down into the tree.
// Before the window's own key for the same.
bool ConfigForm::event(QEvent* event) {
  if (event->type() != QEvent::ShortcutOverride || !static_cast<QKeyEvent*>(event)->matches(QKeySequence::Find))
    return QWidget::event(event);
  event->accept();
  return true;
}

void ConfigForm::keyPressEvent(QKeyEvent* event) {
  event->matches(QKeySequence::Find) ? focusSearch() : QWidget::keyPressEvent(event);
}

bool ConfigForm::eventFilter(QObject* watched, QEvent* event) {
  if (watched != m_line || event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
  const auto* key = static_cast<QKeyEvent*>(event);
  switch (key->key()) {
    case Qt::Key_Escape:
      m_line->clear();
      startSearch();
      m_tree->setFocus(Qt::ShortcutFocusReason);
      return true;
    case Qt::Key_Return:
    case Qt::Key_Enter: find(key->modifiers() & Qt::ShiftModifier ? -1 : 1); return true;
    case Qt::Key_Down: m_tree->setFocus(Qt::ShortcutFocusReason); return true;
    default: return QWidget::eventFilter(watched, event);
  }
}

}  // namespace attnscope::ui
