#include "worker/describe_config.h"

#include <QCoreApplication>
#include <QFileInfo>

#include "config/diff.h"
#include "config/resolve.h"
#include "config/yaml_loader.h"
#include "worker/open_config.h"

namespace attnscope::ui {

namespace {

constexpr std::size_t kReferenceNodes = 10'000;  // what OmegaConf loads without being told to

QString text(const std::string& value) { return QString::fromStdString(value); }

QString tr(const char* source) { return QCoreApplication::translate("ConfigDescriber", source); }

ConfigIssue issueAt(Level level, const QString& message, const QString& hint, const ConfigPlace& place) {
  return {level, message, hint, text(place.file), text(place.key), place.line, place.column};
}

// What an expression's value looks like in one line.
QString shortText(const ConfigNode& node) {
  if (node.is_scalar()) return text(node.text());
  return node.is_dict() ? QStringLiteral("{…}") : QStringLiteral("[…]");
}

// Visits a whole tree: expressions, values that are missing, and how many nodes there are.
class Walk {
 public:
  explicit Walk(ConfigSnapshot& snapshot) : m_snapshot(snapshot), m_resolver(*snapshot.shown) {}

  void run() {
    visit(m_resolver.root(), {});
    if (m_nodes <= kReferenceNodes) return;
    m_snapshot.issues.append(
        issueAt(Level::Warning,
                tr("OmegaConf does not load this file as it is: %1 nodes are more than its 10 000.").arg(m_nodes),
                tr("Set OMEGACONF_MAX_YAML_EXPANDED_NODES to a larger number, or to none, before starting Python."),
                {m_snapshot.shown->place().file}));
  }

 private:
  void visit(const ConfigCursor& cursor, const std::string& path) {
    const ConfigNode& node = cursor.node();
    ++m_nodes;
    if (node.is_dict()) {
      for (const auto& [key, value] : node.members()) {
        ++m_nodes;
        child(cursor, key, value, path);
      }
    } else if (node.is_list()) {
      for (std::size_t i = 0; i < node.items().size(); ++i) child(cursor, index_key(i), node.items()[i], path);
    }
  }

  void child(const ConfigCursor& cursor, const ConfigKey& key, const ConfigNode& value, const std::string& path) {
    if (value.is_scalar() && !value.is_missing() && !value.is_interpolation()) {
      ++m_nodes;
      return;
    }
    const bool item = cursor.node().is_list();
    const std::string step = item ? "[" + key.text() + "]" : path_text(ConfigNode(ConfigNode::Dict{}), {key});
    const std::string at = path.empty() || item ? path + step : path + "." + step;
    const ConfigCursor below = cursor.child(key, value);
    if (value.is_missing()) {
      ConfigPlace place = value.place();
      place.key = at;
      m_snapshot.issues.append(issueAt(Level::Warning, tr("%1 must still be given").arg(text(at)),
                                       tr("It is ??? in the file: write a value."), place));
    } else if (value.is_interpolation()) {
      resolve(below, at);
    } else {
      visit(below, at);
    }
  }

  void resolve(const ConfigCursor& cursor, const std::string& path) {
    ++m_nodes;
    ResolvedText resolved;
    try {
      const ConfigCursor target = m_resolver.dereference(cursor);
      resolved.text = shortText(target.node());
    } catch (const ConfigError& error) {
      resolved.error = text(error.message());
      ConfigPlace place = cursor->place();
      place.key = path;
      m_snapshot.issues.append(issueAt(Level::Warning, resolved.error, text(error.hint()), place));
    }
    m_snapshot.resolved.insert(text(path), resolved);
  }

  ConfigSnapshot& m_snapshot;
  ConfigResolver m_resolver;
  std::size_t m_nodes = 0;
};

void addChanged(ConfigSnapshot& snapshot, const ConfigNode& saved) {
  for (const ConfigChange& change : diff_configs(saved, *snapshot.own)) {
    // Of what was removed only the containers are still there.
    ConfigPath path = change.path;
    if (change.kind == ConfigChange::Kind::removed) path.pop_back();
    for (; !path.empty(); path.pop_back()) {
      const QString key = text(path_text(*snapshot.own, path));
      if (snapshot.changed.contains(key)) break;
      snapshot.changed.insert(key);
    }
  }
}

}  // namespace

ConfigIssue issueOf(const ConfigError& error, Level level) {
  return issueAt(level, text(error.message()), text(error.hint()), error.place());
}

ConfigSnapshot ConfigDescriber::describe(const std::shared_ptr<const ConfigNode>& own,
                                         const std::shared_ptr<const ConfigNode>& saved, const QString& path,
                                         const QList<LayerSpec>& layers) {
  ConfigSnapshot snapshot;
  snapshot.own = snapshot.shown = own;
  if (!own) return snapshot;
  merge(snapshot, path, layers);
  snapshot.schema = ConfigSchema::of(*snapshot.shown);
  if (saved) addChanged(snapshot, *saved);
  Walk(snapshot).run();
  if (snapshot.schema) {
    for (const ConfigFinding& finding : snapshot.schema->check(*snapshot.shown)) {
      const Level level = finding.level == ConfigFinding::Level::error ? Level::Error : Level::Warning;
      snapshot.issues.append(issueAt(level, text(finding.message), text(finding.hint), finding.place));
    }
  }
  return snapshot;
}

void ConfigDescriber::merge(ConfigSnapshot& snapshot, const QString& path, const QList<LayerSpec>& layers) {
  std::vector<ConfigLayer> stack;
  const auto isOff = [&](const QString& base) {
    return std::any_of(layers.begin(), layers.end(), [&](const LayerSpec& layer) {
      return layer.kind == LayerSpec::Kind::Base && layer.path == base && !layer.enabled;
    });
  };
  for (const LayerSpec& layer : layers) {
    try {
      switch (layer.kind) {
        case LayerSpec::Kind::Base: break;  // come with the document
        case LayerSpec::Kind::Document:
          for (ConfigLayer& one : layers_of_file(path.toStdString(), snapshot.own)) {
            if (one.kind == ConfigLayer::Kind::base) {
              snapshot.bases.append(text(one.name));
              one.enabled = !isOff(text(one.name));
            } else {
              snapshot.ownLayer = int(stack.size());
              one.enabled = layer.enabled;
            }
            stack.push_back(std::move(one));
          }
          break;
        case LayerSpec::Kind::File:
          stack.push_back({ConfigLayer::Kind::file,
                           layer.path.toStdString(),
                           layer.enabled ? read(layer.path) : std::make_shared<const ConfigNode>(),
                           {},
                           layer.enabled});
          break;
        case LayerSpec::Kind::Overrides: {
          std::vector<std::string> texts;
          for (const QString& one : layer.overrides) texts.push_back(one.toStdString());
          stack.push_back({ConfigLayer::Kind::overrides, tr("overrides").toStdString(), nullptr, texts, layer.enabled});
          break;
        }
      }
    } catch (const ConfigError& error) {
      snapshot.issues.append(issueOf(error));
      if (layer.kind == LayerSpec::Kind::Document) {
        snapshot.ownLayer = int(stack.size());
        stack.push_back({ConfigLayer::Kind::file, path.toStdString(), snapshot.own, {}, layer.enabled});
      }
    }
  }
  const bool alone = stack.size() == 1 && stack.front().enabled;
  if (stack.empty() || alone) return;
  try {
    snapshot.merged = std::make_shared<const MergedConfig>(std::move(stack));
    snapshot.shown = snapshot.merged->shared_tree();
  } catch (const ConfigError& error) {
    snapshot.issues.append(issueOf(error));
  }
}

std::shared_ptr<const ConfigNode> ConfigDescriber::read(const QString& path) {
  const QFileInfo info(path);
  File& file = m_files[path];
  const qint64 modified = info.lastModified().toMSecsSinceEpoch();
  if (!file.tree || file.size != info.size() || file.modified != modified) {
    file.tree = std::make_shared<const ConfigNode>(load_yaml_file(path.toStdString()));
    file.size = info.size();
    file.modified = modified;
  }
  return file.tree;
}

}  // namespace attnscope::ui
