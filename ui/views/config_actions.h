#pragma once
#include <vector>

#include <QHash>
#include <QObject>
#include <QPersistentModelIndex>
#include <QThreadPool>

#include "documents/config_edits.h"
#include "models/config_value.h"

class QAction;
class QKeySequence;
class QMenu;

namespace attnscope::ui {

class ConfigDocument;
class ConfigTreeModel;
class ConfigTreeView;
class PathProbe;

// What can be done to the rows of the config form, by menu and keyboard. Every change becomes one edit of the document.
class ConfigActions : public QObject {
  Q_OBJECT

 public:
  ConfigActions(ConfigDocument* document, ConfigTreeModel* model, ConfigTreeView* view, PathProbe* probe);
  ~ConfigActions() override;

  QAction* action(const QString& id) const { return m_actions.value(id); }
  QMenu* menu() const { return m_menu; }

  // A value that was typed or chosen: for all selected rows of its type.
  void commit(const ConfigPath& path, const ConfigNode& value);
  void rename(const ConfigPath& path, const QString& key);
  void move(const std::vector<ConfigPath>& paths, const ConfigPath& container, const std::optional<ConfigKey>& before);
  // A dialog for a value that needs more than a line, starting with `text`.
  void openMore(const QModelIndex& index, ValueType type, const QString& text);
  // Where a path that a config names is, as this document sees it.
  QString located(const QString& path) const;

 Q_SIGNALS:
  // To show what an edit made, once it is there.
  void appeared(const attnscope::ConfigPath& path);
  void sourceRequested(const QString& file, int line, int column);

 private:
  using Slot = void (ConfigActions::*)();
  void make(const QString& id, const QString& text, const QList<QKeySequence>& keys, Slot slot);
  void makeAll();
  void makeMenu();
  void makeTypes();
  void update();

  void add();
  void insertBefore() { insert(false); }
  void insertAfter() { insert(true); }
  void insert(bool after);
  void openAdd(const config_edits::Spot& spot);
  void remove();
  void reset();
  void duplicate();
  void moveUp() { moveBy(-1); }
  void moveDown() { moveBy(1); }
  void moveBy(int by);
  void copy();
  void copyValue();
  void copyPath();
  void copyDotlist();
  void paste();
  void setType(ValueType type);
  void setNull();
  void setMissing();
  void editComment();
  void openComment(const ConfigPath& path, const EditableConfig::Comments& comments);
  void goToSource();
  void expandAll();
  void collapseAll();

  void openPath(const ConfigPath& path, const QString& text);
  void openColor(const ConfigPath& path, const QString& text);
  void openText(const ConfigPath& path, const QString& text);
  void change(const QString& name, const ConfigEdit& edit);

  // Selected rows from top to bottom, without those below another one.
  QModelIndexList rows() const;
  std::vector<ConfigPath> paths() const;
  QString pathText(const ConfigPath& path) const;
  const ConfigNode* nodeAt(const ConfigPath& path) const;

  ConfigDocument* m_document;
  ConfigTreeModel* m_model;
  ConfigTreeView* m_view;
  PathProbe* m_probe;
  QHash<QString, QAction*> m_actions;
  QMenu *m_menu, *m_types;
  QThreadPool m_pool;
};

}  // namespace attnscope::ui
