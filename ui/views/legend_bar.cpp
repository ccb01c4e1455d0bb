#include "views/legend_bar.h"

#include <algorithm>

#include <QPainter>

#include "views/theme.h"

namespace attnscope::ui {

namespace {
constexpr int kBarHeight = 12;
}

LegendBar::LegendBar(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("legend"));
  setAccessibleName(tr("Legend"));
  setToolTip(tr("What the colours stand for: mean attention probability. Zero is transparent."));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void LegendBar::setBars(const QList<Bar>& bars) {
  const bool grows = bars.size() != m_bars.size();
  m_bars = bars;
  QStringList said;
  for (const Bar& bar : bars) said << tr("%1: 0 to %2").arg(bar.word, QString::number(bar.maximum, 'g', 3));
  setAccessibleDescription(said.join(QStringLiteral(", ")));
  if (grows) updateGeometry();
  update();
}

int LegendBar::rowHeight() const { return kBarHeight + fontMetrics().height() + 8; }

QSize LegendBar::sizeHint() const { return {200, rowHeight() * std::max<int>(1, int(m_bars.size()))}; }

void LegendBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  for (int i = 0; i < m_bars.size(); ++i) {
    const Bar& bar = m_bars[i];
    const QRect area(0, i * rowHeight(), width(), kBarHeight);
    QImage gradient(int(bar.colors.size()), 1, QImage::Format_ARGB32);
    for (int x = 0; x < bar.colors.size(); ++x) gradient.setPixel(x, 0, bar.colors[x]);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.drawImage(area, gradient);
    painter.setPen(theme::line(palette()));
    painter.drawRect(area.adjusted(0, 0, -1, -1));
    const QRect numbers(0, area.bottom() + 3, width(), fontMetrics().height());
    painter.setPen(theme::dimmed(palette()));
    painter.drawText(numbers, Qt::AlignLeft, QStringLiteral("0"));
    painter.drawText(numbers, Qt::AlignHCenter,
                     m_bars.size() > 1 ? bar.word : QString::number(bar.maximum / 2, 'g', 2));
    painter.drawText(numbers, Qt::AlignRight, QString::number(bar.maximum, 'g', 2));
  }
}

}  // namespace attnscope::ui
