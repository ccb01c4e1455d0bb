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
  void slowWindowHearsTheNewest();
  void eachRunIsHeardAlone();
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
  connect(&runs, &RunController::previewed, this, [&](const QList<PreviewFrame>& p) {
    preview = p[0];
    here = here && QThread::currentThread() == gui;
  });
  connect(&runs, &RunController::mapped, this, [&](const QList<WordMaps>& m) { maps = m[0]; });
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

// While the window is busy a run may say a lot: it then hears the newest of everything, all warnings, and the end last.
void TestRunController::slowWindowHearsTheNewest() {
  std::atomic<bool> said{false};
  RunController runs([&](const RunJob&, RunObserver& observer, const CancelToken&, const auto& started) {
    started(QStringLiteral("/out/a-1"));
    for (int step = 1; step <= 500; ++step) {
      observer.on_progress({"denoise", step, 500, 0.5, 2.0, 1.5});
      for (int frame = 0; frame < 3; ++frame)
        observer.on_preview(step, frame, Image{1, 1, {uint8_t(step % 256), 0, 0}});
      for (const char* word : {"circle", "square"}) observer.on_maps(word, {HeatMap{1, 1, {float(step)}}});
      if (step % 100 == 0) observer.on_warning(std::to_string(step));
    }
    said = true;
  });
  QStringList order;
  int step = 0;
  QList<PreviewFrame> frames;
  QList<WordMaps> words;
  connect(&runs, &RunController::started, this, [&] { order << QStringLiteral("started"); });
  connect(&runs, &RunController::warned, this, [&](const QString& text) { order << text; });
  connect(&runs, &RunController::progressed, this, [&](const ProgressInfo& p) { step = p.step; });
  connect(&runs, &RunController::previewed, this, [&](const QList<PreviewFrame>& f) { frames = f; });
  connect(&runs, &RunController::mapped, this, [&](const QList<WordMaps>& w) { words = w; });
  connect(&runs, &RunController::finished, this, [&] { order << QStringLiteral("finished"); });
  QSignalSpy rounds(&runs, &RunController::progressed);
  runs.start(job());
  while (!said) QThread::msleep(1);  // the window does something else
  QTRY_COMPARE(order.value(order.size() - 1), QStringLiteral("finished"));
  QCOMPARE(order,
           QStringList({QStringLiteral("started"), QStringLiteral("100"), QStringLiteral("200"), QStringLiteral("300"),
                        QStringLiteral("400"), QStringLiteral("500"), QStringLiteral("finished")}));
  QCOMPARE(step, 500);
  QVERIFY(rounds.size() <= 2);  // not one for each of the 500
  QCOMPARE(frames.size(), 3);
  QCOMPARE(frames[2].step, 500);
  QCOMPARE(words.size(), 2);
  QCOMPARE(words[1].text, QStringLiteral("square"));
  QCOMPARE(words[1].frames[0].values[0], 500.0F);
}

// A run that was followed by another says nothing any more, even when news of it were on their way.
void TestRunController::eachRunIsHeardAlone() {
  std::atomic<int> turn{0};
  RunController runs([&](const RunJob&, RunObserver& observer, const CancelToken&, const auto& started) {
    const std::string name = std::to_string(++turn);
    started(QString::fromStdString(name));
    observer.on_warning(name);
  });
  QStringList heard;
  connect(&runs, &RunController::started, this,
          [&](const QString& folder) { heard << QStringLiteral("started ") + folder; });
  connect(&runs, &RunController::warned, this, [&](const QString& text) { heard << QStringLiteral("warned ") + text; });
  connect(&runs, &RunController::finished, this, [&](const QString& folder) {
    heard << QStringLiteral("finished ") + folder;
    if (runs.job() < 3) runs.start(job());  // at once, as a queue would
  });
  runs.start(job());
  QTRY_COMPARE(heard.size(), 9);
  QTest::qWait(100);
  QStringList expected;
  for (const char* n : {"1", "2", "3"})
    for (const char* what : {"started ", "warned ", "finished "}) expected << QLatin1String(what) + QLatin1String(n);
  QCOMPARE(heard, expected);
}

void TestRunController::destroyedWhileRunning() {
  Gate gate;
  {
    RunController runs(gate.function());
    runs.start(job());
    QTRY_COMPARE(gate.runs.load(), 1);
  }  // returns: the run was told to stop, and waited for
  QCOMPARE(gate.runs.load(), 1);
}

QTEST_MAIN(TestRunController)
#include "tst_run_controller.moc"
