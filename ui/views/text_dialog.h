#pragma once
#include <QDialog>

class QLabel;
class QLineEdit;
class QPlainTextEdit;

namespace attnscope::ui {

// A box for a long text. Ctrl+Enter accepts it, Esc does not; the window stays usable meanwhile. Deletes itself.
class TextDialog : public QDialog {
  Q_OBJECT

 public:
  TextDialog(const QString& title, const QString& help, QWidget* parent);
  // Another line below the box.
  QLineEdit* addLine(const QString& label, const QString& name);
  QPlainTextEdit* box() const { return m_box; }
  QString text() const;
  void setText(const QString& text);

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QPlainTextEdit* m_box;
};

}  // namespace attnscope::ui
