#pragma once
#include <QWidget>

namespace attnscope::ui {

// The colours of the map with numbers below: zero, the middle, the largest value. With several words, a bar for each.
class LegendBar : public QWidget {
  Q_OBJECT

 public:
  struct Bar {
    QString word;
    QList<QRgb> colors;  // lowest first
    float maximum = 0;
  };

  explicit LegendBar(QWidget* parent = nullptr);
  void setBars(const QList<Bar>& bars);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {80, sizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  int rowHeight() const;
  QList<Bar> m_bars;
};

}  // namespace attnscope::ui
