#include <atomic>

#include <QSignalSpy>
#include <QTest>

#include "base/error.h"
#include "pipelines/run.h"
#include "worker/run_controller.h"

using namespace attnscope;
using namespace attnscope::ui;
using State = RunController::State;

namespace {

RunJob job() { return {QStringLiteral("a.yaml"), {}, {}, QStringLiteral("/out/a")}; }

// Ends when told to, or by cancellation as the engine does.
struct Gate {
  std::atomic<bool> open{false};
  std::atomic<int> runs{0};
  RunFunction function() {
    return [this](const RunJob&, RunObserver& observer, const CancelToken& cancel, const auto& started) {
      ++runs;
      started(QStringLiteral("/out/a-1"));
      observer.on_progress({"denoise", 1, 4, 0.5, 2.0, 1.5});
      while (!open) {
        if (cancel.cancelled()) throw RunCancelled();
        QThread::msleep(1);
      }
    };
  }
};

}  // namespace

class TestRunController : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void endsFinished();
  void endsCancelled();
  void endsFailed_data();
  void endsFailed();
  void stopBeforeItBegins();
  void stopTwiceIsStopOnce();
  void startWhileBusyIsRefused();
  void runsAgainAfterEachExit();
  void valuesArriveOnTheGuiThread();
  void staleResultsAreDropped();
  void destroyedWhileRunning();
};

void TestRunController::endsFinished() {
  Gate gate;
  RunController runs(gate.function());
  QSignalSpy finished(&runs, &RunController::finished), states(&runs, &RunController::stateChanged);
  QCOMPARE(runs.state(), State::Idle);
  QVERIFY(runs.start(job()));
  QCOMPARE(runs.state(), State::Running);
  gate.open = true;
  QTRY_COMPARE(finished.size(), 1);
  QCOMPARE(finished[0][0].toString(), QStringLiteral("/out/a-1"));
  QCOMPARE(runs.state(), State::Idle);
  QCOMPARE(states.size(), 2);
}

void TestRunController::endsCancelled() {
  Gate gate;
  RunController runs(gate.function());
  QSignalSpy cancelled(&runs, &RunController::cancelled), failed(&runs, &RunController::failed);
  runs.start(job());
  QTRY_COMPARE(gate.runs.load(), 1);
  runs.stop();
  QCOMPARE(runs.state(), State::Stopping);
  QTRY_COMPARE(cancelled.size(), 1);
  QCOMPARE(runs.state(), State::Idle);
  QCOMPARE(failed.size(), 0);
}

void TestRunController::endsFailed_data() {
  QTest::addColumn<int>("kind");
  QTest::addColumn<QString>("message");
  QTest::newRow("error") << 0 << QStringLiteral("no model");
  QTest::newRow("memory") << 1 << QStringLiteral("Not enough memory.");
  QTest::newRow("other") << 2 << QStringLiteral("odd");
}

void TestRunController::endsFailed() {
  QFETCH(int, kind);
  QFETCH(QString, message);
  RunController runs([kind](const RunJob&, RunObserver&, const CancelToken&, const auto&) {
    if (kind == 0) throw LoadError("no model", "model_index.json", {}, "give a folder");
    if (kind == 1) throw std::bad_alloc();
    throw std::runtime_error("odd\nstack trace");
  });
  Failure seen;
  int count = 0;
  connect(&runs, &RunController::failed, &runs, [&](const Failure& failure) {
    seen = failure;
    ++count;
  });
  runs.start(job());
  QTRY_COMPARE(count, 1);
  QCOMPARE(seen.message, message);
  QVERIFY(!seen.hint.isEmpty());
  if (kind == 0) QVERIFY(seen.where.contains(QStringLiteral("model_index.json")));
  QCOMPARE(runs.state(), State::Idle);
}

void TestRunController::stopBeforeItBegins() {
  Gate gate;
  RunController runs(gate.function());
  QSignalSpy cancelled(&runs, &RunController::cancelled);
  runs.start(job());
  runs.stop();
  QTRY_COMPARE(cancelled.size(), 1);
  QCOMPARE(runs.state(), State::Idle);
}

void TestRunController::stopTwiceIsStopOnce() {
  Gate gate;
  RunController runs(gate.function());
  QSignalSpy cancelled(&runs, &RunController::cancelled), states(&runs, &RunController::stateChanged);
  runs.stop();  // nothing runs
  QCOMPARE(states.size(), 0);
  runs.start(job());
  runs.stop();
  runs.stop();
  QTRY_COMPARE(cancelled.size(), 1);
  runs.stop();
  QCOMPARE(states.size(), 3);  // running, stopping, idle
}

void TestRunController::startWhileBusyIsRefused() {
  Gate gate;
  RunController runs(gate.function());
  QSignalSpy finished(&runs, &RunController::finished);
  QVERIFY(runs.start(job()));
  QVERIFY(!runs.start(job()));
  gate.open = true;
  QTRY_COMPARE(finished.size(), 1);
  QTest::qWait(20);
  QCOMPARE(gate.runs.load(), 1);
}

void TestRunController::runsAgainAfterEachExit() {
  std::atomic<int> turn{0};
  RunController runs([&](const RunJob&, RunObserver&, const CancelToken&, const auto&) {
    switch (turn++) {
      case 0: throw RunCancelled();
      case 1: throw Error("broken");
      default: break;
    }
  });
  QSignalSpy cancelled(&runs, &RunController::cancelled), failed(&runs, &RunController::failed),
      finished(&runs, &RunController::finished);
  for (QSignalSpy* spy : {&cancelled, &failed, &finished}) {
    QVERIFY(runs.start(job()));
    QTRY_COMPARE(spy->size(), 1);
    QCOMPARE(runs.state(), State::Idle);
  }
  QCOMPARE(runs.job(), quint64(3));
}

void TestRunController::valuesArriveOnTheGuiThread() {
  RunController runs([](const RunJob&, RunObserver& observer, const CancelToken&, const auto& started) {
    started(QStringLiteral("/out/a-1"));
    observer.on_capture_bytes(2048);
    observer.on_warning("long prompt");
    observer.on_preview(3, 1, Image{2, 1, {255, 0, 0, 0, 0, 255}});
    observer.on_maps("circle", {HeatMap{2, 1, {0.25F, 0.75F}}});
  });
  QThread* gui = QThread::currentThread();
  PreviewFrame preview;
  WordMaps maps;
  QString warning;
  qint64 bytes = 0;
  bool here = true, done = false;
  connect(&runs, &RunController::previewed, this, [&](const PreviewFrame& p) {
    preview = p;
    here = here && QThread::currentThread() == gui;
  });
  connect(&runs, &RunController::mapped, this, [&](const WordMaps& m) { maps = m; });
  connect(&runs, &RunController::warned, this, [&](const QString& w) { warning = w; });
  connect(&runs, &RunController::captureSized, this, [&](qint64 b) { bytes = b; });
  connect(&runs, &RunController::finished, this, [&] { done = true; });
  runs.start(job());
  QTRY_VERIFY(done);
  QVERIFY(here);
  QCOMPARE(preview.frame, 1);
  QCOMPARE(preview.image.pixelColor(0, 0), QColor(255, 0, 0));
  QCOMPARE(preview.image.pixelColor(1, 0), QColor(0, 0, 255));
  QCOMPARE(maps.text, QStringLiteral("circle"));
  QCOMPARE(maps.frames.value(0).values.value(1), 0.75F);
  QCOMPARE(warning, QStringLiteral("long prompt"));
  QCOMPARE(bytes, qint64(2048));
}

// What a worker says about a job that has ended, or about another one, is not passed on.
void TestRunController::staleResultsAreDropped() {
  Gate gate;
  RunController runs(gate.function());
  QSignalSpy finished(&runs, &RunController::finished), progress(&runs, &RunController::progressed),
      failed(&runs, &RunController::failed);
  runs.start(job());
  QTRY_COMPARE(progress.size(), 1);
  const quint64 id = runs.job();
  Q_EMIT runs.worker()->progressed(id - 1, {});
  Q_EMIT runs.worker()->failed(id - 1, {});
  Q_EMIT runs.worker()->finished(id + 1, {});
  QCOMPARE(progress.size(), 1);
  QCOMPARE(runs.state(), State::Running);
  Q_EMIT runs.worker()->progressed(id, {});
  QCOMPARE(progress.size(), 2);
  gate.open = true;
  QTRY_COMPARE(finished.size(), 1);
  Q_EMIT runs.worker()->progressed(id, {});
  Q_EMIT runs.worker()->failed(id, {});
  QCOMPARE(progress.size(), 2);
  QCOMPARE(failed.size(), 0);
}

void TestRunController::destroyedWhileRunning() {
  Gate gate;
  QElapsedTimer clock;
  {
    RunController runs(gate.function());
    runs.start(job());
    QTRY_COMPARE(gate.runs.load(), 1);
    clock.start();
  }
  QVERIFY(clock.elapsed() < 2000);
}

QTEST_MAIN(TestRunController)
#include "tst_run_controller.moc"
