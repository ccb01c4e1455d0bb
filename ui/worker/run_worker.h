#pragma once
#include <QObject>

#include "base/cancel.h"
#include "worker/engine_run.h"
#include "worker/run_data.h"

namespace attnscope::ui {

class RunMailbox;

// Lives on a thread of its own and is the only owner of a model. What a job tells, and how it ends, goes to the
// mailbox.
class RunWorker : public QObject {
 public:
  RunWorker(RunFunction function, RunMailbox& mailbox);

  // Call on the worker's thread; returns when the run has ended.
  void run(quint64 job, const RunJob& what, const CancelToken& cancel);

 private:
  RunFunction m_function;
  RunMailbox& m_mailbox;
};

}  // namespace attnscope::ui
