// The text of a YamlTextEdit and the document's, in step.
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QTextBlock>

#include "views/line_number_area.h"
#include "views/yaml_text_edit.h"

namespace attnscope::ui {

namespace {

constexpr int kSmallChange = 4000;  // an undo is shown where it happens, a reload leaves the view alone
constexpr int kSlice = 30'000;      // characters that a long text is put in at once, some 10 ms

// The characters as they are; QTextDocument::toPlainText() would make blanks of no-break spaces.
QString textBetween(QTextDocument* document, int from, int to) {
  QTextCursor cursor(document);
  cursor.setPosition(from);
  cursor.setPosition(to, QTextCursor::KeepAnchor);
  return cursor.selectedText().replace(QChar::ParagraphSeparator, u'\n');
}

bool partsSurrogates(QStringView text, qsizetype at) {
  return at > 0 && at < text.size() && text[at - 1].isHighSurrogate() && text[at].isLowSurrogate();
}

}  // namespace

void YamlTextEdit::setText(const QString& text) {
  const QScopedValueRollback quiet(m_quiet, true);
  m_issues.clear();
  m_underlines.clear();
  m_numbers->setMarks({});
  m_afterFill = nullptr;
  m_text = text;
  m_typedTo = -1;
  m_filled = sliceEnd(0);
  setPlainText(m_text.left(m_filled));
  goOnFilling();
}

// Behind the lines that are put in at once.
int YamlTextEdit::sliceEnd(int from) const {
  if (m_text.size() - from <= kSlice) return int(m_text.size());
  const qsizetype end = m_text.indexOf(u'\n', from + kSlice);
  return end < 0 ? int(m_text.size()) : int(end) + 1;
}

void YamlTextEdit::fill() {
  const QScopedValueRollback quiet(m_quiet, true);
  const int end = sliceEnd(m_filled);
  QTextCursor cursor(document());
  cursor.movePosition(QTextCursor::End);
  cursor.insertText(m_text.mid(m_filled, end - m_filled));
  m_filled = end;
  goOnFilling();
}

void YamlTextEdit::goOnFilling() {
  const bool done = m_filled == m_text.size();
  setReadOnly(!done);
  if (!done) {
    m_fillTimer.start();
    return;
  }
  m_fillTimer.stop();
  setIssues(m_issues);
  if (const auto act = std::exchange(m_afterFill, nullptr)) act();
}

void YamlTextEdit::applyChange(int position, int removed, const QString& inserted) {
  if (isFilling()) {
    setText(QString(m_text).replace(position, removed, inserted));
    return;
  }
  const QScopedValueRollback quiet(m_quiet, true);
  const QTextCursor top(firstVisibleBlock());
  QTextCursor own = textCursor();
  const int inside = own.position() - position;
  QTextCursor cursor(document());
  cursor.setPosition(position);
  cursor.setPosition(position + removed, QTextCursor::KeepAnchor);
  cursor.insertText(inserted);
  m_text.replace(position, removed, inserted);
  m_typedTo = -1;
  if (hasFocus() && removed + inserted.size() <= kSmallChange) {
    own.setPosition(position + int(inserted.size()));
    setTextCursor(own);
    ensureCursorVisible();
    return;
  }
  if (inside > 0 && inside <= removed) {
    own.setPosition(position + std::min(inside, int(inserted.size())));
    setTextCursor(own);
  }
  verticalScrollBar()->setValue(top.block().firstLineNumber());
}

// What Qt says has changed may be more than did, and may count the document's end in.
void YamlTextEdit::onContentsChange(int position, int removed, int added) {
  if (m_quiet) return;
  const int size = document()->characterCount() - 1;
  const int before = int(m_text.size());
  removed = std::min(removed, before - position);
  added = std::min(added, size - position);
  if (before - removed + added != size) {
    position = 0;
    removed = before;
    added = size;
  }
  const QString now = textBetween(document(), position, position + added);
  const QStringView was = QStringView(m_text).mid(position, removed);
  qsizetype begin = 0;
  const qsizetype least = std::min(was.size(), now.size());
  while (begin < least && was[begin] == now[begin]) ++begin;
  if (partsSurrogates(was, begin) || partsSurrogates(now, begin)) --begin;
  qsizetype end = 0;
  while (end < least - begin && was[was.size() - 1 - end] == now[now.size() - 1 - end]) ++end;
  if (end > 0 && (partsSurrogates(was, was.size() - end) || partsSurrogates(now, now.size() - end))) --end;
  position += int(begin);
  removed = int(was.size() - begin - end);
  const QString inserted = now.mid(begin, now.size() - begin - end);
  if (removed == 0 && inserted.isEmpty()) return;
  m_text.replace(position, removed, inserted);
  m_typedTo = position + int(inserted.size());
  m_pauseTimer.start();
  Q_EMIT typed(position, removed, inserted);
}

}  // namespace attnscope::ui
