#pragma once
#include <QFrame>
#include <QTimer>

#include "worker/log_bridge.h"
#include "worker/run_data.h"

class QLabel;
class QPushButton;
class QToolButton;

namespace attnscope::ui {

// A message above the picture, instead of a dialog: errors stay until they are closed, the rest goes by itself. A
// repeat of what is shown is counted, not stacked.
class MessageBar : public QFrame {
  Q_OBJECT

 public:
  explicit MessageBar(QWidget* parent = nullptr);

  void showMessage(Level level, const QString& text, const QString& detail = {});
  void showFailure(const Failure& failure);
  // A message with a button; `action` names it.
  void showOffer(const QString& text, const QString& action, const QString& detail = {});
  QString text() const { return m_text; }
  void dismiss();

 Q_SIGNALS:
  void actionRequested();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void copy() const;

  QLabel *m_icon, *m_message, *m_detail;
  QPushButton* m_action;
  QToolButton *m_copy, *m_close;
  QTimer m_timer;
  Level m_level = Level::Info;
  QString m_text, m_detailText;
  int m_count = 1;
};

}  // namespace attnscope::ui
