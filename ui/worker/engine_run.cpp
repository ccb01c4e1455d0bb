#include "worker/engine_run.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSaveFile>

#include "base/error.h"
#include "pipelines/run.h"

namespace attnscope::ui {

namespace {

constexpr int kPreviewEverySteps = 2;

void writeConfig(const QString& path, const QString& text) {
  QDir().mkpath(QFileInfo(path).path());
  QSaveFile file(path);
  const QByteArray bytes = text.toUtf8();
  if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
    throw WriteError("the config cannot be written: " + file.errorString().toStdString(), path.toStdString(),
                     "choose another folder, or free space");
}

// The words whose maps are shown while it runs: those of the config, else each word of the prompt.
std::vector<std::string> previewWords(const RunRequest& request) {
  if (!request.heatmaps.words.empty()) return request.heatmaps.words;
  const bool generates = request.mode == RunMode::generate || request.mode == RunMode::edit;
  static const QRegularExpression separator(QStringLiteral("[^\\p{L}\\p{N}'-]+"),
                                            QRegularExpression::UseUnicodePropertiesOption);
  QStringList words = QString::fromStdString(generates ? request.prompt : request.source_prompt)
                          .split(separator, Qt::SkipEmptyParts);
  words.removeDuplicates();
  std::vector<std::string> out;
  for (const QString& word : words) out.push_back(word.toStdString());
  return out;
}

}  // namespace

QString nextRunFolder(const QString& base) {
  int n = 1;
  while (QFileInfo::exists(QStringLiteral("%1-%2").arg(base).arg(n))) ++n;
  return QStringLiteral("%1-%2").arg(base).arg(n);
}

RunFunction engineRun() {
  return [](const RunJob& job, RunObserver& observer, const CancelToken& cancel,
            const std::function<void(const QString&)>& started) {
    if (!job.configText.isEmpty()) writeConfig(job.configPath, job.configText);
    std::vector<std::string> overrides;
    for (const QString& line : job.overrides) overrides.push_back(line.toStdString());
    const RunRequest request = load_run_request(job.configPath.toStdString(), overrides);
    const QString folder = nextRunFolder(job.outputBase);
    started(folder);
    execute_run(request, folder.toStdString(), observer, cancel, {kPreviewEverySteps, previewWords(request)});
  };
}

}  // namespace attnscope::ui
