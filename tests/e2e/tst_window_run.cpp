#include <cmath>

#include <QAction>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "app/main_window.h"
#include "app/session.h"
#include "documents/run_document.h"
#include "models/log_model.h"
#include "views/message_bar.h"

using namespace attnscope::ui;

// The window on the engine and the demo model, as a user drives it: open, run, watch, stop.
class TestWindowRun : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase();
  void init();
  void configRunsToItsMaps();
  void videoRunsAfterAPrompt();
  void windowAnswersWhileTheEngineComputes();
  void stopKeepsWhatIsDone();
  void badWordIsSaid();

 private:
  void openConfig(MainWindow& window, const QByteArray& more = {});
  QString path(const char* name) const { return m_dir->filePath(QString::fromLatin1(name)); }
  static QPointF peak(const RunDocument& document, const QString& word, int frame);
  static bool inMask(const QString& shape, int frame, const QPointF& at);
  std::unique_ptr<QTemporaryDir> m_dir;
  std::unique_ptr<Session> m_session;
};

namespace {

const QString kDemo = QStringLiteral(ATTNSCOPE_SOURCE_DIR "/resources/demo");

int wordOf(const RunDocument& document, const QString& text) {
  for (int i = 0; i < document.run().words.size(); ++i)
    if (document.run().words[i].text == text) return i;
  return -1;
}

}  // namespace

void TestWindowRun::initTestCase() {
  QStandardPaths::setTestModeEnabled(true);
  QDir().mkpath(QStringLiteral(ATTNSCOPE_BINARY_DIR "/screenshots"));
  if (!QFile::exists(kDemo + QStringLiteral("/model/model_index.json"))) QSKIP("resources/demo/model is not there");
}

void TestWindowRun::init() {
  m_session.reset();
  m_dir = std::make_unique<QTemporaryDir>();
  m_session = std::make_unique<Session>(path("session.ini"));
  QDir().mkpath(path("configs"));
}

void TestWindowRun::openConfig(MainWindow& window, const QByteArray& more) {
  QFile config(path("configs/small.yaml"));
  QVERIFY(config.open(QIODevice::WriteOnly));
  config.write("mode: inspect\nmodel:\n  path: " + kDemo.toUtf8() + "/model\ninput:\n  video: " + kDemo.toUtf8() +
               "/video.mp4\n  num_frames: 3\n  height: 128\n  width: 128\n"
               "source_prompt: a red circle and a blue square on a gray background\n" +
               more);
  config.close();
  window.openPath(config.fileName());
  QTRY_VERIFY2_WITH_TIMEOUT(window.findChild<QAction*>(QStringLiteral("run"))->isEnabled(),
                            qPrintable(window.findChild<MessageBar*>()->text()), 20000);
}

QPointF TestWindowRun::peak(const RunDocument& document, const QString& word, int frame) {
  const MapFrame& map = document.maps(wordOf(document, word))->frames[frame];
  const int cell = int(std::max_element(map.values.begin(), map.values.end()) - map.values.begin());
  return {(cell % map.width + 0.5) * 128 / map.width, (cell / map.width + 0.5) * 128 / map.height};
}

bool TestWindowRun::inMask(const QString& shape, int frame, const QPointF& at) {
  const QImage mask(QStringLiteral("%1/masks/%2/%3.png").arg(kDemo, shape).arg(frame, 4, 10, QLatin1Char('0')));
  return !mask.isNull() && qGray(mask.pixel(at.toPoint())) > 127;
}

void TestWindowRun::configRunsToItsMaps() {
  MainWindow window(*m_session);
  window.show();
  openConfig(window, "num_inference_steps: 6\n");
  RunDocument* document = window.document();
  QCOMPARE(document->run().sourceFrames.size(), 3);  // the input is shown before it is run
  QSignalSpy progress(&window.runs(), &RunController::progressed), maps(&window.runs(), &RunController::mapped),
      finished(&window.runs(), &RunController::finished);
  window.resize(1280, 800);
  window.startRun();
  QTRY_VERIFY_WITH_TIMEOUT(maps.size() > 0 || window.logModel()->errorCount() > 0, 60000);
  QTest::qWait(50);
  window.grab().save(QStringLiteral(ATTNSCOPE_BINARY_DIR "/screenshots/window-running.png"));
  QTRY_VERIFY2_WITH_TIMEOUT(finished.size() == 1 || window.logModel()->errorCount() > 0, "still running", 120000);
  QVERIFY2(window.logModel()->errorCount() == 0, qPrintable(window.findChild<MessageBar*>()->text()));
  QVERIFY(progress.size() > 0);
  QVERIFY(maps.size() > 0);
  QTRY_COMPARE(document->run().path, QDir::cleanPath(path("output/small-1")));
  QCOMPARE(document->run().layers.size(), 14);
  const int circle = wordOf(*document, QStringLiteral("circle")), square = wordOf(*document, QStringLiteral("square"));
  QVERIFY(circle > 0 && square > 0);
  document->selectWords({circle, square});
  QTRY_VERIFY(document->maps(circle) && document->maps(square));
  for (int frame = 0; frame < 3; ++frame)
    for (const QString& shape : {QStringLiteral("circle"), QStringLiteral("square")}) {
      const QPointF at = peak(*document, shape, frame);
      QVERIFY2(inMask(shape, frame, at),
               qPrintable(QStringLiteral("%1, frame %2: (%3, %4)").arg(shape).arg(frame).arg(at.x()).arg(at.y())));
    }
}

void TestWindowRun::videoRunsAfterAPrompt() {
  MainWindow window(*m_session);
  window.show();
  window.openPath(kDemo + QStringLiteral("/video.mp4"));
  auto* prompt = window.findChild<QLineEdit*>(QStringLiteral("sourcePrompt"));
  auto* output = window.findChild<QLineEdit*>(QStringLiteral("output"));
  QTRY_VERIFY(!output->text().isEmpty());
  QVERIFY(!window.findChild<QAction*>(QStringLiteral("run"))->isEnabled());
  window.findChild<QLineEdit*>(QStringLiteral("modelPath"))->setText(kDemo + QStringLiteral("/model"));
  prompt->setText(QStringLiteral("a red circle and a blue square on a gray background"));
  output->setText(path("out"));
  QSignalSpy finished(&window.runs(), &RunController::finished);
  window.findChild<QAction*>(QStringLiteral("run"))->trigger();
  QTRY_VERIFY2_WITH_TIMEOUT(finished.size() == 1 || window.logModel()->errorCount() > 0, "still running", 120000);
  QVERIFY2(window.logModel()->errorCount() == 0, qPrintable(window.findChild<MessageBar*>()->text()));
  QTRY_COMPARE(window.document()->run().path, path("out-1"));
  QCOMPARE(window.document()->run().frameCount(), 16);
}

// The gaps between two turns of the event loop while the engine takes every core. The limit finds a window that hangs,
// not a slow machine.
void TestWindowRun::windowAnswersWhileTheEngineComputes() {
  MainWindow window(*m_session);
  window.resize(1280, 800);
  window.show();
  openConfig(window, "num_inference_steps: 16\n");
  QSignalSpy finished(&window.runs(), &RunController::finished);
  window.startRun();
  RunDocument* document = window.document();
  QTRY_VERIFY_WITH_TIMEOUT(document->run().words.size() > 4 || window.logModel()->errorCount() > 0, 60000);
  QList<int> words;
  for (int i = 0; i < document->run().words.size(); ++i) words << i;
  document->selectWords(words);
  QList<qint64> gaps;
  QElapsedTimer sinceLast;
  QTimer heartbeat;
  heartbeat.setInterval(5);
  connect(&heartbeat, &QTimer::timeout, this, [&] {
    gaps.append(sinceLast.restart());
    if (gaps.size() % 10 == 0) document->setFrame(int(gaps.size() / 10) % 3);
  });
  sinceLast.start();
  heartbeat.start();
  QTRY_VERIFY2_WITH_TIMEOUT(finished.size() == 1 || window.logModel()->errorCount() > 0, "still running", 120000);
  heartbeat.stop();
  QVERIFY(!gaps.isEmpty());
  std::sort(gaps.begin(), gaps.end());
  qInfo("gaps: median %lld, 95%% %lld, worst %lld ms in %lld turns", static_cast<long long>(gaps[gaps.size() / 2]),
        static_cast<long long>(gaps[gaps.size() * 95 / 100]), static_cast<long long>(gaps.last()),
        static_cast<long long>(gaps.size()));
  QVERIFY2(gaps.last() < 1000, qPrintable(QStringLiteral("%1 ms").arg(gaps.last())));
}

void TestWindowRun::stopKeepsWhatIsDone() {
  MainWindow window(*m_session);
  window.show();
  openConfig(window, "num_inference_steps: 500\n");
  QSignalSpy cancelled(&window.runs(), &RunController::cancelled), maps(&window.runs(), &RunController::mapped);
  window.startRun();
  QTRY_VERIFY_WITH_TIMEOUT(maps.size() > 0 || window.logModel()->errorCount() > 0, 60000);
  QElapsedTimer clock;
  clock.start();
  window.findChild<QAction*>(QStringLiteral("stop"))->trigger();
  QTRY_COMPARE_WITH_TIMEOUT(cancelled.size(), 1, 10000);
  qInfo("stopped after %lld ms", static_cast<long long>(clock.elapsed()));
  window.openPath(path("output/small-1"));
  QTRY_COMPARE(window.document()->run().path, QDir::cleanPath(path("output/small-1")));
  QCOMPARE(window.document()->run().state, RunState::Cancelled);
}

void TestWindowRun::badWordIsSaid() {
  MainWindow window(*m_session);
  window.show();
  openConfig(window, "num_inference_steps: 4\nheatmaps:\n  words: [triangle]\n");
  window.startRun();
  QTRY_VERIFY_WITH_TIMEOUT(window.logModel()->errorCount() > 0, 60000);
  QVERIFY(window.findChild<MessageBar*>()->text().contains(QStringLiteral("triangle")));
  QTRY_VERIFY(!window.runs().isBusy());
}

QTEST_MAIN(TestWindowRun)
#include "tst_window_run.moc"
