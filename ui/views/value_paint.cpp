#include <algorithm>

#include <QApplication>
#include <QPainter>
#include <QPainterPath>

#include "models/config_tree_model.h"
#include "views/theme.h"
#include "views/value_delegate.h"
#include "worker/log_bridge.h"

// How the cells of the config form are drawn.
namespace attnscope::ui {

namespace {

constexpr int kDot = 6;

// Where a searched word stands, the text is on a tint.
void drawText(QPainter* painter, const QStyleOptionViewItem& option, const QRect& room, const QString& text,
              const QColor& color, const QStringList& words, Qt::TextElideMode elide = Qt::ElideRight) {
  const QString shown = option.fontMetrics.elidedText(text, elide, room.width());
  QColor tint = theme::changed(option.palette);
  tint.setAlpha(80);
  for (const QString& word : words) {
    for (qsizetype at = shown.indexOf(word, 0, Qt::CaseInsensitive); at >= 0 && !word.isEmpty();
         at = shown.indexOf(word, at + word.size(), Qt::CaseInsensitive)) {
      const int x = option.fontMetrics.horizontalAdvance(shown.left(at));
      const int width = option.fontMetrics.horizontalAdvance(shown.mid(at, word.size()));
      painter->fillRect(QRect(room.left() + x, room.top() + 2, width, room.height() - 4), tint);
    }
  }
  painter->setPen(color);
  painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, shown);
}

void drawWave(QPainter* painter, int left, int right, int y, const QColor& color) {
  QPainterPath wave(QPointF(left, y));
  for (int x = left; x + 2 <= right; x += 2) wave.lineTo(x + 2, y + ((x - left) / 2 % 2 ? 0 : -2));
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setPen(QPen(color, 1));
  painter->drawPath(wave);
  painter->restore();
}

}  // namespace

void ValueDelegate::paint(QPainter* painter, const QStyleOptionViewItem& given, const QModelIndex& index) const {
  QStyleOptionViewItem option = given;
  initStyleOption(&option, index);
  const QWidget* widget = option.widget;
  QStyle* style = widget ? widget->style() : QApplication::style();
  QRect room = style->subElementRect(QStyle::SE_ItemViewItemText, &option, widget);
  room.setRight(option.rect.right());
  const int margin = style->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, widget) + 1;
  room.adjust(margin, 0, -margin, 0);
  QStyleOptionViewItem frame = option;
  frame.text.clear();
  style->drawControl(QStyle::CE_ItemViewItem, &frame, painter, widget);
  painter->save();
  painter->setFont(option.font);
  if (index.column() == ConfigTreeModel::Key)
    drawKey(painter, option, index, room);
  else if (index.column() == ConfigTreeModel::Value)
    drawValue(painter, option, index, room);
  else
    drawText(painter, option, room, option.text,
             option.state & QStyle::State_Selected ? option.palette.color(QPalette::HighlightedText)
                                                   : theme::dimmed(option.palette),
             {}, Qt::ElideLeft);  // the line is what matters of a place
  painter->restore();
}

void ValueDelegate::drawKey(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                            QRect room) const {
  const bool selected = option.state & QStyle::State_Selected;
  room.adjust(0, 0, -kDot - 2, 0);
  if (index.data(ConfigTreeModel::ChangedRole).toBool()) {
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(selected ? option.palette.color(QPalette::HighlightedText) : theme::changed(option.palette));
    painter->drawEllipse(QRectF(room.right() + 3, room.center().y() - kDot / 2 + 1, kDot, kDot));
  }
  drawText(painter, option, room, option.text,
           option.palette.color(selected ? QPalette::HighlightedText : QPalette::Text),
           index.data(ConfigTreeModel::WordsRole).toStringList());
}

void ValueDelegate::drawValue(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                              QRect room) const {
  const ConfigNode& node = *m_model->nodeAt(index);
  const auto type = ValueType(index.data(ConfigTreeModel::TypeRole).toInt());
  const bool selected = option.state & QStyle::State_Selected;
  const auto tinted = [&](const QColor& color) {
    return selected ? option.palette.color(QPalette::HighlightedText) : color;
  };
  QColor color = tinted(option.palette.color(QPalette::Text)), behindColor = tinted(theme::dimmed(option.palette));
  QString text = option.text, behind;
  if (node.is_missing()) {
    color = tinted(theme::changed(option.palette));
    if (const QString expected = expectedText(m_model->entryAt(index)); !expected.isEmpty())
      behind = tr("— %1").arg(expected);
  } else if (node.is_interpolation()) {
    const QString error = index.data(ConfigTreeModel::ErrorRole).toString();
    const QString resolved = index.data(ConfigTreeModel::ResolvedRole).toString();
    text = valueText(node);
    if (!error.isEmpty()) {
      behind = tr("→ %1").arg(error);
      behindColor = tinted(theme::broken(option.palette));
    } else if (!resolved.isEmpty()) {
      behind = tr("= %1").arg(resolved);
    }
  } else if (!node.is_scalar() || node.is_null()) {
    color = tinted(theme::dimmed(option.palette));
  } else if (type == ValueType::Path && m_isThere && m_isThere(rawText(node)) == false) {
    behind = tr("not found");
    behindColor = tinted(theme::changed(option.palette));
  } else if (type == ValueType::Color && QColor::isValidColorName(rawText(node))) {
    const int side = option.fontMetrics.ascent();
    const QRect swatch(room.left(), room.center().y() - side / 2 + 1, side, side);
    painter->fillRect(swatch, QColor(rawText(node)));
    painter->setPen(theme::line(option.palette));
    painter->drawRect(swatch);
    room.setLeft(swatch.right() + 6);
  }
  const int textWidth = std::min(option.fontMetrics.horizontalAdvance(text), room.width());
  drawText(painter, option, room, text, color, index.data(ConfigTreeModel::WordsRole).toStringList());
  const int level = index.data(ConfigTreeModel::IssueRole).toInt();
  if (level >= int(Level::Warning) && !node.is_missing() && !node.is_interpolation())
    drawWave(painter, room.left(), room.left() + textWidth, room.center().y() + option.fontMetrics.ascent() / 2 + 3,
             tinted(level == int(Level::Error) ? theme::broken(option.palette) : theme::changed(option.palette)));
  room.setLeft(room.left() + textWidth + option.fontMetrics.averageCharWidth());
  if (!behind.isEmpty() && room.width() > 8) {
    QFont plain = option.font;
    plain.setBold(false);
    painter->setFont(plain);
    QStyleOptionViewItem light = option;
    light.fontMetrics = QFontMetrics(plain);
    drawText(painter, light, room, behind, behindColor, {});
  }
}

QSize ValueDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const QSize size = QStyledItemDelegate::sizeHint(option, index);
  return {size.width(), std::max(size.height(), option.fontMetrics.height() + 6)};
}

}  // namespace attnscope::ui
