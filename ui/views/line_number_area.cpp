#include "views/line_number_area.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include "views/theme.h"
#include "views/yaml_text_edit.h"

namespace attnscope::ui {

namespace {
constexpr int kGap = 4;
constexpr int kFewestDigits = 3;
}  // namespace

LineNumberArea::LineNumberArea(YamlTextEdit* editor) : QWidget(editor), m_editor(editor) {
  setObjectName(QStringLiteral("lineNumbers"));
  setAccessibleName(tr("Line numbers"));
  setToolTip(tr("Click a number to select the line"));
}

int LineNumberArea::widthFor(int lines) const {
  const int digits = std::max(kFewestDigits, int(QString::number(lines).size()));
  const QFontMetrics metrics = m_editor->fontMetrics();
  return kGap + metrics.height() * 2 / 3 + kGap + digits * metrics.horizontalAdvance(u'9') + 2 * kGap;
}

void LineNumberArea::setMarks(const QMap<int, LineMark>& marks) {
  m_marks = marks;
  update();
}

int LineNumberArea::lineAt(int y) const {
  const QList<YamlTextEdit::VisibleLine> lines = m_editor->visibleLines(y, y);
  return lines.isEmpty() ? 0 : lines.first().number;
}

bool LineNumberArea::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  auto* help = static_cast<QHelpEvent*>(event);
  const auto mark = m_marks.constFind(lineAt(help->pos().y()));
  QToolTip::showText(help->globalPos(), mark != m_marks.constEnd() ? mark->text : toolTip(), this);
  return true;
}

void LineNumberArea::paintEvent(QPaintEvent* event) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(m_editor->font());
  painter.fillRect(event->rect(), palette().color(QPalette::Window));
  const int side = m_editor->fontMetrics().height() * 2 / 3;
  const int current = m_editor->textCursor().blockNumber() + 1;
  for (const YamlTextEdit::VisibleLine& line : m_editor->visibleLines(event->rect().top(), event->rect().bottom())) {
    painter.setPen(line.number == current ? palette().color(QPalette::WindowText) : theme::dimmed(palette()));
    painter.drawText(QRect(0, line.top, width() - 2 * kGap, line.height), Qt::AlignRight | Qt::AlignVCenter,
                     QString::number(line.number));
    const auto mark = m_marks.constFind(line.number);
    if (mark == m_marks.constEnd()) continue;
    const QRectF place(kGap, line.top + (line.height - side) / 2.0, side, side);
    painter.setPen(Qt::NoPen);
    if (mark->level == Level::Error) {
      painter.setBrush(theme::broken(palette()));
      painter.drawEllipse(place.adjusted(1, 1, -1, -1));
    } else {
      painter.setBrush(theme::changed(palette()));
      painter.drawPolygon(QPolygonF{{place.center().x(), place.top()}, place.bottomRight(), place.bottomLeft()});
    }
  }
}

void LineNumberArea::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  if (const int line = lineAt(event->position().toPoint().y()); line > 0) m_editor->selectLine(line);
  m_editor->setFocus(Qt::MouseFocusReason);
}

void LineNumberArea::wheelEvent(QWheelEvent* event) {
  QCoreApplication::sendEvent(m_editor->verticalScrollBar(), event);
}

}  // namespace attnscope::ui
