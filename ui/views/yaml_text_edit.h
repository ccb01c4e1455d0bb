#pragma once
#include <functional>

#include <QPlainTextEdit>
#include <QTimer>

#include "worker/config_snapshot.h"

namespace attnscope::ui {

class LineNumberArea;
class YamlHighlighter;

// Raw YAML text with colours, line numbers and underlined mistakes. It keeps no undo of its own: it says what was
// typed, and takes the changes that others make to the same text. Positions are in UTF-16 units.
class YamlTextEdit : public QPlainTextEdit {
  Q_OBJECT

 public:
  explicit YamlTextEdit(QWidget* parent = nullptr);

  // The text, lines parted by "\n". Neither these two nor places shown are said by the signals. A long text comes in
  // slices; it cannot be changed until it is whole.
  const QString& text() const { return m_text; }
  bool isFilling() const { return m_fillTimer.isActive(); }
  void setText(const QString& text);
  void applyChange(int position, int removed, const QString& inserted);

  // Only those of this text; lines and columns from 1.
  void setIssues(const QList<ConfigIssue>& issues);
  // What is said about a line, or at a position; empty: nothing.
  QString issueOfLine(int line) const;
  QString issueAt(int position) const;

  // Goes there, into the middle of the view when it is outside, and lets the line light up for a moment.
  void showPlace(int line, int column);
  void select(int position, int length);
  void selectLine(int line);

  struct VisibleLine {
    int number, top, height;
  };
  QList<VisibleLine> visibleLines(int top, int bottom) const;

 public Q_SLOTS:
  void toggleComment();

 Q_SIGNALS:
  void typed(int position, int removed, const QString& inserted);
  void typingEnded();  // what is typed next is another thing
  void cursorMoved(int position);

 protected:
  bool event(QEvent* event) override;
  bool viewportEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool canInsertFromMimeData(const QMimeData* source) const override;

 private:
  struct Underline {
    QTextCursor range;
    Level level;
    QString message;
  };

  int sliceEnd(int from) const;
  void fill();
  void goOnFilling();
  void onContentsChange(int position, int removed, int added);
  void onCursorMoved();
  void edit(void (*change)(QTextCursor&));
  void goTo(const QTextCursor& cursor);
  int positionOf(int line, int column) const;
  QTextCursor wordFrom(int line, int column) const;
  void updateSelections();
  void updateMargin();
  void useFixedFont();

  YamlHighlighter* m_highlighter;
  LineNumberArea* m_numbers;
  QString m_text;    // what the document holds, character for character
  int m_filled = 0;  // how much of it is there
  std::function<void()> m_afterFill;
  QList<ConfigIssue> m_issues;
  QList<Underline> m_underlines;
  QTextCursor m_flash;
  QTimer m_fillTimer, m_flashTimer, m_pauseTimer, m_moveTimer;
  int m_typedTo = -1;    // where the cursor stands after what was typed last
  bool m_quiet = false;  // a change or move that is not the user's
};

}  // namespace attnscope::ui
