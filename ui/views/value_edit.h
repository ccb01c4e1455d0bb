#pragma once
#include <QLineEdit>

#include "models/config_value.h"

class QAction;

namespace attnscope::ui {

// The line in which a value of a config is typed. What cannot be that value turns its border red and says why; Enter
// does not take it then. Up and Down step numbers. Some types have a button at the end (choose a file, a colour, more
// room for text), which Alt+Down presses.
class ValueEdit : public QLineEdit {
  Q_OBJECT

 public:
  ValueEdit(ValueType type, const SchemaEntry* entry, QWidget* parent);

  ValueType type() const { return m_type; }
  ParsedValue parsed() const { return parseValue(text(), m_type, m_entry); }
  // The text that was there first: what is equal to it is no edit.
  void begin(const QString& text);
  const QString& initialText() const { return m_initial; }

 Q_SIGNALS:
  void moreRequested();

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void check();

  ValueType m_type;
  const SchemaEntry* m_entry;
  QString m_initial;
  QAction* m_more = nullptr;
};

}  // namespace attnscope::ui
