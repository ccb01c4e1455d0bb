#pragma once
#include <QByteArray>
#include <QList>
#include <QString>

namespace attnscope::ui {

// A unified diff as it is shown: one row a line.
struct DiffPage {
  enum class Kind { Same, Removed, Added, Place, Note };
  struct Row {
    Kind kind = Kind::Same;
    int markAt = 0, markLength = 0;  // what differs from the row's counterpart, in the text of the row
  };
  QString text;  // the rows, parted by "\n"; those of the texts begin with "  ", "- " or "+ "
  QList<Row> rows;
  int removed = 0, added = 0;  // lines
};

// The lines that differ and three around them. Line ends are shown where they alone differ. May run on any thread.
DiffPage makeDiffPage(const QByteArray& before, const QByteArray& after);

}  // namespace attnscope::ui
