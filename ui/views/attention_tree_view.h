#pragma once
#include <QTimer>
#include <QWidget>

class QLabel;
class QLineEdit;
class QSortFilterProxyModel;
class QTreeView;

namespace attnscope::ui {

class AttentionTreeModel;

// The attention layers, read-only, with a filter on top that opens what it finds. Selecting a captured layer asks for
// its maps alone.
class AttentionTreeView : public QWidget {
  Q_OBJECT

 public:
  explicit AttentionTreeView(AttentionTreeModel* model, QWidget* parent = nullptr);
  QTreeView* tree() const { return m_tree; }
  void focusFilter();
  // Selects a layer without asking for it again; an empty key selects nothing.
  void showLayer(const QString& key);

 Q_SIGNALS:
  void layerChosen(const QString& key);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void applyFilter();
  void onReset();
  void onCurrent();
  void fitColumns();

  AttentionTreeModel* m_model;
  QSortFilterProxyModel* m_proxy;
  QLineEdit* m_filter;
  QLabel *m_hits, *m_empty;
  QTreeView* m_tree;
  QTimer m_delay;
  bool m_quiet = false;
};

}  // namespace attnscope::ui
