#pragma once
#include <vector>

#include <QByteArray>
#include <QString>

namespace attnscope::ui {

// The two forms of a text: the file's bytes, and what a pane shows (UTF-16, no byte order mark, "\r\n" as one "\n").
class TextPositions {
 public:
  explicit TextPositions(const QByteArray& bytes);

  // Out of range ones are brought to the nearest end.
  int positionOfByte(qsizetype byte) const;
  qsizetype byteOfPosition(int position) const;
  // From 1; the column in characters.
  int positionOfLine(int line, int column) const;
  QByteArray newline() const { return m_newline; }  // the one that the file uses

  static QString shown(const QByteArray& bytes);
  // What a pane's text is in the file.
  QByteArray written(const QString& text) const;

 private:
  // Units of UTF-16 that the bytes of one line take.
  static int units(const char* begin, const char* end);

  QByteArray m_bytes;
  QByteArray m_newline = "\n";
  std::vector<qsizetype> m_lineBytes;  // where each line begins
  std::vector<int> m_linePositions;
};

}  // namespace attnscope::ui
