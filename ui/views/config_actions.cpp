#include "views/config_actions.h"

#include <algorithm>

#include <QAction>
#include <QMenu>

#include "documents/config_document.h"
#include "models/config_tree_model.h"
#include "views/config_tree_view.h"
#include "views/icons.h"

namespace attnscope::ui {

namespace {

constexpr int kMostExpanded = 20'000;  // rows that a view lays out in no time

QString id(const char* name) { return QString::fromLatin1(name); }

}  // namespace

ConfigActions::ConfigActions(ConfigDocument* document, ConfigTreeModel* model, ConfigTreeView* view, PathProbe* probe)
    : QObject(view),
      m_document(document),
      m_model(model),
      m_view(view),
      m_probe(probe),
      m_menu(new QMenu(view)),
      m_types(new QMenu(view)) {
  m_pool.setMaxThreadCount(1);
  makeAll();
  makeTypes();
  makeMenu();
}

ConfigActions::~ConfigActions() {
  m_pool.clear();
  m_pool.waitForDone();
}

void ConfigActions::make(const QString& name, const QString& text, const QList<QKeySequence>& keys, Slot slot) {
  auto* action = new QAction(text, this);
  action->setObjectName(name);
  action->setShortcuts(keys);
  action->setShortcutContext(Qt::WidgetShortcut);
  connect(action, &QAction::triggered, this, slot);
  m_actions.insert(name, action);
  m_view->addAction(action);
}

void ConfigActions::makeAll() {
  make(id("configAdd"), tr("Add…"), {QKeySequence(Qt::Key_Insert)}, &ConfigActions::add);
  make(id("configInsertBefore"), tr("Insert before…"), {QKeySequence(tr("Ctrl+Shift+Ins"))},
       &ConfigActions::insertBefore);
  make(id("configInsertAfter"), tr("Insert after…"), {QKeySequence(tr("Shift+Alt+Ins"))}, &ConfigActions::insertAfter);
  make(id("configRemove"), tr("Remove"), {QKeySequence(Qt::Key_Delete)}, &ConfigActions::remove);
  make(id("configReset"), tr("Reset to default"), {QKeySequence(tr("Ctrl+R"))}, &ConfigActions::reset);
  make(id("configDuplicate"), tr("Duplicate"), {QKeySequence(tr("Ctrl+D"))}, &ConfigActions::duplicate);
  make(id("configMoveUp"), tr("Move up"), {QKeySequence(tr("Alt+Up"))}, &ConfigActions::moveUp);
  make(id("configMoveDown"), tr("Move down"), {QKeySequence(tr("Alt+Down"))}, &ConfigActions::moveDown);
  make(id("configCopy"), tr("Copy as YAML"), QKeySequence::keyBindings(QKeySequence::Copy), &ConfigActions::copy);
  make(id("configCopyValue"), tr("Copy value"), {QKeySequence(tr("Ctrl+Alt+C"))}, &ConfigActions::copyValue);
  make(id("configCopyPath"), tr("Copy key path"), {QKeySequence(tr("Ctrl+Shift+C"))}, &ConfigActions::copyPath);
  make(id("configCopyDotlist"), tr("Copy as override"), {QKeySequence(tr("Ctrl+Shift+D"))},
       &ConfigActions::copyDotlist);
  make(id("configPaste"), tr("Paste YAML"), QKeySequence::keyBindings(QKeySequence::Paste), &ConfigActions::paste);
  make(id("configComment"), tr("Edit comment…"), {QKeySequence(tr("Ctrl+/"))}, &ConfigActions::editComment);
  make(id("configExpandAll"), tr("Expand all"), {QKeySequence(tr("Ctrl+Shift++"))}, &ConfigActions::expandAll);
  make(id("configCollapseAll"), tr("Collapse all"), {QKeySequence(tr("Ctrl+Shift+-"))}, &ConfigActions::collapseAll);
  make(id("configSource"), tr("Go to source"),
       {QKeySequence(Qt::Key_F4), QKeySequence(tr("Ctrl+Return")), QKeySequence(tr("Ctrl+Enter"))},
       &ConfigActions::goToSource);
  m_actions[id("configCopy")]->setIcon(icon(id("copy")));
  m_actions[id("configAdd")]->setIcon(icon(id("add")));
  const auto ofView = [this](const char* name, const QString& text, const QList<QKeySequence>& keys,
                             void (ConfigTreeView::*slot)()) {
    auto* action = new QAction(text, this);
    action->setObjectName(id(name));
    action->setShortcuts(keys);
    action->setShortcutContext(Qt::WidgetShortcut);
    connect(action, &QAction::triggered, m_view, slot);
    m_actions.insert(id(name), action);
    m_view->addAction(action);
  };
  ofView("configEdit", tr("Edit"), {QKeySequence(Qt::Key_Return), QKeySequence(Qt::Key_Enter)},
         &ConfigTreeView::editCurrent);
  ofView("configEditYaml", tr("Edit as YAML"), {QKeySequence(tr("Shift+Return"))}, &ConfigTreeView::editCurrentAsYaml);
  ofView("configRename", tr("Rename"), {QKeySequence(Qt::Key_F2)}, &ConfigTreeView::renameCurrent);
}

void ConfigActions::makeTypes() {
  m_types->setTitle(tr("Type"));
  m_types->setObjectName(id("configTypes"));
  const auto type = [this](const char* name, ValueType value) {
    QAction* action = m_types->addAction(typeName(value), this, [this, value] { setType(value); });
    action->setObjectName(id(name));
    m_actions.insert(id(name), action);
  };
  type("configTypeText", ValueType::Text);
  type("configTypeInteger", ValueType::Integer);
  type("configTypeNumber", ValueType::Number);
  type("configTypeBoolean", ValueType::Boolean);
  type("configTypeList", ValueType::List);
  type("configTypeDict", ValueType::Dict);
  m_actions.insert(id("configTypeNull"), m_types->addAction(tr("null"), this, &ConfigActions::setNull));
  m_actions.insert(id("configTypeMissing"),
                   m_types->addAction(tr("??? (must be given)"), this, &ConfigActions::setMissing));
}

void ConfigActions::makeMenu() {
  m_menu->setObjectName(id("configMenu"));
  m_menu->setAccessibleName(tr("What can be done with the row"));
  const auto put = [this](std::initializer_list<const char*> names) {
    for (const char* name : names) m_menu->addAction(m_actions[id(name)]);
  };
  put({"configEdit", "configEditYaml", "configRename"});
  m_menu->addMenu(m_types);
  put({"configReset"});
  m_menu->addSeparator();
  put({"configAdd", "configInsertBefore", "configInsertAfter", "configDuplicate", "configRemove"});
  m_menu->addSeparator();
  put({"configMoveUp", "configMoveDown"});
  m_menu->addSeparator();
  put({"configCopy", "configCopyValue", "configCopyPath", "configCopyDotlist", "configPaste"});
  m_menu->addSeparator();
  put({"configComment", "configSource"});
  m_menu->addSeparator();
  put({"configExpandAll", "configCollapseAll"});
  connect(m_menu, &QMenu::aboutToShow, this, &ConfigActions::update);
  // Shortcuts act on whatever is selected then.
  connect(m_menu, &QMenu::aboutToHide, this, [this] {
    for (QAction* action : std::as_const(m_actions)) action->setEnabled(true);
    m_types->setEnabled(true);
  });
}

// Greys out what the selected rows do not have.
void ConfigActions::update() {
  const QModelIndexList rows = this->rows();
  const QModelIndex current = m_view->currentIndex();
  const bool one = current.isValid() && !rows.isEmpty();
  const ConfigNode* node = one ? m_model->nodeAt(current) : nullptr;
  const bool scalar = node && node->is_scalar();
  const bool root = m_model->nodeAt({}) != nullptr;
  const auto enable = [this](std::initializer_list<const char*> names, bool on) {
    for (const char* name : names) m_actions[id(name)]->setEnabled(on);
  };
  enable({"configEdit", "configEditYaml"}, scalar);
  enable({"configRename"}, one && m_model->flags(current.siblingAtColumn(0)) & Qt::ItemIsEditable);
  enable({"configReset"}, std::any_of(rows.begin(), rows.end(), [](const QModelIndex& row) {
           return row.data(ConfigTreeModel::ResettableRole).toBool();
         }));
  enable({"configAdd", "configPaste"}, root);
  enable(
      {"configInsertBefore", "configInsertAfter", "configDuplicate", "configRemove", "configMoveUp", "configMoveDown",
       "configCopy", "configCopyValue", "configCopyPath", "configCopyDotlist", "configComment", "configSource"},
      one);
  m_types->setEnabled(one);
}

QModelIndexList ConfigActions::rows() const {
  QModelIndexList rows = m_view->selectionModel()->selectedRows();
  if (rows.isEmpty() && m_view->currentIndex().isValid()) rows = {m_view->currentIndex().siblingAtColumn(0)};
  std::vector<std::pair<std::vector<int>, QModelIndex>> placed;
  for (const QModelIndex& row : std::as_const(rows)) {
    std::vector<int> place;
    for (QModelIndex at = row; at.isValid(); at = at.parent()) place.push_back(at.row());
    std::reverse(place.begin(), place.end());
    placed.emplace_back(std::move(place), row);
  }
  std::sort(placed.begin(), placed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  QModelIndexList out;
  const std::vector<int>* above = nullptr;
  for (const auto& [place, row] : placed) {
    if (above && place.size() > above->size() && std::equal(above->begin(), above->end(), place.begin())) continue;
    above = &place;
    out.append(row);
  }
  return out;
}

std::vector<ConfigPath> ConfigActions::paths() const {
  std::vector<ConfigPath> out;
  for (const QModelIndex& row : rows()) out.push_back(m_model->pathAt(row));
  return out;
}

QString ConfigActions::pathText(const ConfigPath& path) const {
  const ConfigNode* root = m_model->snapshot().shown.get();
  return root ? qstr(path_text(*root, path)) : QString();
}

const ConfigNode* ConfigActions::nodeAt(const ConfigPath& path) const {
  const ConfigNode* root = m_model->snapshot().shown.get();
  return root ? node_at(*root, path) : nullptr;
}

void ConfigActions::change(const QString& name, const ConfigEdit& edit) { m_document->edit(name, edit); }

void ConfigActions::goToSource() {
  const QModelIndex index = m_view->currentIndex();
  if (!index.isValid()) return;
  ConfigPlace place = m_model->nodeAt(index)->place();
  if (const auto& merged = m_model->snapshot().merged)
    if (const auto sources = merged->blame(m_model->pathAt(index)); !sources.empty()) place = sources.front().place;
  if (place.line > 0) Q_EMIT sourceRequested(qstr(place.file), place.line, place.column);
}

void ConfigActions::expandAll() { m_view->expandWithin(kMostExpanded); }
void ConfigActions::collapseAll() { m_view->collapseAll(); }

}  // namespace attnscope::ui
