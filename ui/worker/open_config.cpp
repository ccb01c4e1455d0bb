#include "worker/open_config.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

#include "pipelines/run_request.h"

namespace attnscope::ui {

namespace {

QString text(const std::string& value) { return QString::fromStdString(value); }

QString modeName(RunMode mode) {
  switch (mode) {
    case RunMode::generate: return QStringLiteral("generate");
    case RunMode::inspect: return QStringLiteral("inspect");
    case RunMode::reconstruct: return QStringLiteral("reconstruct");
    case RunMode::edit: break;
  }
  return QStringLiteral("edit");
}

QString documentsBase(const QString& name) {
  const QString root = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
  return QDir(root).filePath(QStringLiteral("AttnScope/") + name);
}

// <config folder>/../output/<name> where that can be written, else the user's documents.
QString outputBase(const QFileInfo& config) {
  QDir dir = config.absoluteDir();
  if (!dir.cdUp()) return documentsBase(config.completeBaseName());
  const QFileInfo output(dir.filePath(QStringLiteral("output")));
  const bool writable = output.exists() ? output.isDir() && output.isWritable() : QFileInfo(dir.path()).isWritable();
  return writable ? QDir(output.filePath()).filePath(config.completeBaseName())
                  : documentsBase(config.completeBaseName());
}

// `relative` below the program's folder or one of the five above it, as in a build tree or an installed prefix.
QString findResource(const QString& relative) {
  QDir dir(QCoreApplication::applicationDirPath());
  for (int up = 0; up < 6; ++up) {
    for (const QString& prefix : {QString(), QStringLiteral("share/attnscope/")}) {
      const QString path = dir.filePath(prefix + relative);
      if (QFileInfo::exists(path)) return QDir::cleanPath(path);
    }
    if (!dir.cdUp()) break;
  }
  return {};
}

}  // namespace

bool isConfigName(const QString& path) {
  return path.endsWith(QLatin1String(".yaml"), Qt::CaseInsensitive) ||
         path.endsWith(QLatin1String(".yml"), Qt::CaseInsensitive);
}

bool isVideoName(const QString& path) {
  static const QStringList suffixes{QStringLiteral("mp4"),  QStringLiteral("mov"), QStringLiteral("avi"),
                                    QStringLiteral("mkv"),  QStringLiteral("webm"), QStringLiteral("gif"),
                                    QStringLiteral("m4v"),  QStringLiteral("png"), QStringLiteral("jpg"),
                                    QStringLiteral("jpeg"), QStringLiteral("bmp")};
  return suffixes.contains(QFileInfo(path).suffix().toLower());
}

ConfigSummary openConfig(const QString& path) {
  const RunRequest request = load_run_request(path.toStdString(), {});
  const QFileInfo info(path);
  ConfigSummary out;
  out.path = path;
  out.name = info.completeBaseName();
  out.mode = modeName(request.mode);
  out.prompt = text(request.prompt);
  out.sourcePrompt = text(request.source_prompt);
  out.modelPath = text(request.model.path);
  out.inputPath = text(request.input.path);
  out.outputBase = outputBase(info);
  out.facts = {
      {QStringLiteral("model.dtype"), text(request.model.dtype)},
      {QStringLiteral("model.device"), text(request.model.device)},
      {QStringLiteral("num_inference_steps"), QString::number(request.num_inference_steps)},
      {QStringLiteral("guidance_scale"), QString::number(request.guidance_scale)},
      {QStringLiteral("strength"), QString::number(request.strength)},
      {QStringLiteral("seed"), QString::number(request.seed)},
      {QStringLiteral("heatmaps.recipe"), text(request.heatmaps.recipe)},
  };
  if (request.input.num_frames > 0)
    out.facts.prepend({QStringLiteral("input.num_frames"), QString::number(request.input.num_frames)});
  return out;
}

VideoOffer offerVideo(const QString& path) {
  const QString name = QFileInfo(path).completeBaseName();
  const QString data = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
  return {path, name, demoModelPath(), QDir(data).filePath(QStringLiteral("videos/%1.yaml").arg(name)),
          documentsBase(name)};
}

QString videoConfigText(const VideoOffer& video, const QString& modelPath, const QString& sourcePrompt) {
  const QString suffix = QFileInfo(video.path).suffix().toLower();
  static const QStringList pictures{QStringLiteral("png"), QStringLiteral("jpg"), QStringLiteral("jpeg"),
                                    QStringLiteral("bmp")};
  return QStringLiteral("# Made by the window for this input; open it again to change it.\n"
                        "model:\n  path: %1\n"
                        "input:\n  %2: %3\n"
                        "mode: inspect\n"
                        "source_prompt: %4\n")
      .arg(yamlQuoted(modelPath), pictures.contains(suffix) ? QStringLiteral("image") : QStringLiteral("video"),
           yamlQuoted(video.path), yamlQuoted(sourcePrompt));
}

QString yamlQuoted(const QString& value) {
  return QString::fromStdString(nlohmann::json(value.toStdString()).dump());
}

QString demoConfigPath() { return findResource(QStringLiteral("configs/demo.yaml")); }

QString demoModelPath() {
  const QString index = findResource(QStringLiteral("resources/demo/model/model_index.json"));
  return index.isEmpty() ? QString() : QFileInfo(index).absolutePath();
}

}  // namespace attnscope::ui
