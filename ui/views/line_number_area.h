#pragma once
#include <QMap>
#include <QWidget>

#include "worker/log_bridge.h"

namespace attnscope::ui {

class YamlTextEdit;

// What is said about a line.
struct LineMark {
  Level level = Level::Warning;
  QString text;
};

// The numbers of a text's lines, with a mark at those that something is said about: a disc for an error, a triangle for
// a warning. A click selects the line.
class LineNumberArea : public QWidget {
  Q_OBJECT

 public:
  explicit LineNumberArea(YamlTextEdit* editor);
  int widthFor(int lines) const;
  void setMarks(const QMap<int, LineMark>& marks);  // by line, from 1
  const QMap<int, LineMark>& marks() const { return m_marks; }

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  int lineAt(int y) const;  // 0: below the text
  YamlTextEdit* m_editor;
  QMap<int, LineMark> m_marks;
};

}  // namespace attnscope::ui
