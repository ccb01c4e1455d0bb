#include "worker/diff_page.h"

#include <QCoreApplication>

#include "worker/line_diff.h"

namespace attnscope::ui {

namespace {

constexpr int kMostRows = 20000;

QString tr(const char* source) { return QCoreApplication::translate("DiffPage", source); }

// A line without its end. A carriage return and a byte order mark can be seen where the line was changed.
QString shownLine(const DiffLine& line) {
  QString text = QString::fromUtf8(line.text);
  if (text.endsWith(u'\n')) text.chop(1);
  const bool changed = line.kind != DiffLine::Kind::Same;
  if (text.endsWith(u'\r')) {
    text.chop(1);
    if (changed) text += QStringLiteral("␍");
  }
  if (changed && text.startsWith(QChar::ByteOrderMark)) text.replace(0, 1, QStringLiteral("⟨BOM⟩"));
  return text;
}

class PageWriter {
 public:
  explicit PageWriter(const QList<DiffLine>& lines) : m_lines(lines) {}

  DiffPage write() {
    for (const DiffLine& line : m_lines) {
      if (line.kind == DiffLine::Kind::Removed) ++m_page.removed;
      if (line.kind == DiffLine::Kind::Added) ++m_page.added;
    }
    for (const auto& [begin, end] : diffHunks(m_lines)) {
      if (m_page.rows.size() >= kMostRows) {
        add(DiffPage::Kind::Note, tr("… more changes follow"));
        break;
      }
      const int line = m_lines[begin].after > 0 ? m_lines[begin].after : m_lines[begin].before;
      add(DiffPage::Kind::Place, tr("Line %1").arg(line));
      hunk(begin, std::min(end, begin + kMostRows));
    }
    m_page.text = m_texts.join(u'\n');
    return std::move(m_page);
  }

 private:
  void hunk(qsizetype begin, qsizetype end) {
    while (begin < end) {
      qsizetype removed = begin;
      while (removed < end && m_lines[removed].kind == DiffLine::Kind::Removed) ++removed;
      qsizetype added = removed;
      while (added < end && m_lines[added].kind == DiffLine::Kind::Added) ++added;
      if (added == begin) added = begin + 1;  // a line that stays
      QList<qsizetype> rows;
      for (qsizetype i = begin; i < added; ++i) rows.append(line(m_lines[i]));
      if (removed - begin == added - removed)
        for (qsizetype i = 0; i < removed - begin; ++i) mark(rows[i], rows[i + removed - begin]);
      begin = added;
    }
  }

  // The row it became.
  qsizetype line(const DiffLine& line) {
    static const QString signs[] = {QStringLiteral("  "), QStringLiteral("- "), QStringLiteral("+ ")};
    static constexpr DiffPage::Kind kinds[] = {DiffPage::Kind::Same, DiffPage::Kind::Removed, DiffPage::Kind::Added};
    const qsizetype row = m_page.rows.size();
    add(kinds[int(line.kind)], signs[int(line.kind)] + shownLine(line));
    if (line.kind != DiffLine::Kind::Same && !line.text.endsWith('\n'))
      add(DiffPage::Kind::Note, tr("  (no line end at the end of the file)"));
    return row;
  }

  void add(DiffPage::Kind kind, const QString& text) {
    m_page.rows.append({kind});
    m_texts.append(text);
  }

  // What two rows do not begin and end with alike.
  void mark(qsizetype one, qsizetype other) {
    const QStringView a = QStringView(m_texts[one]).mid(2), b = QStringView(m_texts[other]).mid(2);
    const qsizetype least = std::min(a.size(), b.size());
    qsizetype begin = 0, end = 0;
    while (begin < least && a[begin] == b[begin]) ++begin;
    while (end < least - begin && a[a.size() - 1 - end] == b[b.size() - 1 - end]) ++end;
    if (begin + end == 0) return;  // nothing in common: the rows say it all
    m_page.rows[one].markAt = m_page.rows[other].markAt = int(begin) + 2;
    m_page.rows[one].markLength = int(a.size() - begin - end);
    m_page.rows[other].markLength = int(b.size() - begin - end);
  }

  const QList<DiffLine>& m_lines;
  DiffPage m_page;
  QStringList m_texts;
};

}  // namespace

DiffPage makeDiffPage(const QByteArray& before, const QByteArray& after) {
  return PageWriter(lineDiff(before, after)).write();
}

}  // namespace attnscope::ui
