#include "views/heatmap_canvas.h"

#include <algorithm>
#include <cmath>

#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <QWheelEvent>

#include "views/theme.h"

namespace attnscope::ui {

namespace {

constexpr double kMaxZoom = 64;
constexpr int kGap = 16;           // between panes and around them
constexpr double kPixelScale = 6;  // from here on picture pixels are drawn as squares
constexpr int kMaxReadout = 8;

}  // namespace

HeatmapCanvas::HeatmapCanvas(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("heatmapCanvas"));
  setAccessibleName(tr("Picture with heat map"));
  setToolTip(
      tr("Wheel zooms, dragging moves, double click fits.\n"
         "Left and Right change the frame, Shift+arrows move the readout, Space plays."));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void HeatmapCanvas::setPanes(const QList<CanvasPane>& panes) {
  const bool another =
      panes.size() != m_panes.size() || (!panes.isEmpty() && panes[0].image.size() != m_panes[0].image.size());
  const bool overlaid = hasOverlay();
  m_panes = panes;
  if (another) fit();
  if (another || hasOverlay() != overlaid) m_stale = true;  // another picture of the same size keeps its overlay
  update();
}

bool HeatmapCanvas::hasOverlay() const {
  return std::any_of(m_panes.begin(), m_panes.end(), [](const CanvasPane& p) { return p.overlay; });
}

void HeatmapCanvas::setLayers(const QList<HeatLayer>& layers) {
  m_layers = layers;
  touch();
}

void HeatmapCanvas::setHeatStyle(const HeatStyle& style) {
  if (style == m_style) return;
  m_style = style;
  touch();
}

void HeatmapCanvas::setEmptyText(const QString& text) {
  m_emptyText = text;
  setAccessibleDescription(text);
  update();
}

void HeatmapCanvas::touch() {
  m_stale = true;
  update();
}

void HeatmapCanvas::rebuild() const {
  if (!m_stale) return;
  m_stale = false;
  m_full.clear();
  m_overlay = {};
  if (hasOverlay() && !m_layers.isEmpty()) {
    const QSize size = overlaySize(m_panes[0].image.size());
    for (const HeatLayer& layer : m_layers) m_full.append(resized(layer.map, size, m_style.smooth));
    m_overlay = heatOverlay(m_layers, m_full, size, m_style);
  }
}

int HeatmapCanvas::titleHeight() const { return fontMetrics().height() + 8; }

QRectF HeatmapCanvas::paneRect(int pane) const {
  const int count = std::max<int>(1, int(m_panes.size()));
  const QSizeF image = m_panes.isEmpty() ? QSizeF(1, 1) : QSizeF(m_panes[0].image.size());
  const auto scaleFor = [&](int columns) {
    const int rows = (count + columns - 1) / columns;
    const double w = (width() - kGap * (columns + 1)) / double(columns);
    const double h = (height() - kGap * (rows + 1)) / double(rows) - titleHeight();
    return std::min(w / image.width(), h / image.height());
  };
  const int columns = count > 1 && scaleFor(1) > scaleFor(count) ? 1 : count;
  const int rows = (count + columns - 1) / columns;
  const double w = (width() - kGap * (columns + 1)) / double(columns);
  const double h = (height() - kGap * (rows + 1)) / double(rows);
  const QRectF cell(kGap + (pane % columns) * (w + kGap), kGap + (pane / columns) * (h + kGap), w, h);
  return cell.adjusted(0, titleHeight(), 0, 0);
}

double HeatmapCanvas::fitScale() const {
  if (m_panes.isEmpty() || m_panes[0].image.isNull()) return 1;
  const QRectF pane = paneRect(0);
  const QSizeF image = m_panes[0].image.size();
  return std::max(0.01, std::min(pane.width() / image.width(), pane.height() / image.height()));
}

QRectF HeatmapCanvas::imageRect(int pane) const {
  const QSizeF size = QSizeF(m_panes.value(0).image.size()) * fitScale() * m_zoom;
  const QPointF centre = paneRect(pane).center() + m_pan;
  return {centre.x() - size.width() / 2, centre.y() - size.height() / 2, size.width(), size.height()};
}

int HeatmapCanvas::paneAt(const QPointF& position) const {
  for (int i = 0; i < m_panes.size(); ++i)
    if (paneRect(i).contains(position)) return i;
  return -1;
}

QPoint HeatmapCanvas::pixelAt(const QPointF& position) const {
  const int pane = paneAt(position);
  if (pane < 0) return {-1, -1};
  const QRectF rect = imageRect(pane);
  if (!rect.contains(position)) return {-1, -1};
  const QSize size = m_panes[0].image.size();
  return {std::min(size.width() - 1, int((position.x() - rect.x()) / rect.width() * size.width())),
          std::min(size.height() - 1, int((position.y() - rect.y()) / rect.height() * size.height()))};
}

QStringList HeatmapCanvas::readout(const QPoint& pixel) const {
  const QSize size = m_panes.value(0).image.size();
  if (!QRect(QPoint(0, 0), size).contains(pixel)) return {};
  rebuild();
  QStringList lines{tr("pixel (%1, %2)").arg(pixel.x()).arg(pixel.y())};
  for (qsizetype i = 0; i < m_full.size() && i < kMaxReadout; ++i) {
    const int x = int((pixel.x() + 0.5) * m_full[i].width / size.width());
    const int y = int((pixel.y() + 0.5) * m_full[i].height / size.height());
    const float value = m_full[i].values[std::size_t(y) * m_full[i].width + x];
    lines << QStringLiteral("%1\t%2").arg(m_layers[i].word, QString::number(value, 'f', 3));
  }
  return lines;
}

void HeatmapCanvas::zoomBy(double factor, const QPointF& around) {
  const double next = std::clamp(m_zoom * factor, 1.0, kMaxZoom);
  if (next == m_zoom) return;
  const int pane = std::max(0, paneAt(around));
  const QPointF offset = around - paneRect(pane).center();
  m_pan = offset - (offset - m_pan) * (next / m_zoom);
  m_zoom = next;
  clampPan();
  update();
}

void HeatmapCanvas::fit() {
  m_zoom = 1;
  m_pan = {};
  update();
}

void HeatmapCanvas::actualSize() {
  m_zoom = std::clamp(1 / (fitScale() * devicePixelRatioF()), 1.0, kMaxZoom);
  m_pan = {};
  update();
}

// The picture may not be dragged out of sight.
void HeatmapCanvas::clampPan() {
  const QSizeF pane = paneRect(0).size(), image = imageRect(0).size();
  const double x = std::max(0.0, (image.width() - pane.width()) / 2);
  const double y = std::max(0.0, (image.height() - pane.height()) / 2);
  m_pan = {std::clamp(m_pan.x(), -x, x), std::clamp(m_pan.y(), -y, y)};
}

void HeatmapCanvas::setPixel(const QPoint& pixel) {
  m_pixel = pixel;
  const QStringList lines = readout(pixel);
  if (!m_panes.isEmpty()) setAccessibleDescription(lines.join(QStringLiteral(", ")));
  update();
}

void HeatmapCanvas::paintEvent(QPaintEvent*) {
  rebuild();
  QPainter painter(this);
  painter.fillRect(rect(), theme::canvas(palette()));
  if (m_panes.isEmpty()) {
    painter.setPen(theme::dimmed(palette()));
    painter.drawText(rect().adjusted(24, 24, -24, -24), Qt::AlignCenter | Qt::TextWordWrap, m_emptyText);
  }
  for (int i = 0; i < m_panes.size(); ++i) drawPane(painter, i);
  if (m_pixel.x() >= 0 && !m_panes.isEmpty()) drawReadout(painter, std::min<int>(m_pixelPane, int(m_panes.size()) - 1));
  if (hasFocus()) {
    painter.setPen(QPen(palette().color(QPalette::Highlight), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
  }
}

void HeatmapCanvas::drawPane(QPainter& painter, int pane) {
  const QRectF space = paneRect(pane), target = imageRect(pane);
  const CanvasPane& what = m_panes[pane];
  const QRectF visible = target.intersected(space);
  painter.setPen(theme::dimmed(palette()));
  const QRectF title(visible.x(), visible.y() - titleHeight(), std::max(visible.width(), 1.0), titleHeight() - 4);
  painter.drawText(title, Qt::AlignLeft | Qt::AlignBottom,
                   fontMetrics().elidedText(what.title, Qt::ElideMiddle, int(title.width())));
  painter.save();
  painter.setClipRect(space);
  painter.setRenderHint(QPainter::SmoothPixmapTransform, target.width() / what.image.width() < kPixelScale);
  painter.drawImage(target, what.image);
  if (what.overlay && !m_overlay.isNull()) {
    painter.setRenderHint(QPainter::SmoothPixmapTransform, m_style.smooth);
    painter.drawImage(target, m_overlay);
  }
  painter.restore();
}

void HeatmapCanvas::drawReadout(QPainter& painter, int pane) {
  const QStringList lines = readout(m_pixel);
  if (lines.isEmpty()) return;
  const QSize size = m_panes[0].image.size();
  for (int i = 0; i < m_panes.size(); ++i) {  // the same pixel in every pane
    const QRectF target = imageRect(i);
    const QPointF at(target.x() + (m_pixel.x() + 0.5) * target.width() / size.width(),
                     target.y() + (m_pixel.y() + 0.5) * target.height() / size.height());
    if (!paneRect(i).contains(at)) continue;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    for (const auto& [color, width] : {std::pair{palette().color(QPalette::ToolTipBase), 3.0},
                                       std::pair{palette().color(QPalette::ToolTipText), 1.2}}) {
      painter.setPen(QPen(color, width));
      painter.drawEllipse(at, 6, 6);
    }
    if (i != pane) continue;
    int left = 0, right = 0;
    for (const QString& line : lines) {
      left = std::max(left, fontMetrics().horizontalAdvance(line.section(QLatin1Char('\t'), 0, 0)));
      right = std::max(right, fontMetrics().horizontalAdvance(line.section(QLatin1Char('\t'), 1)));
    }
    const int row = fontMetrics().height();
    QRectF box(at + QPointF(14, 14), QSizeF(left + (right ? right + 20 : 0) + 16, row * int(lines.size()) + 12));
    if (box.right() > width() - 4) box.moveRight(at.x() - 14);
    if (box.bottom() > height() - 4) box.moveBottom(at.y() - 14);
    painter.setPen(Qt::NoPen);
    painter.setBrush(palette().color(QPalette::ToolTipBase));
    painter.drawRoundedRect(box, 4, 4);
    painter.setPen(palette().color(QPalette::ToolTipText));
    QRectF line = box.adjusted(8, 6, -8, 0);
    line.setHeight(row);
    for (const QString& text : lines) {
      painter.drawText(line, Qt::AlignLeft, text.section(QLatin1Char('\t'), 0, 0));
      painter.drawText(line, Qt::AlignRight, text.section(QLatin1Char('\t'), 1));
      line.translate(0, row);
    }
  }
}

void HeatmapCanvas::resizeEvent(QResizeEvent*) { clampPan(); }

void HeatmapCanvas::wheelEvent(QWheelEvent* event) {
  if (m_panes.isEmpty()) return;
  zoomBy(std::pow(1.0015, event->angleDelta().y()), event->position());
  event->accept();
}

void HeatmapCanvas::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton) return;
  m_dragging = true;
  m_dragFrom = event->position() - m_pan;
}

void HeatmapCanvas::mouseMoveEvent(QMouseEvent* event) {
  if (m_dragging && m_zoom > 1) {
    setCursor(Qt::ClosedHandCursor);
    m_pan = event->position() - m_dragFrom;
    clampPan();
  }
  m_pixelPane = std::max(0, paneAt(event->position()));
  setPixel(pixelAt(event->position()));
}

void HeatmapCanvas::mouseReleaseEvent(QMouseEvent*) {
  m_dragging = false;
  unsetCursor();
}

void HeatmapCanvas::mouseDoubleClickEvent(QMouseEvent*) { fit(); }

void HeatmapCanvas::leaveEvent(QEvent*) { setPixel({-1, -1}); }

void HeatmapCanvas::keyPressEvent(QKeyEvent* event) {
  const bool shift = event->modifiers() & Qt::ShiftModifier;
  const auto arrow = [&](int dx, int dy) {
    const QSize size = m_panes.value(0).image.size();
    if (size.isEmpty()) return;
    const QPoint from = m_pixel.x() < 0 ? QPoint(size.width() / 2, size.height() / 2) : m_pixel + QPoint(dx, dy);
    m_pixelPane = std::max<int>(0, int(m_panes.size()) - 1);
    setPixel({std::clamp(from.x(), 0, size.width() - 1), std::clamp(from.y(), 0, size.height() - 1)});
  };
  switch (event->key()) {
    case Qt::Key_Left: shift ? arrow(-1, 0) : Q_EMIT frameStepRequested(-1); break;
    case Qt::Key_Right: shift ? arrow(1, 0) : Q_EMIT frameStepRequested(1); break;
    case Qt::Key_Up:
      if (shift) arrow(0, -1);
      break;
    case Qt::Key_Down:
      if (shift) arrow(0, 1);
      break;
    case Qt::Key_Space: Q_EMIT playToggled(); break;
    case Qt::Key_Escape: setPixel({-1, -1}); break;
    default: QWidget::keyPressEvent(event);
  }
}

}  // namespace attnscope::ui
