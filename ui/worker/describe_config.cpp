#include "worker/describe_config.h"

#include <QCoreApplication>
#include <QFileInfo>

#include "config/diff.h"
#include "config/open_values.h"
#include "config/yaml_loader.h"
#include "worker/convert.h"
#include "worker/open_config.h"

namespace attnscope::ui {

namespace {

constexpr std::size_t kReferenceNodes = 10'000;  // what OmegaConf loads without being told to

QString tr(const char* source) { return QCoreApplication::translate("ConfigDescriber", source); }

ConfigIssue issueAt(Level level, const QString& message, const QString& hint, const ConfigPlace& place) {
  return {level, message, hint, qstr(place.file), qstr(place.key), place.line, place.column};
}

// What an expression's value looks like in one line.
QString shortText(const ConfigNode& node) {
  if (node.is_scalar()) return qstr(node.text());
  return node.is_dict() ? QStringLiteral("{…}") : QStringLiteral("[…]");
}

// Expressions, and values that are missing.
void addOpenValues(ConfigSnapshot& snapshot) {
  ConfigResolver resolver(*snapshot.shown);
  for_each_open_value(resolver, [&](const OpenValue& value) {
    const QString path = qstr(path_text(*snapshot.shown, value.path));
    ConfigPlace place = value.at->place();
    place.key = path.toStdString();
    if (value.at->is_missing()) {
      snapshot.issues.append(issueAt(Level::Warning, tr("%1 must still be given").arg(path),
                                     tr("It is ??? in the file: write a value."), place));
      return;
    }
    ResolvedText resolved;
    if (value.error) {
      resolved.error = qstr(value.error->message());
      snapshot.issues.append(issueAt(Level::Warning, resolved.error, qstr(value.error->hint()), place));
    } else {
      resolved.text = shortText(value.target.node());
    }
    snapshot.resolved.insert(path, resolved);
  });
}

void checkSize(ConfigSnapshot& snapshot) {
  const std::size_t nodes = count_nodes(*snapshot.shown);
  if (nodes <= kReferenceNodes) return;
  snapshot.issues.append(issueAt(
      Level::Warning, tr("OmegaConf does not load this file as it is: %1 nodes are more than its 10 000.").arg(nodes),
      tr("Set OMEGACONF_MAX_YAML_EXPANDED_NODES to a larger number, or to none, before starting Python."),
      {snapshot.shown->place().file}));
}

void addChanged(ConfigSnapshot& snapshot, const ConfigNode& saved) {
  for (const ConfigChange& change : diff_configs(saved, *snapshot.own)) {
    // Of what was removed only the containers are still there.
    ConfigPath path = change.path;
    if (change.kind == ConfigChange::Kind::removed) path.pop_back();
    for (; !path.empty(); path.pop_back()) {
      const QString key = qstr(path_text(*snapshot.own, path));
      if (snapshot.changed.contains(key)) break;
      snapshot.changed.insert(key);
    }
  }
}

}  // namespace

ConfigIssue issueOf(const ConfigError& error, Level level) {
  return issueAt(level, qstr(error.message()), qstr(error.hint()), error.place());
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
  addOpenValues(snapshot);
  checkSize(snapshot);
  if (snapshot.schema) {
    for (const ConfigFinding& finding : snapshot.schema->check(*snapshot.shown)) {
      const Level level = finding.level == ConfigFinding::Level::error ? Level::Error : Level::Warning;
      snapshot.issues.append(issueAt(level, qstr(finding.message), qstr(finding.hint), finding.place));
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
              snapshot.bases.append(qstr(one.name));
              one.enabled = !isOff(qstr(one.name));
            } else {
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
      if (layer.kind == LayerSpec::Kind::Document)
        stack.push_back({ConfigLayer::Kind::file, path.toStdString(), snapshot.own, {}, layer.enabled});
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
