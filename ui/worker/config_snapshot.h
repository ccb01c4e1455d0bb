#pragma once
#include <functional>
#include <memory>

#include <QHash>
#include <QList>
#include <QMetaType>
#include <QSet>
#include <QString>
#include <QStringList>

#include "config/editable_config.h"
#include "config/layers.h"
#include "config/schema.h"
#include "worker/log_bridge.h"

namespace attnscope::ui {

// Something that is wrong in a config, for the issues list and the text pane. Lines and columns from 1; 0: unknown.
struct ConfigIssue {
  Level level = Level::Warning;
  QString message, hint, file, key;
  int line = 0, column = 0;
  bool operator==(const ConfigIssue&) const = default;
};

// What an expression stands for, or why it stands for nothing.
struct ResolvedText {
  QString text, error;
};

// What the worker knows of one state of a config document: plain values, shared and never changed.
struct ConfigSnapshot {
  quint64 revision = 0;                        // of the text that it was made from
  std::shared_ptr<const ConfigNode> own;       // the document's tree, the last one that could be read; may be null
  std::shared_ptr<const ConfigNode> shown;     // with the other layers; the same as `own` when there are none
  std::shared_ptr<const MergedConfig> merged;  // null while the document is its only layer
  const ConfigSchema* schema = nullptr;        // null: not a kind of file that is known
  QHash<QString, ResolvedText> resolved;       // of every expression in `shown`, by path_text()
  QSet<QString> changed;                       // path_text() of what differs from the saved file, and of all above
  QStringList bases;                           // the files that `_base_` names, in the order in which they are laid
  QList<ConfigIssue> issues;
  bool parses = true;  // false: `own` is older than the text, the first issue says why
};

// A layer as the panel lists it.
struct LayerSpec {
  enum class Kind { Document, Base, File, Overrides };  // Base: named by a file's `_base_`, not to be edited
  Kind kind = Kind::File;
  QString path;           // of a Base or File
  QStringList overrides;  // key=value texts
  bool enabled = true;
  bool operator==(const LayerSpec&) const = default;
};

// How the merged config is written.
enum class SaveForm { AsEdited, Resolved, OnlyChanges, Dotlist };

// An edit, carried out on the worker's copy. Throws ConfigError when it cannot be done.
using ConfigEdit = std::function<BytePatches(EditableConfig&)>;

}  // namespace attnscope::ui

Q_DECLARE_METATYPE(attnscope::ui::ConfigSnapshot)
