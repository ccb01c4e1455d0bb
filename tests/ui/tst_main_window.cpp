#include <atomic>

#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QMimeData>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "app/main_window.h"
#include "app/session.h"
#include "base/error.h"
#include "documents/run_document.h"
#include "models/log_model.h"
#include "pipelines/run.h"
#include "synthetic_run.h"
#include "views/heatmap_canvas.h"
#include "views/message_bar.h"
#include "views/word_strip.h"

using namespace attnscope;
using namespace attnscope::ui;

class TestMainWindow : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase();
  void init();
  void opensARunFolder();
  void opensTheManifestToo();
  void dropOpens();
  void dropRefusesWhatItCannotOpen();
  void wrongPathsAreSaid_data();
  void wrongPathsAreSaid();
  void newestOpenWins();
  void layerAloneAndBack();
  void recipeWithoutLayersIsSaid();
  void stoppedRunIsMarked();
  void runShowsProgressAndFinishes();
  void stopAnswers();
  void failedRunIsReported();
  void warningsAreListedOnce();
  void closingStopsTheRun();
  void windowStaysAliveDuringARun_data();
  void windowStaysAliveDuringARun();
  void recentFilesArePruned();
  void layoutIsKeptAndReset();
  void everyControlIsNamed();
  void everyShortcutIsItsOwn();
  void tabReachesTheControls();

 private:
  QString path(const char* name) const { return m_dir->filePath(QString::fromLatin1(name)); }
  std::unique_ptr<QTemporaryDir> m_dir;
  std::unique_ptr<Session> m_session;
};

namespace {

const QStringList kRunWords{QStringLiteral("circle"), QStringLiteral("square"), QStringLiteral("red"),
                            QStringLiteral("blue"), QStringLiteral("gray")};

// A run that tells more than the engine does, without a pause, until it is told to stop; then it writes a folder.
RunFunction busyRun(const QString& folder, std::atomic<bool>& stop, int frames = 4, int side = 64) {
  return [=, &stop](const RunJob&, RunObserver& observer, const CancelToken& cancel, const auto& started) {
    started(folder);
    for (int step = 0; !stop; ++step) {
      if (cancel.cancelled()) throw RunCancelled();
      observer.on_progress({"denoise", step % 400, 400, 1, 10, 5});
      const Image image{side, side, std::vector<uint8_t>(std::size_t(side) * side * 3, uint8_t(step))};
      for (int frame = 0; frame < frames; ++frame) observer.on_preview(step, frame, image);
      std::vector<HeatMap> maps;
      for (int frame = 0; frame < frames; ++frame) {
        const MapFrame map = synthetic::map(QStringLiteral("circle"), 32, (frame + step) % frames, frames);
        maps.push_back({map.width, map.height, {map.values.begin(), map.values.end()}});
      }
      for (const QString& word : kRunWords) observer.on_maps(word.toStdString(), maps);
    }
    synthetic::writeFolder(folder, {frames});
  };
}

void openConfigInPanel(MainWindow& window, const QString& file) {
  QFile config(file);
  QVERIFY(config.open(QIODevice::WriteOnly));
  config.write("mode: generate\nprompt: a red circle\nmodel:\n  path: " + QFileInfo(file).path().toUtf8() + "\n");
  config.close();
  window.openPath(file);
  QAction* run = window.findChild<QAction*>(QStringLiteral("run"));
  QTRY_VERIFY2(run->isEnabled(), qPrintable(window.findChild<MessageBar*>()->text()));
}

}  // namespace

void TestMainWindow::initTestCase() { QStandardPaths::setTestModeEnabled(true); }

void TestMainWindow::init() {
  m_session.reset();
  m_dir = std::make_unique<QTemporaryDir>();
  m_session = std::make_unique<Session>(path("session.ini"));
}

void TestMainWindow::opensARunFolder() {
  synthetic::writeFolder(path("demo-1"));
  MainWindow window(*m_session);
  window.show();
  const QAction* next = window.findChild<QAction*>(QStringLiteral("nextFrame"));
  QVERIFY(!next->isEnabled());
  window.openPath(path("demo-1"));
  QTRY_VERIFY(window.document()->maps(3));
  const RunDocument* document = window.document();
  QCOMPARE(document->run().frameCount(), 16);
  QCOMPARE(document->run().words.first().text, QStringLiteral("BOS"));
  QCOMPARE(document->run().words.last().text, QStringLiteral("EOS"));
  QCOMPARE(document->run().layers.size(), 14);
  QCOMPARE(document->run().device, QStringLiteral("cpu"));
  QCOMPARE(document->maps(3)->frames.size(), 16);
  // The peak of "circle" lies in the circle, which checks rows, columns and the recipe at once.
  for (int f : {0, 7, 15}) {
    const MapFrame& map = document->maps(3)->frames[f];
    const int cell = int(std::max_element(map.values.begin(), map.values.end()) - map.values.begin());
    const QPointF peak((cell % map.width + 0.5) * 128 / map.width, (cell / map.width + 0.5) * 128 / map.height);
    const QPointF off = peak - synthetic::circleAt(f, 16);
    QVERIFY2(std::hypot(off.x(), off.y()) < 12, qPrintable(QStringLiteral("frame %1").arg(f)));
  }
  QVERIFY(window.windowTitle().startsWith(QStringLiteral("demo-1")));
  QVERIFY(next->isEnabled());
  QCOMPARE(m_session->recentPaths(), QStringList{path("demo-1")});
}

void TestMainWindow::opensTheManifestToo() {
  synthetic::writeFolder(path("demo-1"), {2});
  MainWindow window(*m_session);
  window.openPath(path("demo-1/manifest.json"));
  QTRY_COMPARE(window.document()->run().frameCount(), 2);
}

void TestMainWindow::dropOpens() {
  synthetic::writeFolder(path("demo-1"), {2});
  MainWindow window(*m_session);
  QMimeData mime;
  mime.setUrls({QUrl::fromLocalFile(path("demo-1"))});
  QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &mime, Qt::LeftButton, {});
  QCoreApplication::sendEvent(&window, &enter);
  QVERIFY(enter.isAccepted());
  QDropEvent drop(QPointF(50, 50), Qt::CopyAction, &mime, Qt::LeftButton, {});
  QCoreApplication::sendEvent(&window, &drop);
  QTRY_COMPARE(window.document()->run().frameCount(), 2);
}

void TestMainWindow::dropRefusesWhatItCannotOpen() {
  MainWindow window(*m_session);
  for (const QList<QUrl>& urls :
       {QList<QUrl>{QUrl(QStringLiteral("https://example.org/a.yaml"))},
        QList<QUrl>{QUrl::fromLocalFile(QStringLiteral("/a.odt"))},
        QList<QUrl>{QUrl::fromLocalFile(QStringLiteral("/a.yaml")), QUrl::fromLocalFile(QStringLiteral("/b.yaml"))}}) {
    QMimeData mime;
    mime.setUrls(urls);
    QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &mime, Qt::LeftButton, {});
    enter.ignore();
    QCoreApplication::sendEvent(&window, &enter);
    QVERIFY(!enter.isAccepted());
  }
}

void TestMainWindow::wrongPathsAreSaid_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<QByteArray>("content");
  QTest::newRow("missing") << QStringLiteral("nowhere.yaml") << QByteArray();
  QTest::newRow("empty folder") << QStringLiteral(".") << QByteArray();
  QTest::newRow("wrong kind") << QStringLiteral("a.odt") << QByteArray("x");
  QTest::newRow("binary") << QStringLiteral("a.yaml") << QByteArray("a\0b\n", 4);
  QTest::newRow("not utf-8") << QStringLiteral("a.yaml") << QByteArray("a: \xff\n");
  QTest::newRow("manifest of something else") << QStringLiteral("manifest.json") << QByteArray("{\"name\": 1}");
  QTest::newRow("damaged manifest") << QStringLiteral("manifest.json") << QByteArray("{\"for");
  QTest::newRow("newer format") << QStringLiteral("manifest.json")
                                << QByteArray("{\"format\": 99, \"status\": \"complete\"}");
}

void TestMainWindow::wrongPathsAreSaid() {
  QFETCH(QString, name);
  QFETCH(QByteArray, content);
  if (!content.isEmpty()) {
    QFile file(m_dir->filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
  }
  MainWindow window(*m_session);
  window.show();
  auto* bar = window.findChild<MessageBar*>();
  window.openPath(m_dir->filePath(name));
  QTRY_VERIFY(bar->isVisible());
  QVERIFY(!bar->text().isEmpty());
  QCOMPARE(window.logModel()->errorCount(), 1);
  QVERIFY(window.document()->isEmpty());
  QVERIFY(m_session->recentPaths().isEmpty());
}

void TestMainWindow::newestOpenWins() {
  synthetic::writeFolder(path("a"), {2});
  synthetic::writeFolder(path("b"), {3});
  MainWindow window(*m_session);
  QSignalSpy changed(window.document(), &RunDocument::runChanged);
  window.openPath(path("a"));
  window.openPath(path("nowhere"));
  window.openPath(path("b"));
  QTRY_COMPARE(window.document()->run().frameCount(), 3);
  QCOMPARE(changed.size(), 1);
  QCOMPARE(window.logModel()->errorCount(), 0);
}

void TestMainWindow::layerAloneAndBack() {
  synthetic::writeFolder(path("demo-1"), {2});
  MainWindow window(*m_session);
  window.openPath(path("demo-1"));
  RunDocument* document = window.document();
  QTRY_VERIFY(document->maps(3));
  QCOMPARE(document->maps(3)->frames[0].width, synthetic::kLatent);
  const QString key = synthetic::layers()[3].key;
  document->setLayer(key);
  QTRY_VERIFY(document->maps(3));
  QCOMPARE(document->maps(3)->layer, key);
  QCOMPARE(document->maps(3)->frames[0].width, 8);  // the layer's own grid, its own values
  const MapFrame expected = synthetic::map(QStringLiteral("circle"), 8, 0, 2);
  QCOMPARE(document->maps(3)->frames[0].values, expected.values);
  document->setLayer({});
  QTRY_VERIFY(document->maps(3));
  QCOMPARE(document->maps(3)->frames[0].width, synthetic::kLatent);
}

void TestMainWindow::recipeWithoutLayersIsSaid() {
  synthetic::writeFolder(path("demo-1"), {2});
  MainWindow window(*m_session);
  window.openPath(path("demo-1"));
  QTRY_VERIFY(window.document()->maps(3));
  window.document()->setLayer(QStringLiteral("nowhere.processor"));
  QTRY_COMPARE(window.logModel()->errorCount(), 1);
}

void TestMainWindow::stoppedRunIsMarked() {
  for (const QString& status : {QStringLiteral("cancelled"), QStringLiteral("failed"), QStringLiteral("incomplete")}) {
    synthetic::writeFolder(m_dir->filePath(status), {2, status, false});
    MainWindow window(*m_session);
    window.show();
    window.openPath(m_dir->filePath(status));
    QTRY_COMPARE(window.document()->run().frameCount(), 2);
    QVERIFY(window.findChild<MessageBar*>()->isVisible());
    QCOMPARE(window.logModel()->issueCount(), 1);
  }
}

void TestMainWindow::runShowsProgressAndFinishes() {
  std::atomic<bool> stop{false};
  MainWindow window(*m_session, busyRun(path("out-1"), stop));
  window.show();
  openConfigInPanel(window, path("demo.yaml"));
  QSignalSpy finished(&window.runs(), &RunController::finished);
  window.findChild<QAction*>(QStringLiteral("run"))->trigger();
  QVERIFY(window.document()->isLive());
  QVERIFY(!window.findChild<QAction*>(QStringLiteral("run"))->isEnabled());
  QVERIFY(window.findChild<QAction*>(QStringLiteral("stop"))->isEnabled());
  QTRY_COMPARE(window.document()->run().frameCount(), 4);
  QTRY_VERIFY(window.document()->maps(0));
  QVERIFY(window.findChild<QLabel*>(QStringLiteral("stage"))->text().startsWith(QStringLiteral("denoise ")));
  QVERIFY(window.windowTitle().contains(QStringLiteral("out-1")));
  stop = true;
  QTRY_COMPARE(finished.size(), 1);
  QTRY_COMPARE(window.document()->run().path, path("out-1"));
  QVERIFY(!window.document()->isLive());
  QTRY_VERIFY(window.document()->maps(3));
  QVERIFY(window.findChild<QAction*>(QStringLiteral("run"))->isEnabled());
  QVERIFY(window.findChild<QLabel*>(QStringLiteral("stage"))->text().isEmpty());
}

void TestMainWindow::stopAnswers() {
  std::atomic<bool> never{false};
  MainWindow window(*m_session, busyRun(path("out-1"), never));
  window.show();
  openConfigInPanel(window, path("demo.yaml"));
  QSignalSpy cancelled(&window.runs(), &RunController::cancelled);
  window.startRun();
  QTRY_VERIFY(window.document()->run().frameCount() > 0);
  QAction* stop = window.findChild<QAction*>(QStringLiteral("stop"));
  stop->trigger();
  QVERIFY(stop->text().startsWith(QStringLiteral("Stopping")));
  QVERIFY(!stop->isEnabled());
  QTRY_COMPARE_WITH_TIMEOUT(cancelled.size(), 1, 10000);
  QVERIFY(window.findChild<QAction*>(QStringLiteral("run"))->isEnabled());
  QVERIFY(!stop->text().startsWith(QStringLiteral("Stopping")));
}

void TestMainWindow::failedRunIsReported() {
  MainWindow window(*m_session, [](const RunJob&, RunObserver&, const CancelToken&, const auto&) {
    throw LoadError("the model holds NaN", "unet.safetensors", "conv_in.weight", "get the file again");
  });
  window.show();
  openConfigInPanel(window, path("demo.yaml"));
  window.startRun();
  auto* bar = window.findChild<MessageBar*>();
  QTRY_COMPARE(bar->text(), QStringLiteral("the model holds NaN"));
  QCOMPARE(window.logModel()->errorCount(), 1);
  QVERIFY(!window.document()->isLive());
  QVERIFY(window.findChild<QAction*>(QStringLiteral("run"))->isEnabled());
}

// What a run warned of while it went is in its folder too; opening that at the end does not say it again.
void TestMainWindow::warningsAreListedOnce() {
  const QString folder = path("out-1");
  MainWindow window(*m_session, [&](const RunJob&, RunObserver& observer, const CancelToken&, const auto& started) {
    started(folder);
    observer.on_warning("the prompt is cut");
    synthetic::FolderOptions options{2};
    options.warnings = {QStringLiteral("the prompt is cut")};
    synthetic::writeFolder(folder, options);
  });
  window.show();
  openConfigInPanel(window, path("demo.yaml"));
  window.startRun();
  QTRY_COMPARE(window.document()->run().path, folder);
  QCOMPARE(window.document()->run().warnings.size(), 1);
  QCOMPARE(window.logModel()->issueCount(), 1);
  MainWindow another(*m_session);
  another.openPath(folder);
  QTRY_COMPARE(another.logModel()->issueCount(), 1);
}

void TestMainWindow::closingStopsTheRun() {
  std::atomic<bool> never{false};
  MainWindow window(*m_session, busyRun(path("out-1"), never));
  window.show();
  openConfigInPanel(window, path("demo.yaml"));
  QSignalSpy cancelled(&window.runs(), &RunController::cancelled);
  window.startRun();
  QTRY_VERIFY(window.document()->run().frameCount() > 0);
  QVERIFY(window.close());
  QTRY_COMPARE_WITH_TIMEOUT(cancelled.size(), 1, 10000);
  QVERIFY(!window.runs().isBusy());
  QVERIFY(!m_session->state().isEmpty());
}

// The gaps between two turns of the event loop while a run says everything it can, all words are on and the user
// changes things. The limit is far above what is measured: it finds a window that hangs, not a slow machine.
void TestMainWindow::windowStaysAliveDuringARun_data() {
  QTest::addColumn<int>("frames");
  QTest::addColumn<int>("side");
  QTest::newRow("24 frames of 128") << 24 << 128;
  QTest::newRow("64 frames of 512") << 64 << 512;
}

void TestMainWindow::windowStaysAliveDuringARun() {
  QFETCH(int, frames);
  QFETCH(int, side);
  std::atomic<bool> stop{false};
  MainWindow window(*m_session, busyRun(path("out-1"), stop, frames, side));
  window.resize(1200, 760);
  window.show();
  openConfigInPanel(window, path("demo.yaml"));
  window.startRun();
  RunDocument* document = window.document();
  QTRY_VERIFY_WITH_TIMEOUT(document->run().words.size() == kRunWords.size(), 20000);
  document->selectWords({0, 1, 2, 3, 4});
  QList<qint64> gaps;
  QElapsedTimer sinceLast, total;
  QTimer heartbeat;
  heartbeat.setInterval(5);
  sinceLast.start();
  total.start();
  connect(&heartbeat, &QTimer::timeout, this, [&] {
    gaps.append(sinceLast.restart());
    if (gaps.size() % 20 == 0)
      window.findChild<QComboBox*>(QStringLiteral("colorMap"))->setCurrentIndex(int(gaps.size() / 20) % 3);
    if (gaps.size() % 5 == 0) document->setFrame(int(gaps.size()) % frames);
  });
  heartbeat.start();
  QTRY_VERIFY_WITH_TIMEOUT(total.elapsed() > 1500, 60000);
  heartbeat.stop();
  stop = true;
  std::sort(gaps.begin(), gaps.end());
  const qint64 median = gaps[gaps.size() / 2], p95 = gaps[gaps.size() * 95 / 100], worst = gaps.last();
  qInfo("gaps: median %lld, 95%% %lld, worst %lld ms in %lld turns", static_cast<long long>(median),
        static_cast<long long>(p95), static_cast<long long>(worst), static_cast<long long>(gaps.size()));
  QVERIFY2(worst < 1000, qPrintable(QStringLiteral("%1 ms").arg(worst)));
  QTRY_VERIFY_WITH_TIMEOUT(!window.runs().isBusy(), 10000);
}

void TestMainWindow::recentFilesArePruned() {
  synthetic::writeFolder(path("kept"), {1});
  m_session->addRecent(path("gone.yaml"));
  m_session->addRecent(path("kept"));
  MainWindow window(*m_session);
  QTRY_COMPARE(m_session->recentPaths(), QStringList{path("kept")});
}

void TestMainWindow::layoutIsKeptAndReset() {
  {
    MainWindow window(*m_session);
    window.show();
    window.findChild<QDockWidget*>(QStringLiteral("inspectorDock"))->hide();
    window.close();
  }
  MainWindow window(*m_session);
  window.show();
  QVERIFY(window.findChild<QDockWidget*>(QStringLiteral("inspectorDock"))->isHidden());
  window.resetLayout();
  for (const QDockWidget* dock : window.findChildren<QDockWidget*>())
    QVERIFY2(!dock->isHidden(), qPrintable(dock->objectName()));
}

void TestMainWindow::everyControlIsNamed() {
  synthetic::writeFolder(path("demo-1"), {2});
  MainWindow window(*m_session);
  window.show();
  window.openPath(path("demo-1"));
  QTRY_VERIFY(window.document()->maps(3));
  QStringList missing;
  for (const QWidget* widget : window.findChildren<QWidget*>()) {
    if (widget->objectName().startsWith(QLatin1String("qt_")) || widget->focusPolicy() == Qt::NoFocus) continue;
    // Parts that Qt makes inside its own widgets speak through the widget they belong to.
    const QWidget* owner = widget->parentWidget();
    if (owner && (owner->inherits("QAbstractSpinBox") || owner->inherits("QComboBox") ||
                  owner->inherits("QAbstractScrollArea") || owner->inherits("QComboBoxPrivateContainer") ||
                  owner->inherits("QMenuBar") || owner->inherits("QTabBar")))
      continue;
    if (widget->inherits("QMenu") || widget->inherits("QTabBar") || widget->inherits("QMenuBar") ||
        widget->inherits("QComboBoxPrivateContainer"))
      continue;
    const QString who =
        QStringLiteral("%1 \"%2\"").arg(QLatin1String(widget->metaObject()->className()), widget->objectName());
    if (widget->objectName().isEmpty()) missing << who + QStringLiteral(": object name");
    if (widget->accessibleName().isEmpty()) missing << who + QStringLiteral(": accessible name");
    if (widget->toolTip().isEmpty() && widget->inherits("QDockWidget") == false && !widget->inherits("QLabel"))
      missing << who + QStringLiteral(": tooltip");
  }
  QVERIFY2(missing.isEmpty(), qPrintable(missing.join(QLatin1Char('\n'))));
}

void TestMainWindow::everyShortcutIsItsOwn() {
  MainWindow window(*m_session);
  QHash<QString, QString> owners;
  for (const QAction* action : window.findChildren<QAction*>()) {
    if (action->shortcut().isEmpty() || action->shortcutContext() != Qt::WindowShortcut) continue;
    const QString keys = action->shortcut().toString();
    QVERIFY2(!owners.contains(keys),
             qPrintable(keys + QStringLiteral(": ") + owners.value(keys) + QStringLiteral(", ") + action->text()));
    owners.insert(keys, action->text());
  }
  QVERIFY(owners.contains(QStringLiteral("F5")));
  QVERIFY(owners.contains(QStringLiteral("Shift+F5")));
}

void TestMainWindow::tabReachesTheControls() {
  synthetic::writeFolder(path("demo-1"), {4});
  MainWindow window(*m_session);
  window.show();
  QVERIFY(QTest::qWaitForWindowActive(&window));
  window.openPath(path("demo-1"));
  QTRY_VERIFY(window.document()->maps(3));
  QSet<QString> reached;
  for (int i = 0; i < 120; ++i) {
    QTest::keyClick(QApplication::focusWidget() ? QApplication::focusWidget() : &window, Qt::Key_Tab);
    if (QApplication::focusWidget()) reached.insert(QApplication::focusWidget()->objectName());
  }
  for (const char* name : {"heatmapCanvas", "frameSlider", "play", "show", "layerFilter", "layerTree", "recipe",
                           "colorMap", "opacity", "range", "upsampling", "word3"})
    QVERIFY2(reached.contains(QLatin1String(name)), name);
}

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
