#include "models/config_filter.h"

#include <algorithm>

#include "models/config_value.h"

namespace attnscope::ui {

namespace {

constexpr int kSliceMs = 6;
constexpr int kNodesBetweenLooks = 128;  // at the clock

}  // namespace

QHash<QString, QList<const ConfigIssue*>> issuesByKey(const ConfigSnapshot& snapshot) {
  QHash<QString, QList<const ConfigIssue*>> out;
  for (const ConfigIssue& issue : snapshot.issues)
    if (!issue.key.isEmpty()) out[issue.key].append(&issue);
  return out;
}

struct ConfigSearch::Run {
  // A container whose children are being looked at.
  struct Level {
    const ConfigNode* node;
    const SchemaEntry* entry;
    QString path;
    bool below;  // of a hit: all is shown
    std::size_t next = 0;
    std::vector<int> shown = {};
  };
  ConfigSnapshot snapshot;
  ConfigQuery query;
  ConfigPath keep;
  QHash<QString, QList<const ConfigIssue*>> issues;
  std::shared_ptr<ConfigFilter> filter = std::make_shared<ConfigFilter>();
  std::vector<Level> levels;
  ConfigPath path;  // of the level on top

  void begin() {
    filter->words = query.words;
    issues = issuesByKey(snapshot);
    const ConfigNode* root = snapshot.shown.get();
    if (root && !root->is_scalar())
      levels.push_back({root, snapshot.schema ? &snapshot.schema->root() : nullptr, {}, false});
  }

  bool wordsIn(const QString& text) const {
    return std::all_of(query.words.begin(), query.words.end(),
                       [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
  }

  bool hasProblem(const ConfigNode& node, const QString& pathText) const {
    if (issues.contains(pathText) || node.is_missing()) return true;
    return node.is_interpolation() && !snapshot.resolved.value(pathText).error.isEmpty();
  }

  // Whether a node itself is what is looked for; those that are only because of what is above them do not count.
  bool isHit(const ConfigNode& node, const SchemaEntry* entry, const QString& pathText, const QString& above) const {
    if (query.changedOnly && (!node.is_scalar() || !snapshot.changed.contains(pathText))) return false;
    if (query.problemsOnly && !hasProblem(node, pathText)) return false;
    if (query.words.isEmpty()) return true;
    if (!query.changedOnly && !query.problemsOnly && wordsIn(above)) return false;
    QString text = pathText;
    if (node.is_scalar()) text += QLatin1Char('\n') + valueText(node);
    if (entry) text += QLatin1Char('\n') + qstr(entry->help);
    return wordsIn(text);
  }

  // Looks at the next child; false at the end.
  bool step() {
    if (levels.empty()) return false;
    Level& top = levels.back();
    const bool inList = top.node->is_list();
    const std::size_t count = inList ? top.node->items().size() : top.node->members().size();
    if (top.next == count) {
      leave();
      return !levels.empty();
    }
    const std::size_t position = top.next++;
    const ConfigKey key = inList ? index_key(position) : top.node->members()[position].first;
    const ConfigNode& child = inList ? top.node->items()[position] : top.node->members()[position].second;
    const SchemaEntry* entry = top.entry ? top.entry->child(key) : nullptr;
    QString pathText = top.path;
    if (inList)
      pathText += QLatin1Char('[') + QString::number(position) + QLatin1Char(']');
    else
      pathText += (pathText.isEmpty() ? QString() : QStringLiteral(".")) + qstr(path_step(key.text()));
    const bool hit = isHit(child, entry, pathText, top.path);
    const bool below = top.below || (hit && !query.changedOnly && !query.problemsOnly);
    path.push_back(key);
    if (hit) filter->hits.append(path);
    // A dict that lost a key has changed, and nothing in it says so.
    const bool lost =
        query.changedOnly && query.words.isEmpty() && !query.problemsOnly && snapshot.changed.contains(pathText);
    if (below || hit || lost || starts_with(keep, path)) show(position);
    if (child.is_scalar()) {
      path.pop_back();
      return true;
    }
    levels.push_back({&child, entry, pathText, below});
    return true;
  }

  void show(std::size_t position) {
    std::vector<int>& shown = levels.back().shown;
    if (shown.empty() || shown.back() != int(position)) shown.push_back(int(position));
  }

  void leave() {
    Level top = std::move(levels.back());
    levels.pop_back();
    const bool any = !top.shown.empty();
    if (!top.below) filter->shown.emplace(top.node, std::move(top.shown));
    if (levels.empty()) return;
    path.pop_back();
    if (any) show(levels.back().next - 1);
  }
};

ConfigSearch::ConfigSearch(QObject* parent) : QObject(parent) {
  m_timer.setInterval(0);
  connect(&m_timer, &QTimer::timeout, this, &ConfigSearch::slice);
}

ConfigSearch::~ConfigSearch() = default;

void ConfigSearch::start(const ConfigSnapshot& snapshot, const ConfigQuery& query, const ConfigPath& keep) {
  m_run = std::make_unique<Run>();
  m_run->snapshot = snapshot;
  m_run->query = query;
  m_run->keep = keep;
  m_run->begin();
  m_timer.start();
  slice();
}

void ConfigSearch::cancel() {
  m_timer.stop();
  m_run.reset();
}

void ConfigSearch::slice() {
  QElapsedTimer clock;
  clock.start();
  while (clock.elapsed() < kSliceMs) {
    for (int i = 0; i < kNodesBetweenLooks; ++i) {
      if (m_run->step()) continue;
      const std::unique_ptr<Run> run = std::move(m_run);
      m_timer.stop();
      Q_EMIT finished(run->snapshot, run->filter);
      return;
    }
  }
}

}  // namespace attnscope::ui
