#include "worker/engine_run.h"

#include <algorithm>

#include <QDir>
#include <QFileInfo>
#include <QSaveFile>

#include "base/error.h"
#include "models/words.h"
#include "nn/device.h"
#include "pipelines/run.h"
#include "worker/open_config.h"

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

// The words whose maps are shown while it runs: those of the config, else each word of the prompt that the maps will
// be of. A tokenizer that cannot be read is the run's to complain about.
std::vector<std::string> previewWords(const RunRequest& request) {
  if (!request.heatmaps.words.empty()) return request.heatmaps.words;
  const bool fresh = request.mode == RunMode::generate || request.mode == RunMode::edit;
  const std::string& prompt = fresh || request.source_prompt.empty() ? request.prompt : request.source_prompt;
  std::vector<std::string> out;
  try {
    const ClipTokenizer tokenizer(request.model.path + "/tokenizer");
    for (const Word& word : split_words(prompt, tokenizer.encode(prompt)))
      if (!word.tokens.empty() && std::find(out.begin(), out.end(), word.text) == out.end()) out.push_back(word.text);
  } catch (const Error&) {
    out.clear();
  }
  return out;
}

}  // namespace

QString nextRunFolder(const QString& base) {
  int n = 1;
  while (QFileInfo::exists(QStringLiteral("%1-%2").arg(base).arg(n))) ++n;
  return QStringLiteral("%1-%2").arg(base).arg(n);
}

RunFunction engineRun() {
  nn::keep_freed_memory();
  return [](const RunJob& job, RunObserver& observer, const CancelToken& cancel,
            const std::function<void(const QString&)>& started) {
    struct Memory {
      ~Memory() { nn::give_back_freed_memory(); }  // between runs the window is a small program
    } memory;
    nn::set_compute_threads();
    if (!job.videoPath.isEmpty()) writeConfig(job.configPath, videoConfigText(job));
    std::vector<std::string> overrides;
    for (const QString& line : job.overrides) overrides.push_back(line.toStdString());
    const std::string path = job.configPath.toStdString();
    const RunRequest request =
        job.config ? parse_run_request(runText(*job.config), path, overrides) : load_run_request(path, overrides);
    const QString folder = nextRunFolder(QFileInfo(job.outputBase).absoluteFilePath());
    started(folder);
    execute_run(request, folder.toStdString(), observer, cancel, {kPreviewEverySteps, previewWords(request)});
  };
}

}  // namespace attnscope::ui
