#pragma once
#include <QModelIndex>
#include <QWidget>

class QAbstractItemModel;
class QStackedLayout;
class QTableView;

namespace attnscope::ui {

// A list of messages with Copy and Clear; shows a sentence while it is empty.
class LogView : public QWidget {
  Q_OBJECT

 public:
  LogView(const QString& name, const QString& title, const QString& emptyText, QAbstractItemModel* model,
          QWidget* parent = nullptr);
  QTableView* table() const { return m_table; }

 Q_SIGNALS:
  void clearRequested();
  void activated(const QModelIndex& index);  // of the model: Enter or a double click

 private:
  void copy() const;
  void onRows();

  QTableView* m_table;
  QStackedLayout* m_stack;
  bool m_follow = true;  // stays at the end until the user scrolls up
};

}  // namespace attnscope::ui
