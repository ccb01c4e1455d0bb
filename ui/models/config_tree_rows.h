#pragma once
#include "models/config_tree_model.h"

namespace attnscope::ui {

// What a row stands for, in a tree.
struct ConfigTreeModel::Child {
  int position = 0;                // among all children, those that a filter hides included
  const ConfigKey* key = nullptr;  // of a dict's member
  const ConfigNode* node = nullptr;
};

struct ConfigTreeModel::Row {
  Row* parent = nullptr;
  int row = 0;
  Child child;
  bool built = false;
  int count = -1;     // of children not built yet, once somebody asked
  quint32 epoch = 0;  // the snapshot that `child` is from
  std::vector<std::unique_ptr<Row>> children;

  Row() = default;
  Row(Row* above, int place, Child what, quint32 when) : parent(above), row(place), child(what), epoch(when) {}
};

// Brings the rows that exist to a new tree.
struct ConfigTreeModel::Sync {
  ConfigTreeModel& model;
  const ConfigSnapshot& before;
  const QHash<QString, QList<const ConfigIssue*>>& issuesBefore;
  bool marksDiffer;    // what is kept by path
  bool sourcesDiffer;  // the layers are others

  void children(Row& row, const ConfigNode* node, const QString& pathBefore, const QString& path);
  void structure(Row& row, const std::vector<int>& newPositions, const std::vector<Child>& wanted);
  unsigned difference(const Row& row, const Child& wanted, const QString& pathBefore, const QString& path) const;
  void tell(const Row& row, const std::vector<unsigned>& differences);
};

// For every child of a container its place in another state of it, or -1: dict members by key (one that was renamed
// stays), list items by what surrounds them.
std::vector<int> matchChildren(const ConfigNode& before, const ConfigNode& after);

}  // namespace attnscope::ui
