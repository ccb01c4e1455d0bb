#include "views/yaml_highlighter.h"

#include <QTextDocument>

#include "views/theme.h"
#include "views/yaml_tokens.h"

namespace attnscope::ui {

namespace {
constexpr int kSlice = 300;  // blocks, 1 to 2 ms
constexpr int kNotDone = -1;
}  // namespace

YamlHighlighter::YamlHighlighter(QTextDocument* document, const QPalette& palette)
    : QSyntaxHighlighter(document), m_budget(kSlice) {
  m_next.setSingleShot(true);
  connect(&m_next, &QTimer::timeout, this, &YamlHighlighter::goOn);
  makeFormats(palette);
}

void YamlHighlighter::setPalette(const QPalette& palette) {
  makeFormats(palette);
  // Every block is as if it were new.
  for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) block.setUserState(kNotDone);
  m_stops = {QTextCursor(document()->begin())};
  m_next.start(0);
}

void YamlHighlighter::makeFormats(const QPalette& palette) {
  m_formats.clear();
  for (int token = 0; token <= int(YamlToken::Mark); ++token) {
    QTextCharFormat format;
    format.setForeground(theme::token(palette, YamlToken(token)));
    if (YamlToken(token) == YamlToken::Comment) format.setFontItalic(true);
    if (YamlToken(token) == YamlToken::Missing) format.setFontWeight(QFont::Bold);
    m_formats.append(format);
  }
}

void YamlHighlighter::highlightBlock(const QString& text) {
  // What follows a block that is not done cannot be coloured, and waits for it.
  if (currentBlock().previous().isValid() && previousBlockState() == kNotDone) return;
  if (!m_next.isActive()) m_next.start(0);
  if (--m_budget < 0) {
    setCurrentBlockState(kNotDone);
    m_stops.append(QTextCursor(currentBlock()));
    return;
  }
  QList<YamlSpan> spans;
  setCurrentBlockState(scanYamlLine(text, previousBlockState(), spans));
  for (const YamlSpan& span : spans) setFormat(span.at, span.length, m_formats[int(span.token)]);
}

void YamlHighlighter::goOn() {
  m_budget = kSlice;
  if (m_stops.isEmpty()) return;
  const QTextBlock block = m_stops.takeFirst().block();
  rehighlightBlock(block);
  if (!m_stops.isEmpty()) m_next.start(0);
}

}  // namespace attnscope::ui
