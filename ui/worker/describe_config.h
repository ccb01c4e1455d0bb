#pragma once
#include <map>

#include "worker/config_snapshot.h"

namespace attnscope::ui {

// Makes snapshots: merges the layers, resolves the expressions, checks. Reads the files of the layers; lives on the
// worker's thread.
class ConfigDescriber {
 public:
  // `own` is the document's tree, `saved` that of its file (null: none); `path` is the document's file.
  ConfigSnapshot describe(const std::shared_ptr<const ConfigNode>& own, const std::shared_ptr<const ConfigNode>& saved,
                          const QString& path, const QList<LayerSpec>& layers);

 private:
  void merge(ConfigSnapshot& snapshot, const QString& path, const QList<LayerSpec>& layers);
  std::shared_ptr<const ConfigNode> read(const QString& path);

  struct File {
    qint64 size = -1, modified = 0;
    std::shared_ptr<const ConfigNode> tree;
  };
  std::map<QString, File> m_files;  // of layers, by path
};

ConfigIssue issueOf(const ConfigError& error, Level level = Level::Error);

}  // namespace attnscope::ui
