#include "worker/run_worker.h"

#include "base/error.h"
#include "pipelines/run.h"
#include "worker/convert.h"
#include "worker/failure.h"
#include "worker/run_mailbox.h"

namespace attnscope::ui {

namespace {

// Turns the engine's callbacks into news of one job.
class MailObserver : public RunObserver {
 public:
  MailObserver(RunMailbox& mailbox, quint64 job) : m_mailbox(mailbox), m_job(job) {}

  void on_progress(const Progress& p) override {
    const ProgressInfo progress{QString::fromStdString(p.stage), p.step, p.total, p.steps_per_second, p.eta};
    m_mailbox.post(m_job, [&](RunNews& news) { news.progress = progress; });
  }
  void on_preview(int step, int frame, const Image& image) override {
    const PreviewFrame preview{step, frame, toQImage(image)};
    m_mailbox.post(m_job, [&](RunNews& news) { news.previews[frame] = preview; });
  }
  void on_maps(const std::string& word, const std::vector<HeatMap>& maps) override {
    WordMaps out;
    out.text = QString::fromStdString(word);
    for (const HeatMap& map : maps) out.frames.append(toMapFrame(map));
    m_mailbox.post(m_job, [&](RunNews& news) { news.setMaps(out); });
  }
  void on_warning(const std::string& text) override {
    m_mailbox.post(m_job, [&](RunNews& news) { news.warnings << QString::fromStdString(text); });
  }
  void on_capture_bytes(int64_t bytes) override {
    m_mailbox.post(m_job, [&](RunNews& news) { news.captureBytes = bytes; });
  }

 private:
  RunMailbox& m_mailbox;
  quint64 m_job;
};

}  // namespace

RunWorker::RunWorker(RunFunction function, RunMailbox& mailbox) : m_function(std::move(function)), m_mailbox(mailbox) {}

void RunWorker::run(quint64 job, const RunJob& what, const CancelToken& cancel) {
  MailObserver observer(m_mailbox, job);
  RunEnd end;
  try {
    m_function(what, observer, cancel, [&](const QString& path) {
      end.folder = path;
      m_mailbox.post(job, [&](RunNews& news) { news.folder = path; });
    });
  } catch (const RunCancelled&) {
    end.kind = RunEnd::Kind::Cancelled;
  } catch (...) {
    end.kind = RunEnd::Kind::Failed;
    end.failure = describeFailure(std::current_exception());
  }
  m_mailbox.post(job, [&](RunNews& news) { news.end = end; });
}

}  // namespace attnscope::ui
