#include <algorithm>

#include <QPointer>

#include "documents/config_document.h"
#include "models/config_tree_model.h"
#include "views/add_dialog.h"
#include "views/config_actions.h"
#include "views/config_tree_view.h"

// The actions that change the document.
namespace attnscope::ui {

void ConfigActions::commit(const ConfigPath& path, const ConfigNode& value) {
  const QModelIndex edited = m_model->indexOf(path);
  const QModelIndexList selected = m_view->selectionModel()->selectedRows();
  if (selected.size() > 1 && selected.contains(edited)) {
    const QVariant type = edited.data(ConfigTreeModel::TypeRole);
    std::vector<std::pair<ConfigPath, ConfigNode>> values;
    for (const QModelIndex& row : selected)
      if (row.data(ConfigTreeModel::TypeRole) == type) values.emplace_back(m_model->pathAt(row), value);
    if (values.size() > 1) {
      m_document->setValues(tr("Set %n values", nullptr, int(values.size())), values);
      return;
    }
  }
  m_document->setValue(path, value);
}

void ConfigActions::rename(const ConfigPath& path, const QString& key) {
  change(tr("Rename %1 to %2").arg(pathText(path), key), config_edits::rename(path, ConfigKey(key.toStdString())));
}

void ConfigActions::move(const std::vector<ConfigPath>& paths, const ConfigPath& container,
                         const std::optional<ConfigKey>& before) {
  if (paths.empty()) return;
  // Dropped where it is already.
  const bool onItself = paths.size() == 1 && before && paths[0].back() == *before && parent_path(paths[0]) == container;
  if (onItself) return;
  const QString name =
      paths.size() == 1 ? tr("Move %1").arg(pathText(paths[0])) : tr("Move %n rows", nullptr, int(paths.size()));
  change(name, config_edits::move(paths, {container, before}));
  const ConfigNode* target = nodeAt(container);
  if (paths.size() != 1 || !target || !target->is_dict() || paths[0].size() == container.size() + 1) return;
  Q_EMIT appeared(child_path(container, paths[0].back()));
}

void ConfigActions::add() {
  const QModelIndex index = m_view->currentIndex();
  const ConfigNode* node = m_model->nodeAt(index);
  if (!node) return;
  if (node->is_scalar())
    insert(true);
  else
    openAdd({m_model->pathAt(index), std::nullopt});
}

void ConfigActions::insert(bool after) {
  const QModelIndex index = m_view->currentIndex();
  if (!index.isValid()) {
    add();
    return;
  }
  const ConfigPath path = m_model->pathAt(index);
  config_edits::Spot spot{parent_path(path), path.back()};
  if (after) {
    const ConfigNode* around = nodeAt(spot.container);
    spot.before.reset();
    if (around && around->is_list()) {
      if (const std::size_t next = index_of(path.back()).value_or(0) + 1; next < around->items().size())
        spot.before = index_key(next);
    } else if (around && around->is_dict()) {
      const auto& members = around->members();
      const auto at =
          std::find_if(members.begin(), members.end(), [&](const auto& m) { return m.first == path.back(); });
      if (at != members.end() && at + 1 != members.end()) spot.before = (at + 1)->first;
    }
  }
  openAdd(spot);
}

void ConfigActions::openAdd(const config_edits::Spot& spot) {
  const ConfigNode* container = nodeAt(spot.container);
  if (!container || container->is_scalar()) return;
  const ConfigSchema* schema = m_model->snapshot().schema;
  auto* dialog = new AddDialog(*container, schema ? schema->find(spot.container) : nullptr, m_view);
  connect(dialog, &QDialog::accepted, this, [this, dialog, spot] {
    const ConfigNode* around = nodeAt(spot.container);
    if (!around) return;
    const std::size_t end = around->is_list() ? around->items().size() : 0;
    const ConfigKey key =
        around->is_list() ? spot.before.value_or(index_key(end)) : ConfigKey(dialog->key().toStdString());
    const ConfigPath path = child_path(spot.container, key);
    change(tr("Add %1").arg(pathText(path)), config_edits::insert(spot, key, dialog->value()));
    Q_EMIT appeared(path);
  });
  dialog->show();
  dialog->activateWindow();
}

void ConfigActions::remove() {
  const std::vector<ConfigPath> gone = paths();
  if (gone.empty()) return;
  change(gone.size() == 1 ? tr("Remove %1").arg(pathText(gone[0])) : tr("Remove %n rows", nullptr, int(gone.size())),
         config_edits::remove(gone));
}

void ConfigActions::reset() {
  std::vector<std::pair<ConfigPath, ConfigNode>> values;
  for (const QModelIndex& row : rows())
    if (row.data(ConfigTreeModel::ResettableRole).toBool())
      values.emplace_back(m_model->pathAt(row), *m_model->entryAt(row)->default_value);
  if (values.empty()) return;
  m_document->setValues(values.size() == 1 ? tr("Reset %1").arg(pathText(values[0].first))
                                           : tr("Reset %n values", nullptr, int(values.size())),
                        values);
}

void ConfigActions::duplicate() {
  const std::vector<ConfigPath> copied = paths();
  if (copied.empty()) return;
  change(copied.size() == 1 ? tr("Duplicate %1").arg(pathText(copied[0]))
                            : tr("Duplicate %n rows", nullptr, int(copied.size())),
         config_edits::duplicate(copied));
}

// By one place among the children that there are, whether a filter shows them or not.
void ConfigActions::moveBy(int by) {
  const std::vector<ConfigPath> moved = paths();
  if (moved.empty()) return;
  const ConfigPath container(moved[0].begin(), moved[0].end() - 1);
  const ConfigNode* around = nodeAt(container);
  if (!around) return;
  std::vector<ConfigKey> keys;
  if (around->is_list())
    for (std::size_t i = 0; i < around->items().size(); ++i) keys.push_back(index_key(i));
  else
    for (const auto& [key, value] : around->members()) keys.push_back(key);
  std::ptrdiff_t first = std::ptrdiff_t(keys.size()), last = -1;
  for (const ConfigPath& path : moved) {
    if (path.size() != container.size() + 1 || !starts_with(path, container)) return;  // of several dicts
    const std::ptrdiff_t at = std::find(keys.begin(), keys.end(), path.back()) - keys.begin();
    first = std::min(first, at);
    last = std::max(last, at);
  }
  const std::ptrdiff_t to = by < 0 ? first - 1 : last + 2;
  if (to < 0 || to > std::ptrdiff_t(keys.size())) return;
  std::optional<ConfigKey> before;
  if (to < std::ptrdiff_t(keys.size())) before = keys[std::size_t(to)];
  move(moved, container, before);
}

void ConfigActions::setType(ValueType type) {
  for (const QModelIndex& row : rows()) {
    if (ValueType(row.data(ConfigTreeModel::TypeRole).toInt()) == type) continue;
    m_document->setValue(m_model->pathAt(row), convertedValue(*m_model->nodeAt(row), type));
  }
}

void ConfigActions::setNull() {
  for (const ConfigPath& path : paths()) m_document->setValue(path, ConfigNode());
}

void ConfigActions::setMissing() {
  for (const ConfigPath& path : paths()) m_document->setValue(path, ConfigNode("???"));
}

}  // namespace attnscope::ui
