#pragma once
#include <QWidget>

#include "views/heat_overlay.h"

namespace attnscope::ui {

// One of the pictures that stand side by side.
struct CanvasPane {
  QString title;
  QImage image;
  bool overlay = false;
};

// Frames with heat maps over them. All panes share zoom and position. The pixel under the mouse (or under the
// keyboard's cursor: Shift+arrows) is named with each word's value there.
class HeatmapCanvas : public QWidget {
  Q_OBJECT

 public:
  explicit HeatmapCanvas(QWidget* parent = nullptr);

  void setPanes(const QList<CanvasPane>& panes);
  void setLayers(const QList<HeatLayer>& layers);
  void setHeatStyle(const HeatStyle& style);
  // Shown when there are no panes.
  void setEmptyText(const QString& text);

  double zoom() const { return m_zoom; }  // 1: the picture fits
  void zoomBy(double factor, const QPointF& around);
  void zoomIn() { zoomBy(1.25, rect().center()); }
  void zoomOut() { zoomBy(0.8, rect().center()); }
  void fit();
  void actualSize();  // one picture pixel on one screen pixel

  // Where a pane's picture is drawn, in widget coordinates.
  QRectF imageRect(int pane) const;
  // The picture pixel under a widget position; (-1, -1) outside.
  QPoint pixelAt(const QPointF& position) const;
  // "pixel (x, y)" and a line "word value" for each layer.
  QStringList readout(const QPoint& pixel) const;

  QSize sizeHint() const override { return {640, 480}; }
  QSize minimumSizeHint() const override { return {160, 160}; }

 Q_SIGNALS:
  void frameStepRequested(int by);
  void playToggled();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QRectF paneRect(int pane) const;  // the space a pane has, title left out
  double fitScale() const;
  int titleHeight() const;
  int paneAt(const QPointF& position) const;
  bool hasOverlay() const;
  void touch();          // what is drawn over the picture changed
  void rebuild() const;  // makes m_full and m_overlay when they are needed, so that bursts of changes cost one
  void setPixel(const QPoint& pixel);
  void clampPan();
  void drawPane(QPainter& painter, int pane);
  void drawReadout(QPainter& painter, int pane);

  QList<CanvasPane> m_panes;
  QList<HeatLayer> m_layers;
  mutable bool m_stale = false;
  mutable QList<HeatMap> m_full;  // each layer's map at the overlay's size
  mutable QImage m_overlay;
  HeatStyle m_style;
  QString m_emptyText;
  double m_zoom = 1;
  QPointF m_pan;  // of the picture's centre from the pane's, in widget pixels
  QPointF m_dragFrom;
  bool m_dragging = false;
  QPoint m_pixel{-1, -1};
  int m_pixelPane = 0;
};

}  // namespace attnscope::ui
