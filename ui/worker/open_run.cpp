#include "worker/open_run.h"

#include <algorithm>

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

#include "attention/recipes.h"
#include "base/error.h"
#include "pipelines/run_folder.h"
#include "worker/convert.h"
#include "worker/open_config.h"

namespace attnscope::ui {

namespace {

QString scalarText(const nlohmann::ordered_json& value) {
  if (value.is_string()) return shortPath(qstr(value.get<std::string>()));
  if (value.is_number_float()) return QString::number(value.get<double>(), 'g', 4);
  if (value.is_primitive() && !value.is_null()) return qstr(value.dump());
  return {};
}

// Scalars of the manifest, and those one level below ("timings.denoise"): what the run was first, what made it last.
QList<Fact> facts(const nlohmann::ordered_json& manifest) {
  static const QStringList first{QStringLiteral("status"),          QStringLiteral("mode"),
                                 QStringLiteral("prompt"),          QStringLiteral("source_prompt"),
                                 QStringLiteral("negative_prompt"), QStringLiteral("seed")};
  static const QStringList last{QStringLiteral("created"), QStringLiteral("versions")};
  static const QStringList left{QStringLiteral("format"), QStringLiteral("maps_prompt"), QStringLiteral("error"),
                                QStringLiteral("config")};
  QList<Fact> out[3];
  for (const auto& [key, value] : manifest.items()) {
    const QString name = qstr(key);
    if (left.contains(name)) continue;
    QList<Fact>& place = out[first.contains(name) ? 0 : last.contains(name) ? 2 : 1];
    if (value.is_primitive() && !scalarText(value).isEmpty()) place.append({name, scalarText(value)});
    if (!value.is_object()) continue;
    for (const auto& [inner, item] : value.items())
      if (item.is_primitive() && !scalarText(item).isEmpty()) place.append({qstr(key + "." + inner), scalarText(item)});
  }
  return out[0] + out[1] + out[2];
}

// The words between a BOS and an EOS chip.
QList<WordInfo> chips(const std::vector<RunWord>& words, int tokenCount) {
  QList<WordInfo> out{{QStringLiteral("BOS"), {0}, true, false}};
  int last = 0;
  for (const RunWord& word : words) {
    out.append({qstr(word.text), QList<int>(word.tokens.begin(), word.tokens.end()), false, !word.folder.empty()});
    for (int token : word.tokens) last = std::max(last, token);
  }
  if (last + 1 < tokenCount) out.append({QStringLiteral("EOS"), {last + 1}, true, false});
  return out;
}

QList<LayerInfo> layers(const std::vector<RunLayer>& from) {
  QList<LayerInfo> out;
  for (const RunLayer& layer : from)
    out.append({qstr(layer.key), qstr(layer.processor), layer.height, layer.width, layer.heads, layer.head_dim,
                layer.cross_dim, layer.calls, layer.captured});
  return out;
}

RunState state(RunStatus status) {
  switch (status) {
    case RunStatus::complete: return RunState::Complete;
    case RunStatus::cancelled: return RunState::Cancelled;
    case RunStatus::failed: return RunState::Failed;
    case RunStatus::incomplete: break;
  }
  return RunState::Incomplete;
}

// manifest[object][key] when both are there and it is text.
QString field(const nlohmann::ordered_json& manifest, const char* object, const char* key) {
  const auto found = manifest.find(object);
  if (found == manifest.end() || !found->is_object()) return {};
  const auto member = found->find(key);
  return member != found->end() && member->is_string() ? qstr(member->get<std::string>()) : QString();
}

// The run's own config, with which it can be run again beside it. Without one the run can still be looked at.
void addConfig(RunData& run) {
  const QString path = qstr(run_files::resolved_config(run.path.toStdString()));
  if (!QFileInfo::exists(path)) return;
  try {
    run.config = openConfig(path);
  } catch (const Error& error) {
    run.warnings.append(QCoreApplication::translate("OpenRun", "It cannot be run again: %1").arg(qstr(error.what())));
    return;
  }
  static const QRegularExpression number(QStringLiteral("-\\d+$"));
  run.config.name = QFileInfo(run.path).fileName().remove(number);
  run.config.frames = run.sourceFrames;
  run.config.outputBase = shortPath(QFileInfo(run.path).dir().filePath(run.config.name));
}

}  // namespace

RunData openRun(const QString& path) {
  const RunFolder folder = RunFolder::open(path.toStdString());
  const nlohmann::ordered_json& manifest = folder.manifest();
  RunData run;
  run.path = path;
  run.prompt = qstr(folder.prompt());
  run.state = state(folder.status());
  run.error = qstr(folder.error());
  run.device = field(manifest, "model", "device");
  run.recipe = field(manifest, "heatmaps", "recipe");
  if (folder.fps() > 0) run.fps = folder.fps();
  for (const std::string& token : folder.tokens()) run.tokens.append(qstr(token));
  run.words = chips(folder.words(), int(run.tokens.size()));
  run.layers = layers(folder.layers());
  for (const std::string& warning : folder.warnings()) run.warnings.append(qstr(warning));
  run.facts = facts(manifest);
  for (const Recipe& recipe : recipes()) run.recipes.append({qstr(recipe.name), qstr(recipe.description)});
  for (int i = 0; i < folder.frames(); ++i) {
    if (folder.has_source_frames()) run.sourceFrames.append(toQImage(folder.source_frame(i)));
    if (folder.has_output_frames()) run.outputFrames.append(toQImage(folder.output_frame(i)));
  }
  run.hasMaps = folder.has_maps();
  addConfig(run);
  return run;
}

}  // namespace attnscope::ui
