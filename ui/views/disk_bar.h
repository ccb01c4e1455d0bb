#pragma once
#include <QFrame>

class QLabel;
class QPushButton;

namespace attnscope::ui {

// Says above a document that its file was changed by another program, or is gone, and asks what to do. Takes no room
// while there is nothing to ask.
class DiskBar : public QFrame {
  Q_OBJECT

 public:
  explicit DiskBar(QWidget* parent = nullptr);

  void ask(const QString& name, bool gone, bool modified);

 Q_SIGNALS:
  void reloadRequested();
  void keepRequested();
  void changesRequested();
  void saveRequested();  // writes a file that is gone again

 protected:
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QPushButton* addButton(const QString& name, const QString& text, const QString& tip);

  QLabel* m_text;
  QPushButton *m_reload, *m_keep, *m_changes, *m_save;
};

}  // namespace attnscope::ui
