#include <algorithm>
#include <unordered_set>

#include "models/config_tree_rows.h"

namespace attnscope::ui {

namespace {

constexpr unsigned kKeyDiffers = 1, kValueDiffers = 2, kSourceDiffers = 4;

QString stepBelow(const QString& path, const ConfigKey* key, int position) {
  if (!key) return path + QLatin1Char('[') + QString::number(position) + QLatin1Char(']');
  return path + (path.isEmpty() ? QString() : QStringLiteral(".")) + qstr(path_step(key->text()));
}

// The members of the longest ascending run of numbers, not necessarily neighbours: these need not be moved.
std::unordered_set<int> longestAscent(const std::vector<int>& numbers) {
  std::vector<std::size_t> ends;  // of the best run of each length
  std::vector<std::ptrdiff_t> previous(numbers.size(), -1);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto at = std::lower_bound(ends.begin(), ends.end(), numbers[i],
                                     [&](std::size_t end, int number) { return numbers[end] < number; });
    if (at != ends.begin()) previous[i] = std::ptrdiff_t(*(at - 1));
    if (at == ends.end())
      ends.push_back(i);
    else
      *at = i;
  }
  std::unordered_set<int> out;
  for (std::ptrdiff_t i = ends.empty() ? -1 : std::ptrdiff_t(ends.back()); i >= 0; i = previous[std::size_t(i)])
    out.insert(numbers[std::size_t(i)]);
  return out;
}

// Numbers are shown as they are written.
bool sameSpelling(const ConfigNode& a, const ConfigNode& b) {
  const bool number = a.kind() == ConfigNode::Kind::integer || a.kind() == ConfigNode::Kind::floating;
  return !number || a.text() == b.text();
}

}  // namespace

void ConfigTreeModel::setSnapshot(const ConfigSnapshot& snapshot, const std::shared_ptr<const ConfigFilter>& filter) {
  const ConfigSnapshot before = std::exchange(m_snapshot, snapshot);
  const auto issuesBefore = std::exchange(m_issues, issuesByKey(m_snapshot));
  m_oldFilter = std::exchange(m_filter, filter);
  ++m_epoch;
  const auto layersOf = [](const ConfigSnapshot& s) { return s.merged ? s.merged->layers().size() : 0; };
  Sync sync{*this, before, issuesBefore,
            before.changed != snapshot.changed || before.issues != snapshot.issues || !before.resolved.isEmpty() ||
                !snapshot.resolved.isEmpty() || before.schema != snapshot.schema,
            layersOf(before) != layersOf(snapshot)};
  sync.children(*m_root, snapshot.shown.get(), {}, {});
  m_root->child.node = snapshot.shown.get();
  m_oldFilter.reset();
}

void ConfigTreeModel::Sync::children(Row& row, const ConfigNode* node, const QString& pathBefore, const QString& path) {
  static const ConfigNode nothing;
  const ConfigNode* const old = row.child.node ? row.child.node : &nothing;
  Row now;
  now.child.node = node ? node : &nothing;
  now.epoch = model.m_epoch;
  // Children that nobody looked at are only counted; when their number changes that has to be told row by row.
  if (!row.built && row.count >= 0 && row.count != int(model.countOf(now))) model.build(row);
  if (!row.built) {
    row.child.node = node;
    row.epoch = model.m_epoch;
    return;
  }
  const std::vector<Child> wanted = model.childrenOf(now);
  structure(row, matchChildren(*old, *now.child.node), wanted);
  std::vector<unsigned> differences(wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    Row& child = *row.children[i];
    if (child.epoch == model.m_epoch) continue;  // new, and made from this snapshot
    const QString childBefore = marksDiffer ? stepBelow(pathBefore, child.child.key, child.child.position) : QString();
    const QString childPath = marksDiffer ? stepBelow(path, wanted[i].key, wanted[i].position) : QString();
    differences[i] = difference(child, wanted[i], childBefore, childPath);
    children(child, wanted[i].node, childBefore, childPath);
    child.child = wanted[i];
    child.epoch = model.m_epoch;
  }
  row.child.node = node;
  row.epoch = model.m_epoch;
  tell(row, differences);
}

// Removes, moves and inserts rows so that there is one for each wanted child, in order. `newPositions`: where the
// children of the old tree are in the new one.
void ConfigTreeModel::Sync::structure(Row& row, const std::vector<int>& newPositions,
                                      const std::vector<Child>& wanted) {
  auto& rows = row.children;
  const QModelIndex index = model.indexOfRow(&row);
  const auto renumber = [&](std::size_t from) {
    for (std::size_t i = from; i < rows.size(); ++i) rows[i]->row = int(i);
  };
  std::unordered_set<int> wantedPositions;
  for (const Child& child : wanted) wantedPositions.insert(child.position);
  std::vector<int> targets;  // of each row that is there: its position in the new tree
  for (const auto& child : rows) {
    const int target = newPositions[std::size_t(child->child.position)];
    targets.push_back(wantedPositions.count(target) ? target : -1);
  }
  for (int last = int(rows.size()) - 1; last >= 0; --last) {
    if (targets[std::size_t(last)] >= 0) continue;
    int first = last;
    while (first > 0 && targets[std::size_t(first) - 1] < 0) --first;
    model.beginRemoveRows(index, first, last);
    rows.erase(rows.begin() + first, rows.begin() + last + 1);
    targets.erase(targets.begin() + first, targets.begin() + last + 1);
    renumber(std::size_t(first));
    model.endRemoveRows();
    last = first;
  }

  const std::unordered_set<int> stay = longestAscent(targets);
  if (stay.size() < targets.size()) {
    std::vector<int> sorted = targets;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      if (stay.count(sorted[i])) continue;
      const auto placeOf = [&](int target) {
        return std::find(targets.begin(), targets.end(), target) - targets.begin();
      };
      const std::ptrdiff_t from = placeOf(sorted[i]);
      const std::ptrdiff_t to = i == 0 ? 0 : placeOf(sorted[i - 1]) + 1;  // right behind the one before it
      if (from == to) continue;
      model.beginMoveRows(index, int(from), int(from), index, int(to));
      const auto shift = [&](auto& list) {
        if (from < to)
          std::rotate(list.begin() + from, list.begin() + from + 1, list.begin() + to);
        else
          std::rotate(list.begin() + to, list.begin() + from, list.begin() + from + 1);
      };
      shift(rows);
      shift(targets);
      renumber(std::size_t(std::min(from, to)));
      model.endMoveRows();
    }
  }

  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (i < targets.size() && targets[i] == wanted[i].position) continue;
    std::size_t end = i;
    const int next = i < targets.size() ? targets[i] : -1;
    while (end < wanted.size() && wanted[end].position != next) ++end;
    model.beginInsertRows(index, int(i), int(end) - 1);
    std::vector<std::unique_ptr<Row>> fresh;
    for (std::size_t n = i; n < end; ++n)
      fresh.push_back(std::make_unique<Row>(&row, int(n), wanted[n], model.m_epoch));
    rows.insert(rows.begin() + std::ptrdiff_t(i), std::make_move_iterator(fresh.begin()),
                std::make_move_iterator(fresh.end()));
    targets.insert(targets.begin() + std::ptrdiff_t(i), end - i, -1);
    renumber(end);
    model.endInsertRows();
    i = end - 1;
  }
}

unsigned ConfigTreeModel::Sync::difference(const Row& row, const Child& wanted, const QString& pathBefore,
                                           const QString& path) const {
  const ConfigNode &a = *row.child.node, &b = *wanted.node;
  unsigned out = 0;
  const bool sameKey = row.child.key && wanted.key
                           ? row.child.key->text() == wanted.key->text()
                           : !row.child.key && !wanted.key && row.child.position == wanted.position;
  if (!sameKey) out |= kKeyDiffers;
  const bool differs =
      a.kind() != b.kind() || (a.is_scalar() ? !(a == b) || !sameSpelling(a, b) : valueText(a) != valueText(b));
  if (differs) out |= kValueDiffers;
  const ConfigPlace was = a.place(), is = b.place();
  if (was.line != is.line || was.file != is.file || sourcesDiffer) out |= kSourceDiffers;
  if (!marksDiffer) return out;
  const ConfigSnapshot& after = model.m_snapshot;
  if (before.changed.contains(pathBefore) != after.changed.contains(path)) out |= kKeyDiffers | kValueDiffers;
  const auto textsOf = [](const QList<const ConfigIssue*>& issues) {
    QStringList texts;
    for (const ConfigIssue* issue : issues) texts << issue->message + issue->hint + QString::number(int(issue->level));
    return texts;
  };
  if (textsOf(issuesBefore.value(pathBefore)) != textsOf(model.m_issues.value(path))) out |= kValueDiffers;
  const ResolvedText old = before.resolved.value(pathBefore), now = after.resolved.value(path);
  if (old.text != now.text || old.error != now.error || before.schema != after.schema) out |= kValueDiffers;
  return out;
}

// One signal for each run of rows that differ in the same columns.
void ConfigTreeModel::Sync::tell(const Row& row, const std::vector<unsigned>& differences) {
  for (std::size_t i = 0; i < differences.size();) {
    std::size_t end = i + 1;
    while (end < differences.size() && differences[end] == differences[i]) ++end;
    if (const unsigned what = differences[i]) {
      const int first = what & kKeyDiffers ? Key : what & kValueDiffers ? Value : Source;
      const int last = what & kSourceDiffers ? Source : what & kValueDiffers ? Value : Key;
      Q_EMIT model.dataChanged(model.indexOfRow(row.children[i].get(), first),
                               model.indexOfRow(row.children[end - 1].get(), last));
    }
    i = end;
  }
}

}  // namespace attnscope::ui
