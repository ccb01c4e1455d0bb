#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

#include "app/config_workspace.h"
#include "app/main_window.h"
#include "app/session.h"
#include "documents/config_document.h"
#include "documents/run_document.h"
#include "synthetic_run.h"
#include "views/config_editor.h"
#include "views/config_form.h"
#include "views/heatmap_canvas.h"
#include "views/theme.h"
#include "worker/read_controller.h"

using namespace attnscope::ui;

// Writes pictures of the window to <build>/screenshots, in both themes, and checks that they show what they should.
// ATTNSCOPE_UPDATE_IMAGES=1 also writes the README's, docs/images. They show output/demo when the demo was run, else a
// drawn run.
class TestScreenshots : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase();
  void pictures_data();
  void pictures();
  void emptyWindow_data() { themes(); }
  void emptyWindow();
  void configs_data();
  void configs();
  void messages_data() { themes(); }
  void messages();

 private:
  void themes();
  void save(MainWindow& window, const QString& name);
  QTemporaryDir m_dir;
  QString m_run;
};

void TestScreenshots::initTestCase() {
  QStandardPaths::setTestModeEnabled(true);
  QDir().mkpath(QStringLiteral(ATTNSCOPE_BINARY_DIR "/screenshots"));
  QDir::setCurrent(QStringLiteral(ATTNSCOPE_SOURCE_DIR));  // paths are shown from here
  const QString demo = QStringLiteral(ATTNSCOPE_SOURCE_DIR "/output/demo");
  m_run = demo;
  if (QFile::exists(demo + QStringLiteral("/manifest.json"))) return;
  m_run = m_dir.filePath(QStringLiteral("demo"));
  synthetic::writeFolder(m_run);
}

void TestScreenshots::themes() {
  QTest::addColumn<int>("kind");
  QTest::newRow("light") << int(theme::Kind::Light);
  QTest::newRow("dark") << int(theme::Kind::Dark);
}

void TestScreenshots::save(MainWindow& window, const QString& name) {
  QTest::qWait(50);
  const QPixmap picture = window.grab();
  QVERIFY(picture.save(QStringLiteral(ATTNSCOPE_BINARY_DIR "/screenshots/%1.png").arg(name)));
  const QHash<QString, QString> documented{{QStringLiteral("window-light"), QStringLiteral("window-light")},
                                           {QStringLiteral("window-dark"), QStringLiteral("window-dark")},
                                           {QStringLiteral("config-form-light"), QStringLiteral("config-light")},
                                           {QStringLiteral("config-form-dark"), QStringLiteral("config-dark")}};
  if (qEnvironmentVariableIntValue("ATTNSCOPE_UPDATE_IMAGES") == 1 && documented.contains(name)) {
    QDir().mkpath(QStringLiteral(ATTNSCOPE_SOURCE_DIR "/docs/images"));
    QVERIFY(picture.save(QStringLiteral(ATTNSCOPE_SOURCE_DIR "/docs/images/%1.png").arg(documented[name])));
  }
}

void TestScreenshots::pictures_data() {
  QTest::addColumn<int>("kind");
  QTest::addColumn<QSize>("size");
  for (const auto& [name, kind] : {std::pair{"light", theme::Kind::Light}, std::pair{"dark", theme::Kind::Dark}}) {
    QTest::addRow("window-%s", name) << int(kind) << QSize(1600, 1000);
    QTest::addRow("window-small-%s", name) << int(kind) << QSize(1000, 640);
  }
}

void TestScreenshots::pictures() {
  QFETCH(int, kind);
  QFETCH(QSize, size);
  theme::apply(theme::Kind(kind));
  Session session(m_dir.filePath(QStringLiteral("%1.ini").arg(QLatin1String(QTest::currentDataTag()))));
  MainWindow window(session);
  window.resize(size);
  window.show();
  window.openPath(m_run);
  RunDocument* document = window.document();
  const auto wordOf = [&](const QString& text) {
    for (int i = 0; i < document->run().words.size(); ++i)
      if (document->run().words[i].text == text) return i;
    return -1;
  };
  QTRY_VERIFY_WITH_TIMEOUT(document->run().frameCount() > 0, 20000);
  const int circle = wordOf(QStringLiteral("circle"));
  QVERIFY(circle >= 0);
  document->selectWords({circle});
  QTRY_VERIFY_WITH_TIMEOUT(document->maps(circle), 20000);
  document->setFrame(document->run().frameCount() / 2);
  auto* canvas = window.findChild<HeatmapCanvas*>();
  // The hot spot is where the map peaks: the picture under test shows a readout there.
  const MapFrame& map = document->maps(circle)->frames[document->frame()];
  const int cell = int(std::max_element(map.values.begin(), map.values.end()) - map.values.begin());
  const QRectF rect = canvas->imageRect(1);
  const QPointF peak(rect.x() + (cell % map.width + 0.5) / map.width * rect.width(),
                     rect.y() + (cell / map.width + 0.5) / map.height * rect.height());
  QVERIFY(canvas->pixelAt(peak).x() >= 0);
  QMouseEvent move(QEvent::MouseMove, peak, canvas->mapToGlobal(peak), Qt::NoButton, Qt::NoButton, {});
  QCoreApplication::sendEvent(canvas, &move);
  save(window, QLatin1String(QTest::currentDataTag()));
  QCOMPARE(window.size(), size);  // nothing forces the window larger

  const int square = wordOf(QStringLiteral("square"));
  if (square < 0) return;
  document->selectWords({circle, square});
  QTRY_VERIFY_WITH_TIMEOUT(document->maps(square), 20000);
  save(window, QStringLiteral("%1-two-words").arg(QLatin1String(QTest::currentDataTag())));
}

void TestScreenshots::configs_data() {
  QTest::addColumn<int>("kind");
  QTest::addColumn<int>("page");
  for (const auto& [name, kind] : {std::pair{"light", theme::Kind::Light}, std::pair{"dark", theme::Kind::Dark}})
    for (const auto& [view, page] : {std::pair{"form", ConfigEditor::Form}, std::pair{"text", ConfigEditor::Text},
                                     std::pair{"layers", ConfigEditor::Layers}})
      QTest::addRow("config-%s-%s", view, name) << int(kind) << int(page);
}

// A config with what is worth seeing: a changed value, an expression, one that is missing, a mistake.
void TestScreenshots::configs() {
  QFETCH(int, kind);
  QFETCH(int, page);
  theme::apply(theme::Kind(kind));
  Session session(m_dir.filePath(QStringLiteral("config%1.ini").arg(kind)));
  MainWindow window(session);
  window.resize(1600, 1000);
  window.show();
  QFile demo(QStringLiteral(ATTNSCOPE_SOURCE_DIR "/configs/demo.yaml"));
  QVERIFY(demo.open(QIODevice::ReadOnly));
  QFile file(m_dir.filePath(QStringLiteral("experiment.yaml")));
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(demo.readAll() + "\nnegative_prompt: ${source_prompt}\nstrength: ???\neta: 2.5\n");
  file.close();
  window.openPath(file.fileName());
  QTRY_VERIFY(window.configs()->currentDocument());
  ConfigDocument* document = window.configs()->currentDocument();
  QTRY_VERIFY(!document->isBusy());
  document->setValue({"seed"}, attnscope::ConfigNode(11));
  document->setLayers(
      QStringLiteral("Add"),
      document->layers() +
          QList<LayerSpec>{{LayerSpec::Kind::Overrides, {}, {QStringLiteral("guidance_scale=5")}, true}});
  QTRY_VERIFY(!document->isBusy() && document->snapshot().merged);
  window.configs()->current()->setPage(ConfigEditor::Page(page));
  window.configs()->current()->form()->selectPath({"seed"});
  save(window, QLatin1String(QTest::currentDataTag()));
}

void TestScreenshots::emptyWindow() {
  QFETCH(int, kind);
  theme::apply(theme::Kind(kind));
  Session session(m_dir.filePath(QStringLiteral("empty%1.ini").arg(kind)));
  MainWindow window(session);
  window.resize(1280, 800);
  window.show();
  save(window, QStringLiteral("window-empty-%1").arg(QLatin1String(QTest::currentDataTag())));
}

void TestScreenshots::messages() {
  QFETCH(int, kind);
  theme::apply(theme::Kind(kind));
  Session session(m_dir.filePath(QStringLiteral("messages%1.ini").arg(kind)));
  MainWindow window(session);
  window.resize(1280, 800);
  window.show();
  QFile config(m_dir.filePath(QStringLiteral("mistake.yaml")));
  QVERIFY(config.open(QIODevice::WriteOnly));
  config.write("mode: inspect\nmodel:\n  path: model\nsource_promt: a red circle\n");
  config.close();
  window.openPath(config.fileName());
  QTRY_VERIFY(window.configs()->issues()->errorCount() > 0);
  save(window, QStringLiteral("window-error-%1").arg(QLatin1String(QTest::currentDataTag())));
}

QTEST_MAIN(TestScreenshots)
#include "tst_screenshots.moc"
