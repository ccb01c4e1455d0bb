#include "views/word_strip.h"

#include <QApplication>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>

#include "views/flow_layout.h"
#include "views/theme.h"

namespace attnscope::ui {

namespace {
constexpr int kMaxRows = 3;
constexpr int kGap = 4;
}  // namespace

WordChip::WordChip(const WordInfo& word, int index, QWidget* parent)
    : QAbstractButton(parent), m_index(index), m_special(word.special) {
  setObjectName(QStringLiteral("word%1").arg(index));
  setText(word.text);
  setCheckable(true);
  QStringList positions;
  for (int token : word.tokens) positions << QString::number(token);
  const QString where = positions.isEmpty() ? QString() : tr("token %1").arg(positions.join(QStringLiteral(", ")));
  setAccessibleName(m_special ? tr("%1, special token").arg(word.text) : word.text);
  setAccessibleDescription(where);
  setToolTip(tr("%1\nClick shows this word's map, Ctrl+click adds it to the others.")
                 .arg(where.isEmpty() ? word.text : word.text + QStringLiteral(" · ") + where));
  setFocusPolicy(Qt::ClickFocus);
}

void WordChip::setColorIndex(int n) {
  m_color = n;
  update();
}

QSize WordChip::sizeHint() const {
  const QFontMetrics metrics = fontMetrics();
  return {metrics.horizontalAdvance(text()) + metrics.height() + 4, metrics.height() + 8};
}

bool WordChip::event(QEvent* event) {
  if (event->type() == QEvent::HoverEnter || event->type() == QEvent::HoverLeave) update();
  return QAbstractButton::event(event);
}

void WordChip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF box = QRectF(rect()).adjusted(1.5, 1.5, -1.5, -1.5);
  const QColor color = theme::word(palette(), m_color);
  QColor text = m_special ? theme::dimmed(palette()) : palette().color(QPalette::WindowText);
  painter.setPen(QPen(theme::line(palette()), 1));
  painter.setBrush(underMouse() ? palette().brush(QPalette::Button) : Qt::NoBrush);
  if (isChecked()) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    text = theme::onColor(color);
  }
  painter.drawRoundedRect(box, box.height() / 2, box.height() / 2);
  if (hasFocus()) {
    painter.setPen(QPen(palette().color(isChecked() ? QPalette::WindowText : QPalette::Highlight), 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(box.adjusted(-0.5, -0.5, 0.5, 0.5), box.height() / 2, box.height() / 2);
  }
  painter.setPen(text);
  painter.drawText(rect(), Qt::AlignCenter, this->text());
}

WordStrip::WordStrip(QWidget* parent)
    : QScrollArea(parent), m_inner(new QWidget), m_flow(new FlowLayout(m_inner, kGap)) {
  setObjectName(QStringLiteral("wordStrip"));
  setAccessibleName(tr("Words of the prompt"));
  setToolTip(tr("Click a word to see where it looks. Arrows move, Space shows, Ctrl+Space adds."));
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setFocusPolicy(Qt::NoFocus);
  m_inner->setObjectName(QStringLiteral("words"));
  m_inner->setAccessibleName(tr("Words"));
  setWidget(m_inner);
  viewport()->setAutoFillBackground(false);
  m_inner->setAutoFillBackground(false);
}

void WordStrip::setWords(const QList<WordInfo>& words) {
  qDeleteAll(m_chips);
  m_chips.clear();
  for (int i = 0; i < words.size(); ++i) {
    auto* chip = new WordChip(words[i], i, m_inner);
    chip->installEventFilter(this);
    connect(chip, &QAbstractButton::clicked, this,
            [this, chip] { press(chip, QApplication::keyboardModifiers() & Qt::ControlModifier); });
    m_flow->addWidget(chip);
    chip->show();
    m_chips.append(chip);
  }
  setSelected(m_selected);
  fitHeight();
}

void WordStrip::setSelected(const QList<int>& words) {
  m_selected = words;
  const int tab = words.value(0, 0);
  for (WordChip* chip : m_chips) {
    const qsizetype n = words.indexOf(chip->index());
    chip->setChecked(n >= 0);
    chip->setColorIndex(n >= 0 ? int(n) : 0);
    // One stop for Tab, arrows inside.
    chip->setFocusPolicy(chip->index() == tab ? Qt::StrongFocus : Qt::ClickFocus);
  }
}

void WordStrip::press(WordChip* chip, bool add) {
  chip->setChecked(m_selected.contains(chip->index()));  // what is shown decides, not the click
  if (add)
    Q_EMIT wordToggled(chip->index());
  else
    Q_EMIT wordChosen(chip->index());
}

void WordStrip::focusChip(int index) {
  if (m_chips.isEmpty()) return;
  WordChip* chip = m_chips[(index + m_chips.size()) % m_chips.size()];
  chip->setFocus(Qt::TabFocusReason);
  ensureWidgetVisible(chip, 0, 0);
}

bool WordStrip::eventFilter(QObject* watched, QEvent* event) {
  auto* chip = qobject_cast<WordChip*>(watched);
  if (chip && event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    switch (key->key()) {
      case Qt::Key_Left: focusChip(chip->index() - 1); return true;
      case Qt::Key_Right: focusChip(chip->index() + 1); return true;
      case Qt::Key_Home: focusChip(0); return true;
      case Qt::Key_End: focusChip(-1); return true;
      case Qt::Key_Space:
      case Qt::Key_Return:
      case Qt::Key_Enter: press(chip, key->modifiers() & Qt::ControlModifier); return true;
      default: break;
    }
  }
  return QScrollArea::eventFilter(watched, event);
}

QSize WordStrip::sizeHint() const { return {400, minimumSizeHint().height()}; }

QSize WordStrip::minimumSizeHint() const { return {120, fontMetrics().height() + 8}; }

void WordStrip::resizeEvent(QResizeEvent* event) {
  QScrollArea::resizeEvent(event);
  fitHeight();
}

void WordStrip::fitHeight() {
  const int row = fontMetrics().height() + 8;
  const int wanted = m_flow->heightForWidth(viewport()->width());
  setFixedHeight(std::clamp(wanted, row, row * kMaxRows + kGap * (kMaxRows - 1)));
}

}  // namespace attnscope::ui
