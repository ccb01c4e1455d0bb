#include "views/icons.h"

#include <QApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

namespace attnscope::ui {

namespace {

class TintedSvg : public QIconEngine {
 public:
  explicit TintedSvg(const QString& name) : m_name(name) {}

  QIconEngine* clone() const override { return new TintedSvg(*this); }

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
    const qreal ratio = painter->device() ? painter->device()->devicePixelRatioF() : 1.0;
    QPixmap picture = tinted(rect.size() * ratio, mode);
    picture.setDevicePixelRatio(ratio);
    painter->drawPixmap(rect.topLeft(), picture);
  }

  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State) override { return tinted(size, mode); }

 private:
  QPixmap tinted(const QSize& size, QIcon::Mode mode) const {
    QPixmap out(size);
    out.fill(Qt::transparent);
    QSvgRenderer svg(QStringLiteral(":/icons/%1.svg").arg(m_name));
    QPainter painter(&out);
    svg.render(&painter, QRectF(QPointF(0, 0), QSizeF(size)));
    painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
    const QPalette palette = QApplication::palette();
    const auto role = mode == QIcon::Selected ? QPalette::HighlightedText : QPalette::ButtonText;
    painter.fillRect(out.rect(), palette.color(mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active, role));
    return out;
  }

  QString m_name;
};

}  // namespace

QIcon icon(const QString& name) { return QIcon(new TintedSvg(name)); }

}  // namespace attnscope::ui
