#include "views/yaml_typing.h"

#include <algorithm>
#include <functional>

#include <QRegularExpression>
#include <QTextBlock>
#include <QTextDocument>

namespace attnscope::ui::typing {

namespace {

constexpr int kLinesRead = 1000;  // enough to know how a file is indented
constexpr int kWidest = 8;

int indentOf(const QString& line) {
  int at = 0;
  while (at < line.size() && line[at] == u' ') ++at;
  return at;
}

bool isBlank(const QString& line) { return line.trimmed().isEmpty(); }

// The lines of the selection; one that ends at a line's beginning does not count that line.
QList<QTextBlock> selectedBlocks(const QTextCursor& cursor) {
  const QTextDocument* document = cursor.document();
  const int begin = cursor.selectionStart();
  const int end = std::max(begin, cursor.selectionEnd() - (cursor.hasSelection() ? 1 : 0));
  QList<QTextBlock> blocks;
  for (QTextBlock block = document->findBlock(begin); block.isValid() && block.position() <= end; block = block.next())
    blocks.append(block);
  return blocks;
}

void forLines(QTextCursor& cursor, const std::function<void(QTextCursor& line, const QString& text)>& change) {
  cursor.beginEditBlock();
  for (const QTextBlock& block : selectedBlocks(cursor)) {
    QTextCursor line(block);
    change(line, block.text());
  }
  cursor.endEditBlock();
}

}  // namespace

int indentWidth(const QTextDocument& text) {
  int counts[kWidest + 1] = {};
  int before = 0, least = kWidest;
  QTextBlock block = text.begin();
  for (int i = 0; i < kLinesRead && block.isValid(); ++i, block = block.next()) {
    const QString line = block.text();
    if (isBlank(line) || line.trimmed().startsWith(u'#')) continue;
    const int indent = indentOf(line);
    if (indent > before && indent - before <= kWidest) ++counts[indent - before];
    if (indent > 1) least = std::min(least, indent);
    before = indent;
  }
  const int* most = std::max_element(counts, counts + kWidest + 1);
  return *most > 0 ? std::min(int(most - counts), least) : 2;
}

void indent(QTextCursor& cursor) {
  const int width = indentWidth(*cursor.document());
  if (cursor.hasSelection() && selectedBlocks(cursor).size() > 1) {
    forLines(cursor, [&](QTextCursor& line, const QString& text) {
      if (!isBlank(text)) line.insertText(QString(width, u' '));
    });
  } else {
    const int column = cursor.document()->findBlock(cursor.selectionStart()).position();
    cursor.insertText(QString(width - (cursor.selectionStart() - column) % width, u' '));
  }
}

void unindent(QTextCursor& cursor) {
  const int width = indentWidth(*cursor.document());
  forLines(cursor, [&](QTextCursor& line, const QString& text) {
    line.movePosition(QTextCursor::NextCharacter, QTextCursor::KeepAnchor, std::min(width, indentOf(text)));
    line.removeSelectedText();
  });
}

void newLine(QTextCursor& cursor) {
  static const QRegularExpression opens(QStringLiteral("(^|\\s|[^\\s#]):\\s*([|>][-+0-9]*)?\\s*(#.*)?$"));
  const QTextBlock block = cursor.document()->findBlock(cursor.selectionStart());
  const QString before = block.text().left(cursor.selectionStart() - block.position());
  int indent = indentOf(before);
  if (!before.trimmed().startsWith(u'#') && opens.match(before).hasMatch()) {
    // Below "- key:" the step counts from the key.
    for (int at = indent; at + 1 < before.size() && before[at] == u'-' && before[at + 1] == u' '; at += 2) indent += 2;
    indent += indentWidth(*cursor.document());
  }
  cursor.insertText(u'\n' + QString(indent, u' '));
}

bool backspaceIndent(QTextCursor& cursor) {
  const int column = cursor.positionInBlock();
  if (cursor.hasSelection() || column == 0 || indentOf(cursor.block().text()) < column) return false;
  const int width = indentWidth(*cursor.document());
  cursor.movePosition(QTextCursor::PreviousCharacter, QTextCursor::KeepAnchor, (column - 1) % width + 1);
  cursor.removeSelectedText();
  return true;
}

void toggleComment(QTextCursor& cursor) {
  int column = -1;
  bool all = true;
  for (const QTextBlock& block : selectedBlocks(cursor)) {
    const QString line = block.text();
    if (isBlank(line)) continue;
    column = column < 0 ? indentOf(line) : std::min(column, indentOf(line));
    all = all && line.trimmed().startsWith(u'#');
  }
  if (column < 0) return;
  forLines(cursor, [&](QTextCursor& line, const QString& text) {
    if (isBlank(text)) return;
    line.movePosition(QTextCursor::NextCharacter, QTextCursor::MoveAnchor, all ? indentOf(text) : column);
    if (!all) {
      line.insertText(QStringLiteral("# "));
      return;
    }
    const bool space = text.mid(indentOf(text) + 1).startsWith(u' ');
    line.movePosition(QTextCursor::NextCharacter, QTextCursor::KeepAnchor, space ? 2 : 1);
    line.removeSelectedText();
  });
}

}  // namespace attnscope::ui::typing
