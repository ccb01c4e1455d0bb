#pragma once
#include <QLabel>

namespace attnscope::ui {

// A line of text that asks for no room and says with dots that it is cut.
class ElidedLabel : public QLabel {
 public:
  explicit ElidedLabel(QWidget* parent = nullptr, Qt::TextElideMode mode = Qt::ElideMiddle);

  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  Qt::TextElideMode m_mode;
};

}  // namespace attnscope::ui
