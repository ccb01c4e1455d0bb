#include "worker/run_worker.h"

#include "base/error.h"
#include "pipelines/run.h"
#include "worker/convert.h"
#include "worker/failure.h"

namespace attnscope::ui {

namespace {

// Turns the engine's callbacks into signals of one job.
class SignalObserver : public RunObserver {
 public:
  SignalObserver(RunWorker& worker, quint64 job) : m_worker(worker), m_job(job) {}

  void on_progress(const Progress& p) override {
    Q_EMIT m_worker.progressed(m_job, {QString::fromStdString(p.stage), p.step, p.total, p.steps_per_second, p.eta});
  }
  void on_preview(int step, int frame, const Image& image) override {
    Q_EMIT m_worker.previewed(m_job, {step, frame, toQImage(image)});
  }
  void on_maps(const std::string& word, const std::vector<HeatMap>& maps) override {
    WordMaps out;
    out.text = QString::fromStdString(word);
    for (const HeatMap& map : maps) out.frames.append(toMapFrame(map));
    Q_EMIT m_worker.mapped(m_job, out);
  }
  void on_warning(const std::string& text) override { Q_EMIT m_worker.warned(m_job, QString::fromStdString(text)); }
  void on_capture_bytes(int64_t bytes) override { Q_EMIT m_worker.captureSized(m_job, bytes); }

 private:
  RunWorker& m_worker;
  quint64 m_job;
};

}  // namespace

RunWorker::RunWorker(RunFunction function) : m_function(std::move(function)) {}

void RunWorker::run(quint64 job, const RunJob& what, const CancelToken& cancel) {
  SignalObserver observer(*this, job);
  QString folder;
  try {
    m_function(what, observer, cancel, [&](const QString& path) {
      folder = path;
      Q_EMIT started(job, path);
    });
  } catch (const RunCancelled&) {
    Q_EMIT cancelled(job, folder);
    return;
  } catch (...) {
    Q_EMIT failed(job, describeFailure(std::current_exception()));
    return;
  }
  Q_EMIT finished(job, folder);
}

}  // namespace attnscope::ui
