#pragma once
#include <QTreeView>

namespace attnscope::ui {

class ConfigTreeModel;
class ValueDelegate;

// The tree of the config form: Enter edits what is current, Space switches true and false, rows are dragged.
class ConfigTreeView : public QTreeView {
  Q_OBJECT

 public:
  ConfigTreeView(ConfigTreeModel* model, ValueDelegate* delegate, QWidget* parent);

  void editCurrent();
  void editCurrentAsYaml();
  void renameCurrent();
  // Opens levels from the top as long as no more than that many rows show.
  void expandWithin(int rows);

 Q_SIGNALS:
  // The value is too long for a line.
  void boxRequested(const QModelIndex& index);
  void sourceRequested(const QModelIndex& index);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fitColumns();
  bool toggle(const QModelIndex& index);

  ConfigTreeModel* m_model;
  ValueDelegate* m_delegate;
};

}  // namespace attnscope::ui
