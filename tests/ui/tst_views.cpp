#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSlider>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

#include "models/attention_tree_model.h"
#include "synthetic_run.h"
#include "views/attention_tree_view.h"
#include "views/inspector.h"
#include "views/message_bar.h"
#include "views/run_panel.h"
#include "views/run_status.h"
#include "views/thumbnail_strip.h"
#include "views/timeline.h"
#include "views/word_strip.h"
#include "worker/open_config.h"

using namespace attnscope::ui;

class TestViews : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void wordsByMouse();
  void wordsByKeyboard();
  void manyWordsWrapAndScroll();
  void timelineAsksForFrames();
  void timelinePlays();
  void timelineStopsAtTheEndWithoutLoop();
  void thumbnailsScrub();
  void inspectorReportsItsStyle();
  void treeFilterFindsAndShows();
  void treeSaysWhichLayerWasChosen();
  void treeFitsANarrowPanel();
  void messageErrorsStay();
  void messageCountsRepeats();
  void progressReads();
  void panelNeedsWhatItNeeds();
  void panelMakesOverridesOfWhatChanged();
  void videoConfigIsQuoted();
};

void TestViews::wordsByMouse() {
  WordStrip strip;
  strip.resize(600, 60);
  strip.setWords(synthetic::run().words);
  strip.setSelected({3});
  strip.show();
  QSignalSpy chosen(&strip, &WordStrip::wordChosen), toggled(&strip, &WordStrip::wordToggled);
  QVERIFY(strip.chips()[3]->isChecked());
  QTest::mouseClick(strip.chips()[7], Qt::LeftButton);
  QCOMPARE(chosen.size(), 1);
  QCOMPARE(chosen[0][0].toInt(), 7);
  QVERIFY(!strip.chips()[7]->isChecked());  // the document decides
}

void TestViews::wordsByKeyboard() {
  WordStrip strip;
  strip.resize(600, 60);
  strip.setWords(synthetic::run().words);
  strip.setSelected({3});
  strip.show();
  QVERIFY(QTest::qWaitForWindowActive(&strip));
  strip.chips()[3]->setFocus();
  QSignalSpy chosen(&strip, &WordStrip::wordChosen), toggled(&strip, &WordStrip::wordToggled);
  QTest::keyClick(strip.chips()[3], Qt::Key_Right);
  QVERIFY(strip.chips()[4]->hasFocus());
  QTest::keyClick(strip.chips()[4], Qt::Key_Space);
  QCOMPARE(chosen.value(0).value(0).toInt(), 4);
  QTest::keyClick(strip.chips()[4], Qt::Key_End);
  QVERIFY(strip.chips().last()->hasFocus());
  QTest::keyClick(strip.chips().last(), Qt::Key_Space, Qt::ControlModifier);
  QCOMPARE(toggled.value(0).value(0).toInt(), int(strip.chips().size()) - 1);
  int stops = 0;  // Tab stops once
  for (WordChip* chip : strip.chips()) stops += (chip->focusPolicy() & Qt::TabFocus) != 0;
  QCOMPARE(stops, 1);
}

void TestViews::manyWordsWrapAndScroll() {
  QList<WordInfo> words;
  for (int i = 0; i < 77; ++i) words.append({QStringLiteral("word%1").arg(i), {i}, false, false});
  WordStrip strip;
  strip.resize(300, 40);
  strip.show();
  strip.setWords(words);
  QVERIFY(strip.height() > 40);
  QVERIFY(strip.height() < 160);
}

void TestViews::timelineAsksForFrames() {
  Timeline timeline;
  timeline.setFrameCount(10);
  timeline.setFrame(4);
  QSignalSpy asked(&timeline, &Timeline::frameRequested);
  timeline.step(1);
  QCOMPARE(asked.last()[0].toInt(), 5);
  timeline.step(-100);
  QCOMPARE(asked.last()[0].toInt(), 0);
  timeline.findChild<QToolButton*>(QStringLiteral("lastFrame"))->click();
  QCOMPARE(asked.last()[0].toInt(), 9);
  timeline.findChild<QSlider*>(QStringLiteral("frameSlider"))->setValue(2);
  QCOMPARE(asked.last()[0].toInt(), 2);
  QCOMPARE(timeline.findChild<QLabel*>(QStringLiteral("framePosition"))->text(), QStringLiteral("5 / 10"));
}

void TestViews::timelinePlays() {
  Timeline timeline;
  timeline.setFrameCount(3);
  timeline.setFps(50);
  connect(&timeline, &Timeline::frameRequested, &timeline, &Timeline::setFrame);
  QSignalSpy asked(&timeline, &Timeline::frameRequested);
  timeline.togglePlaying();
  QVERIFY(timeline.isPlaying());
  QTRY_VERIFY(asked.size() > 4);  // round and round
  timeline.setFrameCount(1);
  QVERIFY(!timeline.isPlaying());
}

void TestViews::timelineStopsAtTheEndWithoutLoop() {
  Timeline timeline;
  timeline.setFrameCount(3);
  timeline.setFps(50);
  timeline.findChild<QCheckBox*>(QStringLiteral("loop"))->setChecked(false);
  connect(&timeline, &Timeline::frameRequested, &timeline, &Timeline::setFrame);
  timeline.setPlaying(true);
  QTRY_VERIFY(!timeline.isPlaying());
  QCOMPARE(timeline.findChild<QLabel*>(QStringLiteral("framePosition"))->text(), QStringLiteral("3 / 3"));
}

void TestViews::thumbnailsScrub() {
  ThumbnailStrip strip;
  strip.resize(400, strip.sizeHint().height());
  strip.setThumbnails(synthetic::run(100).sourceFrames);
  QSignalSpy chosen(&strip, &ThumbnailStrip::frameChosen);
  QTest::mouseClick(&strip, Qt::LeftButton, {}, QPoint(399, 10));
  QCOMPARE(chosen.value(0).value(0).toInt(), 99);
  QTest::mouseClick(&strip, Qt::LeftButton, {}, QPoint(0, 10));
  QCOMPARE(chosen.value(1).value(0).toInt(), 0);
  strip.setThumbnails({});
  QCOMPARE(strip.frameAt({10, 10}), -1);
}

void TestViews::inspectorReportsItsStyle() {
  Inspector inspector;
  HeatStyle style;
  style.colorMap = QStringLiteral("turbo");
  style.opacity = 0.35;
  style.range = RangeMode::Frame;
  style.smooth = false;
  inspector.setHeatStyle(style);
  QCOMPARE(inspector.heatStyle(), style);
  HeatStyle seen;
  connect(&inspector, &Inspector::heatStyleChanged, this, [&](const HeatStyle& s) { seen = s; });
  inspector.findChild<QSlider*>(QStringLiteral("opacity"))->setValue(90);
  QCOMPARE(seen.opacity, 0.9);
  inspector.setRecipes(synthetic::run().recipes, QStringLiteral("p2p16"));
  QCOMPARE(inspector.findChild<QComboBox*>(QStringLiteral("recipe"))->currentText(), QStringLiteral("p2p16"));
}

void TestViews::treeFilterFindsAndShows() {
  AttentionTreeModel model;
  model.setLayers(synthetic::layers());
  AttentionTreeView view(&model);
  view.show();
  auto* filter = view.findChild<QLineEdit*>(QStringLiteral("layerFilter"));
  auto* hits = view.findChild<QLabel*>(QStringLiteral("layerHits"));
  QTest::keyClicks(filter, QStringLiteral("up attn2 16²"));
  QTRY_COMPARE(hits->text(), QStringLiteral("2 of 14"));
  const QAbstractItemModel* shown = view.tree()->model();
  QCOMPARE(shown->rowCount(), 1);
  const QModelIndex place = shown->index(0, 0);
  QCOMPARE(place.data().toString(), QStringLiteral("up_blocks"));
  QVERIFY(view.tree()->isExpanded(place));
  filter->clear();
  QTRY_COMPARE(shown->rowCount(), 3);
  QVERIFY(hits->text().isEmpty());
}

void TestViews::treeSaysWhichLayerWasChosen() {
  AttentionTreeModel model;
  model.setLayers(synthetic::layers());
  AttentionTreeView view(&model);
  QSignalSpy chosen(&view, &AttentionTreeView::layerChosen);
  const QString captured = synthetic::layers()[1].key, plain = synthetic::layers()[0].key;
  view.showLayer(captured);  // told, not asked
  QCOMPARE(chosen.size(), 0);
  QTest::keyClick(view.tree(), Qt::Key_Up);
  QCOMPARE(chosen.size(), 0);  // attn1 has no maps
  QTest::keyClick(view.tree(), Qt::Key_Down);
  QCOMPARE(chosen.size(), 1);
  QCOMPARE(chosen[0][0].toString(), captured);
}

void TestViews::treeFitsANarrowPanel() {
  AttentionTreeModel model;
  model.setLayers(synthetic::layers());
  AttentionTreeView view(&model);
  const int em = view.fontMetrics().averageCharWidth();
  view.resize(em * 80, 600);
  view.show();
  QVERIFY(!view.tree()->isColumnHidden(AttentionTreeModel::Calls));
  view.resize(em * 38, 200);
  QVERIFY(view.tree()->isColumnHidden(AttentionTreeModel::Calls));
  QCOMPARE(view.tree()->horizontalScrollBar()->maximum(), 0);
  view.resize(em * 80, 600);
  QVERIFY(!view.tree()->isColumnHidden(AttentionTreeModel::Calls));
}

void TestViews::messageErrorsStay() {
  MessageBar bar;
  bar.showFailure({QStringLiteral("no such file"), QStringLiteral("a.yaml:3"), QStringLiteral("check the path")});
  QVERIFY(bar.isVisibleTo(nullptr));
  QCOMPARE(bar.text(), QStringLiteral("no such file"));
  bar.showMessage(Level::Info, QStringLiteral("opened"));
  QCOMPARE(bar.text(), QStringLiteral("no such file"));
  QVERIFY(bar.accessibleDescription().contains(QStringLiteral("check the path")));
  bar.findChild<QToolButton*>(QStringLiteral("messageClose"))->click();
  QVERIFY(bar.isHidden());
}

void TestViews::messageCountsRepeats() {
  MessageBar bar;
  for (int i = 0; i < 3; ++i) bar.showMessage(Level::Error, QStringLiteral("disk full"));
  QCOMPARE(bar.findChild<QLabel*>(QStringLiteral("messageText"))->text(), QStringLiteral("disk full (3 times)"));
}

void TestViews::progressReads() {
  QCOMPARE(progressText({QStringLiteral("denoise"), 18, 30, 2.62, 4.6}),
           QStringLiteral("denoise 18/30 · 2.6 it/s · 5 s left"));
  QCOMPARE(progressText({QStringLiteral("load model"), 0, 0, 0, -1}), QStringLiteral("load model"));
  QCOMPARE(progressText({QStringLiteral("denoise"), 1, 50, 0.1, 490}),
           QStringLiteral("denoise 1/50 · 0.1 it/s · 8 min 10 s left"));
  QCOMPARE(progressText({QStringLiteral("denoise"), 30, 30, 2.6, 0}), QStringLiteral("denoise 30/30 · 2.6 it/s"));
}

void TestViews::panelNeedsWhatItNeeds() {
  RunPanel panel;
  QVERIFY(!panel.canRun());
  VideoOffer video;
  video.path = QStringLiteral("/videos/a.mp4");
  video.configPath = QStringLiteral("/data/a.yaml");
  video.outputBase = QStringLiteral("/out/a");
  panel.showVideo(video);
  QVERIFY(!panel.canRun());  // no model, no prompt
  panel.findChild<QLineEdit*>(QStringLiteral("modelPath"))->setText(QStringLiteral("/model"));
  QVERIFY(!panel.canRun());
  QVERIFY(!panel.missing().isEmpty());
  QSignalSpy run(&panel, &RunPanel::runRequested);
  panel.findChild<QLineEdit*>(QStringLiteral("sourcePrompt"))->setText(QStringLiteral("a red circle"));
  QVERIFY(panel.canRun());
  panel.findChild<QPushButton*>(QStringLiteral("runButton"))->click();
  QCOMPARE(run.size(), 1);
  panel.setBusy(true);
  QVERIFY(!panel.findChild<QPushButton*>(QStringLiteral("runButton"))->isEnabled());
  const RunJob job = panel.job();
  QCOMPARE(job.configPath, QStringLiteral("/data/a.yaml"));
  QCOMPARE(job.videoPath, QStringLiteral("/videos/a.mp4"));
  QCOMPARE(job.sourcePrompt, QStringLiteral("a red circle"));
}

void TestViews::panelMakesOverridesOfWhatChanged() {
  RunPanel panel;
  ConfigSummary config;
  config.path = QStringLiteral("/c/demo.yaml");
  config.mode = QStringLiteral("edit");
  config.prompt = QStringLiteral("a star");
  config.sourcePrompt = QStringLiteral("a circle");
  config.modelPath = QStringLiteral("/model");
  config.outputBase = QStringLiteral("/out/demo");
  panel.showConfig(config);
  QVERIFY(panel.canRun());
  QVERIFY(panel.job().overrides.isEmpty());
  panel.findChild<QLineEdit*>(QStringLiteral("prompt"))->setText(QStringLiteral("a \"blue\": star"));
  QCOMPARE(panel.job().overrides, QStringList{QStringLiteral("prompt=\"a \\\"blue\\\": star\"")});
  QCOMPARE(panel.prompt(), QStringLiteral("a \"blue\": star"));
}

void TestViews::videoConfigIsQuoted() {
  RunJob job;
  job.videoPath = QStringLiteral("/a b/: #x.png");
  job.modelPath = QStringLiteral("/m");
  job.sourcePrompt = QStringLiteral("two\nlines");
  const QString text = videoConfigText(job);
  QVERIFY(text.contains(QStringLiteral("image: \"/a b/: #x.png\"")));
  QVERIFY(text.contains(QStringLiteral("source_prompt: \"two\\nlines\"")));
  QVERIFY(!text.contains(QStringLiteral("height")));  // a model that does not say its size
}

QTEST_MAIN(TestViews)
#include "tst_views.moc"
