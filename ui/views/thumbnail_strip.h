#pragma once
#include <QWidget>

namespace attnscope::ui {

// A curve over the frames, as large as its largest value.
struct FrameCurve {
  QString name;
  QColor color;
  QList<float> values;
};

// Small pictures of all frames, as many as fit, with the curves of the words' attention mass below. Clicking or
// dragging goes to a frame.
class ThumbnailStrip : public QWidget {
  Q_OBJECT

 public:
  explicit ThumbnailStrip(QWidget* parent = nullptr);

  void setThumbnails(const QList<QImage>& frames);
  void setCurves(const QList<FrameCurve>& curves);
  void setCurrent(int frame);
  int frameAt(const QPointF& position) const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;
  static int thumbnailSide(const QFontMetrics& metrics) { return metrics.height() * 3; }

 Q_SIGNALS:
  void frameChosen(int frame);
  void scrubbingChanged(bool scrubbing);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  bool event(QEvent* event) override;

 private:
  double step() const;  // width of one frame's share
  int curvesHeight() const;
  void drawCurves(QPainter& painter, const QRectF& area) const;

  QList<QImage> m_frames;
  QList<FrameCurve> m_curves;
  int m_current = 0;
};

}  // namespace attnscope::ui
