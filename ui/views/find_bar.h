#pragma once
#include <QFrame>
#include <QTimer>

class QLabel;
class QLineEdit;
class QPlainTextEdit;

namespace attnscope::ui {

// A line below a text in which to look for words, or to say which line to go to. Enter and Shift+Enter go on, Esc goes
// back to the text.
class FindBar : public QFrame {
  Q_OBJECT

 public:
  explicit FindBar(QPlainTextEdit* editor, QWidget* parent = nullptr);

  void find();  // looks for the selected word at first
  void goToLine();
  void findNext() { step(true); }
  void findPrevious() { step(false); }
  void close();

 Q_SIGNALS:
  void lineChosen(int line);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void open(bool finding);
  void enter(bool forward);
  void step(bool forward);
  void count();

  QPlainTextEdit* m_editor;
  QLabel *m_title, *m_result;
  QLineEdit* m_text;
  QWidget *m_previous, *m_next;
  QString m_sought;  // stays while lines are gone to
  QTimer m_delay;
  bool m_finding = true;
};

}  // namespace attnscope::ui
