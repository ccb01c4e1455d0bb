#pragma once
#include <QWidget>

namespace attnscope::ui {

class ConfigDocument;
class ElidedLabel;
class FindBar;
class YamlTextEdit;

// A document's raw text, in step with it in both directions: what is typed goes to the document and its undo stack,
// what the form changes is changed here. Below it what is said about the line of the cursor.
class ConfigTextPane : public QWidget {
  Q_OBJECT

 public:
  explicit ConfigTextPane(ConfigDocument* document, QWidget* parent = nullptr);
  YamlTextEdit* editor() const { return m_editor; }

 public Q_SLOTS:
  void showPlace(int line, int column);  // from 1
  void select(int position, int length);

 Q_SIGNALS:
  void cursorMoved(int position);  // by the user

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void readAgain();
  void onSnapshot();
  void updateStatus();

  ConfigDocument* m_document;
  YamlTextEdit* m_editor;
  FindBar* m_find;
  ElidedLabel* m_status;
};

}  // namespace attnscope::ui
