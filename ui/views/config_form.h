#pragma once
#include <optional>

#include <QTimer>
#include <QWidget>

#include "models/config_filter.h"

class QAbstractItemModel;
class QLabel;
class QLineEdit;
class QToolButton;

namespace attnscope::ui {

class ConfigActions;
class ConfigDocument;
class ConfigTreeModel;
class ConfigTreeView;
class PathProbe;

// A config as a form: a search line, the tree of values with an editor for each, and what is known of the current row.
class ConfigForm : public QWidget {
  Q_OBJECT

 public:
  explicit ConfigForm(ConfigDocument* document, QWidget* parent = nullptr);
  ~ConfigForm() override;

  ConfigTreeView* tree() const { return m_tree; }
  ConfigTreeModel* model() const { return m_model; }
  ConfigActions* actions() const { return m_actions; }

 public Q_SLOTS:
  void focusSearch();
  void findNext() { find(1); }
  void findPrevious() { find(-1); }
  // Opens what is above it and makes it current, without telling pathSelected().
  void selectPath(const attnscope::ConfigPath& path);

 Q_SIGNALS:
  void pathSelected(const attnscope::ConfigPath& path);
  // To where the current value is written.
  void sourceRequested(const QString& file, int line, int column);

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void makeSearch();
  void connectTree();
  void connectDocument();
  void onSnapshot();
  void onSearched(const ConfigSnapshot& snapshot, const std::shared_ptr<const ConfigFilter>& filter);
  void startSearch();
  void showSnapshot(const ConfigSnapshot& snapshot, const std::shared_ptr<const ConfigFilter>& filter);
  void find(int by);
  void onCurrent();
  void updateHits();
  void updateEmpty();
  void updateHint();
  void rememberExpanded();
  void restoreExpanded();

  ConfigDocument* m_document;
  ConfigTreeModel* m_model;
  PathProbe* m_probe;
  ConfigSearch m_search;
  ConfigTreeView* m_tree;
  ConfigActions* m_actions;
  QLineEdit* m_line;
  QLabel *m_hits, *m_empty, *m_hint;
  QToolButton *m_changedOnly, *m_problemsOnly, *m_add;
  QTimer m_delay;
  ConfigQuery m_query;
  std::shared_ptr<const ConfigFilter> m_filter;
  std::vector<ConfigPath> m_expanded;   // before the search
  std::optional<ConfigPath> m_awaited;  // to be shown once it is there
  int m_hit = -1;
  bool m_fresh = true;        // nothing of the document was shown yet
  bool m_expandHits = false;  // the query is new
  bool m_quiet = false;
};

}  // namespace attnscope::ui
