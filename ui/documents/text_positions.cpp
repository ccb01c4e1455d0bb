#include "documents/text_positions.h"

#include <algorithm>
#include <cstring>

namespace attnscope::ui {

namespace {

constexpr char kMark[] = "\xEF\xBB\xBF";

bool begins(unsigned char byte) { return (byte & 0xC0) != 0x80; }

}  // namespace

TextPositions::TextPositions(const QByteArray& bytes) : m_bytes(bytes) {
  const char* const data = m_bytes.constData();
  const char* const end = data + m_bytes.size();
  const char* line = data + (m_bytes.startsWith(kMark) ? 3 : 0);
  int position = 0;
  while (true) {
    m_lineBytes.push_back(line - data);
    m_linePositions.push_back(position);
    const auto* found = static_cast<const char*>(std::memchr(line, '\n', std::size_t(end - line)));
    if (!found) break;
    const bool crlf = found > line && found[-1] == '\r';
    if (crlf && m_lineBytes.size() == 1) m_newline = "\r\n";
    position += units(line, found - (crlf ? 1 : 0)) + 1;
    line = found + 1;
  }
}

int TextPositions::units(const char* begin, const char* end) {
  int count = 0;
  for (const char* at = begin; at < end; ++at) {
    const auto byte = static_cast<unsigned char>(*at);
    if (begins(byte)) count += byte >= 0xF0 ? 2 : 1;
  }
  return count;
}

int TextPositions::positionOfByte(qsizetype byte) const {
  const auto next = std::upper_bound(m_lineBytes.begin(), m_lineBytes.end(), std::min(byte, m_bytes.size()));
  if (next == m_lineBytes.begin()) return 0;
  const std::size_t line = std::size_t(next - m_lineBytes.begin()) - 1;
  const char* begin = m_bytes.constData() + m_lineBytes[line];
  const char* at = m_bytes.constData() + std::min(byte, m_bytes.size());
  // Between the two bytes of a line end is before it.
  const bool inside = at > begin && at[-1] == '\r' && at < m_bytes.constData() + m_bytes.size() && *at == '\n';
  return m_linePositions[line] + units(begin, inside ? at - 1 : at);
}

qsizetype TextPositions::byteOfPosition(int position) const {
  const auto next = std::upper_bound(m_linePositions.begin(), m_linePositions.end(), std::max(position, 0));
  const std::size_t line = std::size_t(next - m_linePositions.begin()) - 1;
  const char* const data = m_bytes.constData();
  const char* const end = data + m_bytes.size();
  const char* at = data + m_lineBytes[line];
  for (int left = position - m_linePositions[line]; left > 0 && at < end && *at != '\n';) {
    if (*at == '\r' && at + 1 < end && at[1] == '\n') break;
    left -= static_cast<unsigned char>(*at) >= 0xF0 ? 2 : 1;
    for (++at; at < end && !begins(static_cast<unsigned char>(*at)); ++at) {
    }
  }
  return at - data;
}

int TextPositions::positionOfLine(int line, int column) const {
  const std::size_t index = std::size_t(std::clamp(line - 1, 0, int(m_lineBytes.size()) - 1));
  const char* const end = m_bytes.constData() + m_bytes.size();
  const char* const begin = m_bytes.constData() + m_lineBytes[index];
  const char* at = begin;
  for (int left = column - 1; left > 0 && at < end && *at != '\n' && *at != '\r'; --left)
    for (++at; at < end && !begins(static_cast<unsigned char>(*at)); ++at) {
    }
  return m_linePositions[index] + units(begin, at);
}

QString TextPositions::shown(const QByteArray& bytes) {
  QString text = QString::fromUtf8(bytes.startsWith(kMark) ? bytes.mid(3) : bytes);
  return text.replace(QLatin1String("\r\n"), QLatin1String("\n"));
}

QByteArray TextPositions::written(const QString& text) const {
  QByteArray bytes = QString(text).replace(QLatin1String("\r\n"), QLatin1String("\n")).toUtf8();
  return m_newline == "\n" ? bytes : bytes.replace('\n', m_newline);
}

}  // namespace attnscope::ui
