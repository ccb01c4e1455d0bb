#pragma once
#include <QByteArray>
#include <QList>

namespace attnscope::ui {

// One line of two texts laid beside each other. Its bytes come with the line's end, so that texts that differ in line
// ends only differ. Line numbers from 1; 0: not in that text.
struct DiffLine {
  enum class Kind { Same, Removed, Added };
  Kind kind = Kind::Same;
  int before = 0, after = 0;
  QByteArray text;
  bool operator==(const DiffLine&) const = default;
};

// What makes `after` of `before`, with the fewest lines removed and added; where that would be thousands, the middle
// that differs as a whole.
QList<DiffLine> lineDiff(const QByteArray& before, const QByteArray& after);

// The lines of a diff that changed and `context` lines around them, as runs [begin, end) of it.
QList<std::pair<qsizetype, qsizetype>> diffHunks(const QList<DiffLine>& lines, int context = 3);

}  // namespace attnscope::ui
