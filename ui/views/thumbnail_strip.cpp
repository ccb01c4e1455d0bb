#include "views/thumbnail_strip.h"

#include <algorithm>
#include <cmath>

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include "views/theme.h"

namespace attnscope::ui {

ThumbnailStrip::ThumbnailStrip(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("thumbnails"));
  setAccessibleName(tr("Frames"));
  setToolTip(tr("Click or drag to go to a frame. The curves show each word's attention mass."));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ThumbnailStrip::setThumbnails(const QList<QImage>& frames) {
  m_frames = frames;
  update();
}

void ThumbnailStrip::setCurves(const QList<FrameCurve>& curves) {
  m_curves = curves;
  QStringList names;
  for (const FrameCurve& curve : curves) names << curve.name;
  setAccessibleDescription(names.isEmpty() ? QString()
                                           : tr("Attention mass of %1").arg(names.join(QStringLiteral(", "))));
  update();
}

void ThumbnailStrip::setCurrent(int frame) {
  m_current = frame;
  update();
}

int ThumbnailStrip::curvesHeight() const { return fontMetrics().height() * 3 / 2; }

QSize ThumbnailStrip::sizeHint() const { return {400, thumbnailSide(fontMetrics()) + curvesHeight() + 8}; }

QSize ThumbnailStrip::minimumSizeHint() const { return {100, sizeHint().height()}; }

double ThumbnailStrip::step() const {
  if (m_frames.isEmpty()) return 1;
  return std::min(double(width()) / double(m_frames.size()), thumbnailSide(fontMetrics()) * 1.7);
}

int ThumbnailStrip::frameAt(const QPointF& position) const {
  if (m_frames.isEmpty()) return -1;
  return std::clamp(int(std::floor(position.x() / step())), 0, int(m_frames.size()) - 1);
}

void ThumbnailStrip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  if (m_frames.isEmpty()) return;
  painter.setRenderHint(QPainter::SmoothPixmapTransform);
  const int side = thumbnailSide(fontMetrics());
  // With many frames only every n-th picture fits; each stands where its frame is.
  const int every = std::max(1, int(std::ceil((side * 0.6) / step())));
  const auto rectOf = [&](int i) {
    const double share = step() * every - 4;
    const QSizeF fitted =
        QSizeF(m_frames[i].size()).scaled(QSizeF(std::min<double>(side, share), side), Qt::KeepAspectRatio);
    return QRectF(i * step() + std::max(2.0, (step() - fitted.width()) / 2), 2 + (side - fitted.height()) / 2,
                  fitted.width(), fitted.height());
  };
  for (int i = 0; i < m_frames.size(); i += every) painter.drawImage(rectOf(i), m_frames[i]);
  const QRectF area(0, side + 8, step() * double(m_frames.size()), curvesHeight() - 4);
  drawCurves(painter, area);
  if (m_current < 0 || m_current >= m_frames.size()) return;
  const QColor accent = palette().color(QPalette::Highlight);
  if (m_current % every != 0) painter.drawImage(rectOf(m_current), m_frames[m_current]);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(accent, 2));
  painter.drawRect(rectOf(m_current).adjusted(-1, -1, 1, 1));
  if (m_curves.isEmpty()) return;
  painter.setPen(QPen(accent, 1));
  const double x = (m_current + 0.5) * step();
  painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
}

void ThumbnailStrip::drawCurves(QPainter& painter, const QRectF& area) const {
  float top = 0;
  for (const FrameCurve& curve : m_curves)
    for (float value : curve.values) top = std::max(top, value);
  if (top <= 0) return;
  painter.setRenderHint(QPainter::Antialiasing);
  for (const FrameCurve& curve : m_curves) {
    QPainterPath path;
    for (int i = 0; i < curve.values.size(); ++i) {
      const QPointF point((i + 0.5) * step(), area.bottom() - double(curve.values[i] / top) * area.height());
      i == 0 ? path.moveTo(point) : path.lineTo(point);
    }
    painter.setPen(QPen(curve.color, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
  }
  painter.setRenderHint(QPainter::Antialiasing, false);
}

void ThumbnailStrip::mousePressEvent(QMouseEvent* event) {
  const int frame = frameAt(event->position());
  if (frame < 0 || event->button() != Qt::LeftButton) return;
  Q_EMIT scrubbingChanged(true);
  Q_EMIT frameChosen(frame);
}

void ThumbnailStrip::mouseMoveEvent(QMouseEvent* event) {
  const int frame = frameAt(event->position());
  if (frame >= 0 && (event->buttons() & Qt::LeftButton)) Q_EMIT frameChosen(frame);
}

void ThumbnailStrip::mouseReleaseEvent(QMouseEvent*) { Q_EMIT scrubbingChanged(false); }

bool ThumbnailStrip::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip && !m_frames.isEmpty()) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const int frame = frameAt(help->pos());
    QStringList lines{tr("frame %1").arg(frame + 1)};
    for (const FrameCurve& curve : m_curves)
      if (frame < curve.values.size())
        lines << tr("%1: mean %2").arg(curve.name, QString::number(curve.values[frame], 'g', 3));
    QToolTip::showText(help->globalPos(), lines.join(QLatin1Char('\n')), this);
    return true;
  }
  return QWidget::event(event);
}

}  // namespace attnscope::ui
