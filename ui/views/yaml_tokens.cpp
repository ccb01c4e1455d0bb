#include "views/yaml_tokens.h"

#include "config/scalar.h"

namespace attnscope::ui {

namespace {

// The state between lines: an Open in the low bits; above it how many brackets are open, or for a block scalar the
// indentation that its lines have at least.
enum Open { Nothing, BlockScalar, DoubleQuote, SingleQuote };
constexpr int kOpenBits = 2;
constexpr int kLongestConstant = 64;  // longer plain scalars are text, whatever they spell

bool isFlowMark(QChar c) { return c == u',' || c == u'[' || c == u']' || c == u'{' || c == u'}'; }

class LineScanner {
 public:
  LineScanner(QStringView line, QList<YamlSpan>& spans) : m_line(line), m_size(int(line.size())), m_spans(spans) {}

  int scan(int before) {
    const int open = before < 0 ? Nothing : before & ((1 << kOpenBits) - 1);
    const int rest = before < 0 ? 0 : before >> kOpenBits;
    skipBlanks();
    const int indent = m_at;
    m_column = indent - 1;
    if (open == BlockScalar && (indent == m_size || indent >= rest)) {
      addText(indent, m_size);
      return before;
    }
    if (open == DoubleQuote || open == SingleQuote) {
      m_depth = rest;
      if (!quoted(open, m_at)) return before;
    } else if (open == Nothing) {
      m_depth = rest;
    }
    return tokens();
  }

 private:
  int tokens() {
    for (skipBlanks(); m_at < m_size; skipBlanks()) {
      const QChar c = m_line[m_at];
      if ((c == u'#' && (m_at == 0 || isBlank(m_at - 1))) || (c == u'%' && m_at == 0)) {
        add(m_at, m_size, YamlToken::Comment);
        break;
      }
      if (m_at == 0 && (m_line.startsWith(u"---") || m_line.startsWith(u"...")) && isBlank(3)) {
        add(0, 3, YamlToken::Mark);
        m_at = 3;
      } else if (c == u'"' || c == u'\'') {
        const Open open = c == u'"' ? DoubleQuote : SingleQuote;
        if (!quoted(open, m_at + 1)) return state(open, m_depth);
      } else if (c == u'&' || c == u'*') {
        word(YamlToken::Reference);
      } else if (c == u'!') {
        word(YamlToken::Tag);
      } else if (m_depth == 0 && (c == u'|' || c == u'>') && blockHeader()) {
        return state(BlockScalar, m_column + 1);
      } else if (isMark(c)) {
        if (c == u'-') m_column = m_at;
        if (c == u'[' || c == u'{') ++m_depth;
        if (c == u']' || c == u'}') --m_depth;
        add(m_at, m_at + 1, YamlToken::Mark);
        ++m_at;
      } else {
        plain();
      }
    }
    return state(Nothing, m_depth);
  }

  static int state(Open open, int rest) { return open | rest << kOpenBits; }

  bool isBlank(int at) const { return at >= m_size || m_line[at] == u' ' || m_line[at] == u'\t'; }
  void skipBlanks() {
    while (m_at < m_size && isBlank(m_at)) ++m_at;
  }
  void add(int from, int to, YamlToken token) {
    if (to > from) m_spans.append({from, to - from, token});
  }

  bool isMark(QChar c) const {
    if (c == u'[' || c == u'{') return true;
    if (m_depth > 0 && (isFlowMark(c) || c == u':')) return true;
    return (c == u'-' || c == u'?' || c == u':') && isBlank(m_at + 1);
  }

  void word(YamlToken token) {
    const int from = m_at++;
    while (m_at < m_size && !isBlank(m_at) && !(m_depth > 0 && isFlowMark(m_line[m_at]))) ++m_at;
    add(from, m_at, token);
  }

  // "|", ">-", "|2+" and perhaps a comment, with nothing else behind.
  bool blockHeader() {
    int end = m_at + 1;
    while (end < m_size && (m_line[end] == u'-' || m_line[end] == u'+' || m_line[end].isDigit())) ++end;
    if (!isBlank(end)) return false;
    int behind = end;
    while (behind < m_size && isBlank(behind)) ++behind;
    if (behind < m_size && m_line[behind] != u'#') return false;
    add(m_at, end, YamlToken::Mark);
    add(behind, m_size, YamlToken::Comment);
    return true;
  }

  // `at`: behind the quote that opens, which may be in a line above. False when it does not end in this line.
  bool quoted(int open, int at) {
    const QChar quote = open == DoubleQuote ? u'"' : u'\'';
    const int from = m_at;
    for (; at < m_size; ++at) {
      if (open == DoubleQuote && m_line[at] == u'\\') {
        ++at;
      } else if (m_line[at] == quote) {
        if (open == DoubleQuote || at + 1 >= m_size || m_line[at + 1] != quote) break;
        ++at;
      }
    }
    const bool ends = at < m_size;
    m_at = ends ? at + 1 : m_size;
    int behind = m_at;
    while (behind < m_size && isBlank(behind)) ++behind;
    const bool key = ends && behind < m_size && m_line[behind] == u':' && (m_depth > 0 || isBlank(behind + 1));
    if (key) {
      m_column = from;
      add(from, m_at, YamlToken::Key);
    } else {
      addText(from, m_at);
    }
    return ends;
  }

  void plain() {
    const int from = m_at;
    bool key = false;
    int at = m_at;
    for (; at < m_size; ++at) {
      const QChar c = m_line[at];
      if (const int end = expressionEnd(at); end > 0) {
        at = end - 1;
        continue;
      }
      key = c == u':' && (isBlank(at + 1) || (m_depth > 0 && isFlowMark(m_line[at + 1])));
      if (key || (c == u'#' && at > from && isBlank(at - 1)) || (m_depth > 0 && isFlowMark(c))) break;
    }
    int end = at;
    while (end > from && isBlank(end - 1)) --end;
    m_at = std::max(at, from + 1);
    if (key) {
      m_column = from;
      add(from, end, YamlToken::Key);
      return;
    }
    const QStringView text = m_line.mid(from, end - from);
    if (text == u"???") {
      add(from, end, YamlToken::Missing);
    } else if (text.size() <= kLongestConstant && !text.isEmpty()) {
      const ConfigNode::Kind kind = parse_plain_scalar(text.toString().toStdString()).kind();
      if (kind == ConfigNode::Kind::integer || kind == ConfigNode::Kind::floating)
        add(from, end, YamlToken::Number);
      else if (kind != ConfigNode::Kind::string)
        add(from, end, YamlToken::Constant);
    }
    addExpressions(from, end);
  }

  void addText(int from, int to) {
    add(from, to, YamlToken::Text);
    addExpressions(from, to);
  }

  // Behind the "}" of the expression that begins there; 0 when none does, or it does not end in this line.
  int expressionEnd(int at) const {
    if (at + 1 >= m_size || m_line[at] != u'$' || m_line[at + 1] != u'{') return 0;
    if (at > 0 && m_line[at - 1] == u'\\') return 0;
    int depth = 0;
    for (int i = at + 1; i < m_size; ++i) {
      if (m_line[i] == u'{') ++depth;
      if (m_line[i] == u'}' && --depth == 0) return i + 1;
    }
    return 0;
  }

  void addExpressions(int from, int to) {
    for (int at = from; at < to; ++at)
      if (const int end = expressionEnd(at); end > 0 && end <= to) {
        add(at, end, YamlToken::Expression);
        at = end - 1;
      }
  }

  const QStringView m_line;
  const int m_size;
  QList<YamlSpan>& m_spans;
  int m_at = 0;
  int m_depth = 0;    // of brackets
  int m_column = -1;  // of the innermost key or "-", which a block scalar must be deeper than
};

}  // namespace

int scanYamlLine(QStringView line, int before, QList<YamlSpan>& spans) { return LineScanner(line, spans).scan(before); }

}  // namespace attnscope::ui
