#include "worker/line_diff.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace attnscope::ui {

namespace {

constexpr int kMostChanges = 1500;  // keeps the search below 10 MB and some 10 ms

std::vector<std::string_view> linesOf(const QByteArray& text) {
  std::vector<std::string_view> lines;
  std::string_view rest(text.constData(), std::size_t(text.size()));
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    const std::size_t length = end == std::string_view::npos ? rest.size() : end + 1;
    lines.push_back(rest.substr(0, length));
    rest.remove_prefix(length);
  }
  return lines;
}

// Which lines of both texts stay, found by Myers' search for the shortest edit: E. W. Myers, "An O(ND) difference
// algorithm and its variations", 1986.
class ShortestEdit {
 public:
  using Ids = std::vector<int>;  // equal lines have the same

  ShortestEdit(const Ids& before, const Ids& after)
      : m_before(before), m_after(after), m_n(int(before.size())), m_m(int(after.size())) {}

  // Pairs of lines that stay, from the last to the first. Empty as well when the edit would be too long.
  std::vector<std::pair<int, int>> run() {
    const int most = std::min(kMostChanges, m_n + m_m);
    const int middle = most + 1;
    std::vector<int> furthest(std::size_t(2 * middle + 1), 0);  // by diagonal: how far into `before`
    for (int changes = 0; changes <= most; ++changes) {
      m_trace.emplace_back(furthest.begin() + (middle - changes), furthest.begin() + (middle + changes + 1));
      for (int k = -changes; k <= changes; k += 2) {
        const int above = furthest[std::size_t(middle + k + 1)], left = furthest[std::size_t(middle + k - 1)];
        int x = k == -changes || (k != changes && left < above) ? above : left + 1;
        if (changes == 0) x = 0;
        while (x < m_n && x - k < m_m && m_before[std::size_t(x)] == m_after[std::size_t(x - k)]) ++x;
        furthest[std::size_t(middle + k)] = x;
        if (x >= m_n && x - k >= m_m) return back(changes);
      }
    }
    return {};
  }

 private:
  // Walks the search backwards. m_trace[d] holds the diagonals -d … d as they were before step d.
  std::vector<std::pair<int, int>> back(int changes) const {
    std::vector<std::pair<int, int>> same;
    int x = m_n, y = m_m;
    for (int d = changes; d >= 0; --d) {
      const int k = x - y;
      int fromX = 0, fromY = 0;
      if (d > 0) {
        const auto at = [&](int diagonal) {
          return std::abs(diagonal) > d ? -1 : m_trace[std::size_t(d)][std::size_t(diagonal + d)];
        };
        const bool down = k == -d || (k != d && at(k - 1) < at(k + 1));
        const int fromK = down ? k + 1 : k - 1;
        fromX = at(fromK);
        fromY = fromX - fromK;
        for (const int startX = down ? fromX : fromX + 1; x > startX;) same.emplace_back(--x, --y);
      } else {
        while (x > 0) same.emplace_back(--x, --y);
      }
      x = fromX;
      y = fromY;
    }
    return same;
  }

  const Ids &m_before, &m_after;
  const int m_n, m_m;
  std::vector<std::vector<int>> m_trace;
};

}  // namespace

QList<DiffLine> lineDiff(const QByteArray& before, const QByteArray& after) {
  const std::vector<std::string_view> was = linesOf(before), is = linesOf(after);
  const std::size_t least = std::min(was.size(), is.size());
  std::size_t begin = 0, end = 0;
  while (begin < least && was[begin] == is[begin]) ++begin;
  while (end < least - begin && was[was.size() - 1 - end] == is[is.size() - 1 - end]) ++end;

  std::unordered_map<std::string_view, int> numbers;
  const auto idsOf = [&](const std::vector<std::string_view>& lines) {
    std::vector<int> ids;
    for (std::size_t i = begin; i < lines.size() - end; ++i)
      ids.push_back(numbers.emplace(lines[i], int(numbers.size())).first->second);
    return ids;
  };
  const std::vector<int> wasIds = idsOf(was), isIds = idsOf(is);
  const std::vector<std::pair<int, int>> same = ShortestEdit(wasIds, isIds).run();

  QList<DiffLine> out;
  std::size_t x = 0, y = 0;
  const auto bytes = [](std::string_view line) { return QByteArray(line.data(), qsizetype(line.size())); };
  const auto upTo = [&](std::size_t toX, std::size_t toY) {
    for (; x < toX; ++x) out.append({DiffLine::Kind::Removed, int(x) + 1, 0, bytes(was[x])});
    for (; y < toY; ++y) out.append({DiffLine::Kind::Added, 0, int(y) + 1, bytes(is[y])});
  };
  const auto keep = [&](std::size_t atX, std::size_t atY) {
    upTo(atX, atY);
    out.append({DiffLine::Kind::Same, int(++x), int(++y), bytes(was[atX])});
  };
  for (std::size_t i = 0; i < begin; ++i) keep(i, i);
  for (auto pair = same.rbegin(); pair != same.rend(); ++pair)
    keep(begin + std::size_t(pair->first), begin + std::size_t(pair->second));
  for (std::size_t i = end; i > 0; --i) keep(was.size() - i, is.size() - i);
  upTo(was.size(), is.size());
  return out;
}

QList<std::pair<qsizetype, qsizetype>> diffHunks(const QList<DiffLine>& lines, int context) {
  QList<std::pair<qsizetype, qsizetype>> hunks;
  for (qsizetype i = 0; i < lines.size(); ++i) {
    if (lines[i].kind == DiffLine::Kind::Same) continue;
    const qsizetype begin = std::max(qsizetype(0), i - context), end = std::min(lines.size(), i + 1 + context);
    if (!hunks.isEmpty() && begin <= hunks.last().second)
      hunks.last().second = end;
    else
      hunks.append({begin, end});
  }
  return hunks;
}

}  // namespace attnscope::ui
