#include "views/find_bar.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTextBlock>
#include <QToolButton>

#include "views/icons.h"

namespace attnscope::ui {

namespace {
constexpr int kCountDelayMs = 120;
constexpr int kMostCounted = 10000;
}  // namespace

FindBar::FindBar(QPlainTextEdit* editor, QWidget* parent) : QFrame(parent), m_editor(editor) {
  setObjectName(QStringLiteral("findBar"));
  setAccessibleName(tr("Find in the text"));
  m_title = new QLabel(this);
  m_text = new QLineEdit(this);
  m_text->setObjectName(QStringLiteral("findText"));
  m_text->setClearButtonEnabled(true);
  m_text->installEventFilter(this);
  m_title->setBuddy(m_text);
  m_result = new QLabel(this);
  m_result->setObjectName(QStringLiteral("findResult"));
  m_result->setAccessibleName(tr("Places found"));
  const auto button = [this](const char* name, const QString& iconName, const QString& text) {
    auto* b = new QToolButton(this);
    b->setObjectName(QLatin1String(name));
    b->setIcon(icon(iconName));
    b->setAccessibleName(text);
    b->setToolTip(text);
    b->setAutoRaise(true);
    b->setFocusPolicy(Qt::StrongFocus);
    return b;
  };
  auto* previous = button("findPrevious", QStringLiteral("up"), tr("The place before (Shift+F3)"));
  auto* next = button("findNext", QStringLiteral("down"), tr("The next place (F3)"));
  auto* closeButton = button("findClose", QStringLiteral("close"), tr("Close (Esc)"));
  m_previous = previous;
  m_next = next;
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(8, 4, 4, 4);
  row->setSpacing(4);
  row->addWidget(m_title);
  row->addWidget(m_text, 1);
  row->addWidget(m_result);
  row->addWidget(previous);
  row->addWidget(next);
  row->addWidget(closeButton);
  m_delay.setSingleShot(true);
  m_delay.setInterval(kCountDelayMs);
  connect(&m_delay, &QTimer::timeout, this, &FindBar::count);
  connect(m_text, &QLineEdit::textEdited, this, [this](const QString& text) {
    m_result->clear();
    if (!m_finding) return;
    m_sought = text;
    // From where the word in hand begins, so that a longer word stays at its place.
    QTextCursor cursor = m_editor->textCursor();
    cursor.setPosition(cursor.selectionStart());
    m_editor->setTextCursor(cursor);
    step(true);
  });
  connect(previous, &QToolButton::clicked, this, &FindBar::findPrevious);
  connect(next, &QToolButton::clicked, this, &FindBar::findNext);
  connect(closeButton, &QToolButton::clicked, this, &FindBar::close);
  hide();
}

void FindBar::find() {
  const QString selected = m_editor->textCursor().selectedText();
  if (!selected.isEmpty() && !selected.contains(QChar::ParagraphSeparator)) m_sought = selected;
  open(true);
  m_text->setText(m_sought);
  m_text->selectAll();
  count();
}

void FindBar::goToLine() {
  open(false);
  m_text->setText(QString::number(m_editor->textCursor().blockNumber() + 1));
  m_text->selectAll();
  m_result->setText(tr("of %1").arg(m_editor->blockCount()));
}

void FindBar::open(bool finding) {
  m_finding = finding;
  m_title->setText(finding ? tr("Find") : tr("Go to line"));
  m_text->setAccessibleName(finding ? tr("Text to find") : tr("Number of the line"));
  m_text->setToolTip(finding ? tr("Upper and lower case count alike; Enter goes to the next place")
                             : tr("Enter goes to the line"));
  m_previous->setVisible(finding);
  m_next->setVisible(finding);
  show();
  m_text->setFocus(Qt::ShortcutFocusReason);
}

void FindBar::close() {
  hide();
  m_editor->setFocus(Qt::OtherFocusReason);
}

void FindBar::enter(bool forward) {
  if (m_finding) {
    step(forward);
    return;
  }
  bool isNumber = false;
  const int line = m_text->text().toInt(&isNumber);
  if (!isNumber || line < 1 || line > m_editor->blockCount()) {
    m_result->setText(tr("lines are 1 to %1").arg(m_editor->blockCount()));
    return;
  }
  close();
  Q_EMIT lineChosen(line);
}

void FindBar::step(bool forward) {
  if (m_sought.isEmpty()) {
    count();
    return;
  }
  const QTextDocument::FindFlags flags = forward ? QTextDocument::FindFlags() : QTextDocument::FindBackward;
  if (!m_editor->find(m_sought, flags)) {
    // Round the end, or the beginning.
    const QTextCursor before = m_editor->textCursor();
    m_editor->moveCursor(forward ? QTextCursor::Start : QTextCursor::End);
    if (!m_editor->find(m_sought, flags)) m_editor->setTextCursor(before);
  }
  m_delay.start();
}

void FindBar::count() {
  if (!m_finding) return;
  if (m_sought.isEmpty()) {
    m_result->clear();
    return;
  }
  const int here = m_editor->textCursor().selectionStart();
  int all = 0, index = 0;
  for (QTextBlock block = m_editor->document()->begin(); block.isValid() && all < kMostCounted; block = block.next()) {
    const QString line = block.text();
    for (qsizetype at = line.indexOf(m_sought, 0, Qt::CaseInsensitive); at >= 0;
         at = line.indexOf(m_sought, at + m_sought.size(), Qt::CaseInsensitive)) {
      ++all;
      if (block.position() + at == here && m_editor->textCursor().hasSelection()) index = all;
    }
  }
  m_result->setText(all == 0    ? tr("not found")
                    : index > 0 ? tr("%1 of %2").arg(index).arg(all)
                    : all == 1  ? tr("1 place")
                                : tr("%1 places").arg(all));
}

bool FindBar::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress) {
    auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
      enter(!(key->modifiers() & Qt::ShiftModifier));
      return true;
    }
  }
  return QFrame::eventFilter(watched, event);
}

void FindBar::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape)
    close();
  else
    QFrame::keyPressEvent(event);
}

}  // namespace attnscope::ui
