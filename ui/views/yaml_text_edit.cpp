#include "views/yaml_text_edit.h"

#include <QScopedValueRollback>
#include <QScrollBar>
#include <QTextBlock>

#include "views/line_number_area.h"
#include "views/theme.h"
#include "views/yaml_highlighter.h"

namespace attnscope::ui {

namespace {

constexpr int kPauseMs = 1000;  // ends what was typed as one thing
constexpr int kMoveMs = 60;     // a cursor that is held down is said when it rests
constexpr int kFlashMs = 900;
constexpr int kMostUnderlines = 500;

}  // namespace

YamlTextEdit::YamlTextEdit(QWidget* parent) : QPlainTextEdit(parent) {
  setObjectName(QStringLiteral("yamlText"));
  setAccessibleName(tr("Text of the config"));
  setFrameShape(QFrame::NoFrame);
  setLineWrapMode(QPlainTextEdit::NoWrap);
  setUndoRedoEnabled(false);
  setPlaceholderText(tr("An empty file"));
  m_highlighter = new YamlHighlighter(document(), palette());
  m_numbers = new LineNumberArea(this);
  useFixedFont();
  for (QTimer* timer : {&m_flashTimer, &m_pauseTimer, &m_moveTimer}) timer->setSingleShot(true);
  m_flashTimer.setInterval(kFlashMs);
  m_pauseTimer.setInterval(kPauseMs);
  m_moveTimer.setInterval(kMoveMs);
  m_fillTimer.setSingleShot(true);
  connect(&m_fillTimer, &QTimer::timeout, this, &YamlTextEdit::fill);
  connect(&m_flashTimer, &QTimer::timeout, this, &YamlTextEdit::updateSelections);
  connect(&m_pauseTimer, &QTimer::timeout, this, &YamlTextEdit::typingEnded);
  connect(&m_moveTimer, &QTimer::timeout, this, [this] { Q_EMIT cursorMoved(textCursor().position()); });
  connect(document(), &QTextDocument::contentsChange, this, &YamlTextEdit::onContentsChange);
  connect(this, &QPlainTextEdit::cursorPositionChanged, this, &YamlTextEdit::onCursorMoved);
  connect(this, &QPlainTextEdit::blockCountChanged, this, &YamlTextEdit::updateMargin);
  connect(this, &QPlainTextEdit::updateRequest, m_numbers, [this](const QRect& rect, int dy) {
    if (dy != 0)
      m_numbers->scroll(0, dy);
    else
      m_numbers->update(0, rect.y(), m_numbers->width(), rect.height());
  });
  updateMargin();
  updateSelections();
}

void YamlTextEdit::onCursorMoved() {
  updateSelections();
  m_numbers->update();
  if (m_quiet) return;
  if (textCursor().position() != m_typedTo) Q_EMIT typingEnded();
  m_moveTimer.start();
}

// ---- Places and what is said about them

int YamlTextEdit::positionOf(int line, int column) const {
  const QTextBlock block = document()->findBlockByNumber(std::clamp(line, 1, blockCount()) - 1);
  const QString text = block.text();
  int at = 0;  // columns count characters, not UTF-16 units
  for (int i = 1; i < column && at < text.size(); ++i) at += text[at].isHighSurrogate() && at + 1 < text.size() ? 2 : 1;
  return block.position() + at;
}

// From there to the end of the word, or to the line's end where there is no word. What stands behind the line's end is
// said about its last character.
QTextCursor YamlTextEdit::wordFrom(int line, int column) const {
  QTextCursor cursor(document()->findBlockByNumber(std::clamp(line, 1, blockCount()) - 1));
  const QString text = cursor.block().text();
  const int length = int(QStringView(text).trimmed().isEmpty() ? 0 : text.size());
  int from = positionOf(line, column) - cursor.block().position();
  if (column <= 0)
    while (from < length && text[from].isSpace()) ++from;
  from = std::clamp(from, 0, std::max(0, length - 1));
  const auto isWord = [&](int at) { return text[at].isLetterOrNumber() || text[at] == u'_' || text[at] == u'-'; };
  int to = length;
  if (column > 0 && from < length && isWord(from))
    for (to = from; to < length && isWord(to);) ++to;
  const int start = cursor.block().position();
  cursor.setPosition(start + from);
  cursor.setPosition(start + std::max(from, to), QTextCursor::KeepAnchor);
  return cursor;
}

void YamlTextEdit::setIssues(const QList<ConfigIssue>& issues) {
  m_issues = issues;
  if (isFilling()) return;  // when the lines are there
  m_underlines.clear();
  QMap<int, LineMark> marks;
  for (const ConfigIssue& issue : issues) {
    if (issue.line <= 0) continue;
    const QString text = issue.hint.isEmpty() ? issue.message : issue.message + u'\n' + issue.hint;
    LineMark& mark = marks[std::min(issue.line, blockCount())];
    mark.level = std::max(mark.level, issue.level);
    mark.text += mark.text.isEmpty() ? text : u'\n' + text;
    if (m_underlines.size() < kMostUnderlines)
      m_underlines.append({wordFrom(issue.line, issue.column), issue.level, text});
  }
  m_numbers->setMarks(marks);
  updateSelections();
}

QString YamlTextEdit::issueOfLine(int line) const { return m_numbers->marks().value(line).text; }

QString YamlTextEdit::issueAt(int position) const {
  QStringList texts;
  for (const Underline& line : m_underlines)
    if (line.range.selectionStart() <= position && position <= line.range.selectionEnd()) texts << line.message;
  return texts.join(u'\n');
}

void YamlTextEdit::showPlace(int line, int column) {
  if (isFilling()) {
    m_afterFill = [this, line, column] { showPlace(line, column); };
    return;
  }
  QTextCursor cursor = textCursor();
  cursor.setPosition(positionOf(line, column));
  goTo(cursor);
}

void YamlTextEdit::select(int position, int length) {
  if (isFilling()) {
    m_afterFill = [this, position, length] { select(position, length); };
    return;
  }
  QTextCursor cursor = textCursor();
  const int size = document()->characterCount() - 1;
  cursor.setPosition(std::clamp(position, 0, size));
  cursor.setPosition(std::clamp(position + length, 0, size), QTextCursor::KeepAnchor);
  goTo(cursor);
}

void YamlTextEdit::selectLine(int line) {
  QTextCursor cursor(document()->findBlockByNumber(line - 1));
  if (!cursor.movePosition(QTextCursor::NextBlock, QTextCursor::KeepAnchor))
    cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
  setTextCursor(cursor);
}

void YamlTextEdit::goTo(const QTextCursor& cursor) {
  const QScopedValueRollback quiet(m_quiet, true);
  if (cursor.position() != textCursor().position()) Q_EMIT typingEnded();
  m_moveTimer.stop();
  const QScrollBar* bar = verticalScrollBar();
  const int line = cursor.block().firstLineNumber();
  setTextCursor(cursor);
  if (line < bar->value() || line >= bar->value() + bar->pageStep()) centerCursor();
  ensureCursorVisible();
  if (cursorRect().right() + horizontalScrollBar()->value() < viewport()->width()) horizontalScrollBar()->setValue(0);
  m_flash = QTextCursor(cursor.document()->findBlock(cursor.selectionStart()));
  m_flashTimer.start();
  updateSelections();
}

void YamlTextEdit::updateSelections() {
  const auto wholeLine = [](const QTextCursor& at, const QColor& color) {
    QTextEdit::ExtraSelection line;
    line.cursor = at;
    line.cursor.clearSelection();
    line.format.setBackground(color);
    line.format.setProperty(QTextFormat::FullWidthSelection, true);
    return line;
  };
  QList<QTextEdit::ExtraSelection> all{
      wholeLine(textCursor(), theme::tint(palette(), palette().color(QPalette::Text), 6))};
  if (m_flashTimer.isActive())
    all.append(wholeLine(m_flash, theme::tint(palette(), palette().color(QPalette::Highlight), 30)));
  for (const Underline& line : m_underlines) {
    QTextEdit::ExtraSelection underline;
    underline.cursor = line.range;
    underline.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
    underline.format.setUnderlineColor(line.level == Level::Error ? theme::broken(palette())
                                                                  : theme::changed(palette()));
    all.append(underline);
  }
  setExtraSelections(all);
}

QList<YamlTextEdit::VisibleLine> YamlTextEdit::visibleLines(int top, int bottom) const {
  QList<VisibleLine> lines;
  QTextBlock block = firstVisibleBlock();
  qreal y = blockBoundingGeometry(block).translated(contentOffset()).top();
  for (; block.isValid() && y <= bottom; block = block.next()) {
    const qreal height = blockBoundingRect(block).height();
    if (y + height > top) lines.append({block.blockNumber() + 1, int(y), int(height)});
    y += height;
  }
  return lines;
}

}  // namespace attnscope::ui
