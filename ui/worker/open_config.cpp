#include "worker/open_config.h"

#include <algorithm>

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStandardPaths>

#include "base/error.h"
#include "config/writer.h"
#include "pipelines/run_request.h"
#include "worker/convert.h"
#include "worker/failure.h"

namespace attnscope::ui {

namespace {

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

constexpr int kPreviewFrames = 24;  // of a config's input that is not run yet
constexpr int kVideoFrames = 16;    // of a video without a config: these are shown, and these are run
constexpr int kPreviewSide = 640;

bool isPictureName(const QString& path) {
  static const QStringList suffixes{QStringLiteral("png"), QStringLiteral("jpg"), QStringLiteral("jpeg"),
                                    QStringLiteral("bmp")};
  return suffixes.contains(QFileInfo(path).suffix().toLower());
}

QList<QImage> toPreviews(const FrameSequence& sequence) {
  QList<QImage> out;
  for (const Image& frame : sequence.frames) {
    const QImage image = toQImage(frame);
    const bool large = image.width() > kPreviewSide || image.height() > kPreviewSide;
    out.append(large ? image.scaled(kPreviewSide, kPreviewSide, Qt::KeepAspectRatio, Qt::SmoothTransformation) : image);
  }
  return out;
}

// Not more than `most` frames; a shorter input is read whole.
FrameSequence readPreviews(InputKind kind, const QString& path, FrameSelection selection, int most) {
  const int wanted = selection.num_frames;
  if (kind == InputKind::image || (wanted > 0 && wanted <= most))
    return read_input(kind, path.toStdString(), selection);
  selection.num_frames = most;
  try {
    return read_input(kind, path.toStdString(), selection);
  } catch (const LoadError&) {
    selection.num_frames = wanted;
    return read_input(kind, path.toStdString(), selection);
  }
}

void addFrames(const InputOptions& input, ConfigSummary& out) {
  if (input.kind == InputKind::none) return;
  try {
    const FrameSequence sequence = readPreviews(input.kind, qstr(input.path), input, kPreviewFrames);
    out.frames = toPreviews(sequence);
    if (sequence.fps > 0) out.fps = sequence.fps;
  } catch (const Error&) {
    out.inputProblem = describeFailure(std::current_exception());
  }
}

// The pixels the model's pictures have on a side; 0 when its files do not say.
int nativeSide(const QString& modelPath) {
  const auto read = [&](const QString& file) {
    QFile in(QDir(modelPath).filePath(file));
    return in.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(in.readAll()).object() : QJsonObject();
  };
  const int cells = read(QStringLiteral("unet/config.json")).value(QLatin1String("sample_size")).toInt();
  const qsizetype blocks =
      read(QStringLiteral("vae/config.json")).value(QLatin1String("block_out_channels")).toArray().size();
  return cells > 0 && blocks > 0 && blocks < 8 ? cells << (blocks - 1) : 0;
}

}  // namespace

bool isConfigName(const QString& path) {
  static const QStringList suffixes{QStringLiteral("yaml"), QStringLiteral("yml"), QStringLiteral("json")};
  const QFileInfo info(path);
  return suffixes.contains(info.suffix().toLower()) && info.fileName() != QLatin1String("manifest.json");
}

bool isVideoName(const QString& path) {
  static const QStringList suffixes{QStringLiteral("mp4"),  QStringLiteral("mov"),  QStringLiteral("avi"),
                                    QStringLiteral("mkv"),  QStringLiteral("webm"), QStringLiteral("gif"),
                                    QStringLiteral("m4v"),  QStringLiteral("png"),  QStringLiteral("jpg"),
                                    QStringLiteral("jpeg"), QStringLiteral("bmp")};
  return suffixes.contains(QFileInfo(path).suffix().toLower());
}

namespace {

ConfigSummary summarize(const QString& path, const RunRequest& request) {
  const QFileInfo info(path);
  ConfigSummary out;
  out.path = path;
  out.name = info.completeBaseName();
  out.mode = modeName(request.mode);
  out.prompt = qstr(request.prompt);
  out.sourcePrompt = qstr(request.source_prompt);
  out.modelPath = shortPath(qstr(request.model.path));
  out.inputPath = shortPath(qstr(request.input.path));
  out.outputBase = shortPath(outputBase(info));
  out.facts = {
      {QStringLiteral("model.dtype"), qstr(request.model.dtype)},
      {QStringLiteral("model.device"), qstr(request.model.device)},
      {QStringLiteral("num_inference_steps"), QString::number(request.num_inference_steps)},
      {QStringLiteral("guidance_scale"), QString::number(request.guidance_scale)},
      {QStringLiteral("strength"), QString::number(request.strength)},
      {QStringLiteral("seed"), QString::number(request.seed)},
      {QStringLiteral("heatmaps.recipe"), qstr(request.heatmaps.recipe)},
  };
  if (request.input.num_frames > 0)
    out.facts.prepend({QStringLiteral("input.num_frames"), QString::number(request.input.num_frames)});
  return out;
}

// Frames are read again only when this is another.
QString inputKey(const InputOptions& input) {
  return QStringLiteral("%1|%2|%3|%4|%5|%6|%7|%8")
      .arg(int(input.kind))
      .arg(qstr(input.path))
      .arg(input.start_frame)
      .arg(input.frame_stride)
      .arg(input.num_frames)
      .arg(input.height)
      .arg(input.width)
      .arg(int(input.fit));
}

}  // namespace

std::string runText(const ConfigText& config) {
  return config.merged ? to_yaml(*config.merged) : config.bytes.toStdString();
}

ConfigSummary openConfig(const QString& path) { return summarize(path, load_run_request(path.toStdString(), {})); }

ConfigSummary summarizeConfig(const QString& path, const ConfigText& config, const ConfigSummary& before) {
  const RunRequest request = parse_run_request(runText(config), path.toStdString());
  ConfigSummary out = summarize(path, request);
  out.input = inputKey(request.input);
  if (out.input == before.input && before.path == path) {
    out.frames = before.frames;
    out.fps = before.fps;
  } else {
    addFrames(request.input, out);
  }
  return out;
}

VideoOffer offerVideo(const QString& path) {
  const FrameSequence sequence =
      readPreviews(isPictureName(path) ? InputKind::image : InputKind::video, path, {}, kVideoFrames);
  const QString data = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
  VideoOffer out;
  out.path = path;
  out.name = QFileInfo(path).completeBaseName();
  out.modelPath = shortPath(demoModelPath());
  out.configPath = QDir(data).filePath(QStringLiteral("videos/%1.yaml").arg(out.name));
  out.outputBase = documentsBase(out.name);
  out.frames = toPreviews(sequence);
  if (sequence.fps > 0) out.fps = sequence.fps;
  return out;
}

QString videoConfigText(const RunJob& job) {
  const bool picture = isPictureName(job.videoPath);
  QString text = QStringLiteral(
                     "# Made by the window for this input; open it again to change it.\n"
                     "mode: inspect\n"
                     "model:\n  path: %1\n"
                     "source_prompt: %2\n"
                     "num_inference_steps: 20\n"
                     "input:\n  %3: %4\n")
                     .arg(yamlQuoted(QFileInfo(job.modelPath).absoluteFilePath()), yamlQuoted(job.sourcePrompt),
                          picture ? QStringLiteral("image") : QStringLiteral("video"), yamlQuoted(job.videoPath));
  if (!picture) text += QStringLiteral("  num_frames: %1\n").arg(std::clamp(job.frameCount, 1, kVideoFrames));
  if (const int side = nativeSide(job.modelPath))
    text += QStringLiteral("  height: %1\n  width: %1\n  fit: crop\n").arg(side);
  return text;
}

QString yamlQuoted(const QString& value) { return QString::fromStdString(double_quoted(value.toStdString())); }

QString shortPath(const QString& path) {
  const QString here = QDir::currentPath() + QLatin1Char('/');
  return path.startsWith(here) ? path.mid(here.size()) : path;
}

QString demoConfigPath() { return findResource(QStringLiteral("configs/demo.yaml")); }

QString demoModelPath() {
  const QString index = findResource(QStringLiteral("resources/demo/model/model_index.json"));
  return index.isEmpty() ? QString() : QFileInfo(index).absolutePath();
}

}  // namespace attnscope::ui
