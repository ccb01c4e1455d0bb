#include <QSignalSpy>
#include <QTest>

#include "documents/run_document.h"
#include "synthetic_run.h"

using namespace attnscope::ui;

namespace {
constexpr int kCircle = 3, kSquare = 7;  // chips: BOS comes first
}

class TestRunDocument : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void opensOnAWordWorthSeeing();
  void asksOnlyForWhatIsMissing();
  void dropsMapsOfAnotherRecipe();
  void layerAsksAgain();
  void frameStaysInside();
  void toggleKeepsOrder();
  void liveRunFillsIn();
  void finishedRunKeepsTheView();
  void anotherRunStartsAfresh();
  void runWithoutMapsAsksNothing();
};

void TestRunDocument::opensOnAWordWorthSeeing() {
  RunDocument document;
  document.setRun(synthetic::run());
  QCOMPARE(document.selectedWords(), QList<int>{kCircle});
  QCOMPARE(document.recipe(), QStringLiteral("daam"));
  RunData asked = synthetic::run();
  for (WordInfo& word : asked.words) word.wanted = word.text == QLatin1String("square");
  asked.path += QStringLiteral("-other");
  document.setRun(asked);
  QCOMPARE(document.selectedWords(), QList<int>{kSquare});
}

void TestRunDocument::asksOnlyForWhatIsMissing() {
  RunDocument document;
  QSignalSpy wanted(&document, &RunDocument::mapsWanted);
  document.setRun(synthetic::run());
  QCOMPARE(wanted.size(), 1);
  QVERIFY(document.missingMaps());
  QCOMPARE(document.missingMaps()->words, QList<int>{kCircle});
  QCOMPARE(document.missingMaps()->tokens, QList<QList<int>>{{3}});
  document.setMaps(synthetic::maps(document.run(), {kCircle}));
  QVERIFY(!document.missingMaps());
  document.selectWords({kCircle, kSquare});
  QCOMPARE(document.missingMaps()->words, QList<int>{kSquare});
}

void TestRunDocument::dropsMapsOfAnotherRecipe() {
  RunDocument document;
  document.setRun(synthetic::run());
  document.setRecipe(QStringLiteral("p2p16"));
  document.setMaps(synthetic::maps(document.run(), {kCircle}));  // made by daam
  QVERIFY(!document.maps(kCircle));
  QVERIFY(document.missingMaps());
  QCOMPARE(document.missingMaps()->recipe, QStringLiteral("p2p16"));
}

void TestRunDocument::layerAsksAgain() {
  RunDocument document;
  document.setRun(synthetic::run());
  document.setMaps(synthetic::maps(document.run(), {kCircle}));
  const QString key = document.run().layers[1].key;
  document.setLayer(key);
  QVERIFY(document.missingMaps());
  QCOMPARE(document.missingMaps()->layer, key);
}

void TestRunDocument::frameStaysInside() {
  RunDocument document;
  document.setFrame(5);
  QCOMPARE(document.frame(), 0);
  document.setRun(synthetic::run(4));
  document.setFrame(99);
  QCOMPARE(document.frame(), 3);
  document.setFrame(-2);
  QCOMPARE(document.frame(), 0);
}

void TestRunDocument::toggleKeepsOrder() {
  RunDocument document;
  document.setRun(synthetic::run());
  document.toggleWord(kSquare);
  QCOMPARE(document.selectedWords(), (QList<int>{kCircle, kSquare}));
  document.toggleWord(kCircle);
  QCOMPARE(document.selectedWords(), QList<int>{kSquare});
  document.selectWords({-1, 400, kCircle, kCircle});
  QCOMPARE(document.selectedWords(), QList<int>{kCircle});
}

void TestRunDocument::liveRunFillsIn() {
  RunDocument document;
  document.setPreviews({{1, 0, synthetic::frame(0, 2)}});  // not live: dropped
  QCOMPARE(document.run().frameCount(), 0);
  document.beginLive(QStringLiteral("a circle"));
  QVERIFY(document.isLive());
  document.setPreviews({{1, 1, synthetic::frame(1, 2)}});
  QCOMPARE(document.run().frameCount(), 2);
  WordMaps maps;
  maps.text = QStringLiteral("circle");
  maps.frames = {synthetic::map(maps.text, 8, 0, 2), synthetic::map(maps.text, 8, 1, 2)};
  document.setLiveMaps({maps});
  QCOMPARE(document.run().words.size(), 1);
  QCOMPARE(document.selectedWords(), QList<int>{0});
  QVERIFY(document.maps(0));
  document.setLiveMaps({maps});
  QCOMPARE(document.run().words.size(), 1);
  document.endLive();
  QVERIFY(!document.isLive());
}

void TestRunDocument::finishedRunKeepsTheView() {
  RunDocument document;
  document.beginLive(QStringLiteral("a square"));
  for (int i = 0; i < 16; ++i) document.setPreviews({{1, i, synthetic::frame(i, 16)}});
  WordMaps maps;
  maps.text = QStringLiteral("square");
  maps.frames = {synthetic::map(maps.text, 8, 0, 1)};
  document.setLiveMaps({maps});
  document.setFrame(9);
  document.setRun(synthetic::run());
  QCOMPARE(document.frame(), 9);
  QCOMPARE(document.selectedWords(), QList<int>{kSquare});
}

void TestRunDocument::anotherRunStartsAfresh() {
  RunDocument document;
  document.setRun(synthetic::run());
  document.setFrame(9);
  document.selectWords({kSquare});
  RunData other = synthetic::run(4);
  other.path = QStringLiteral("/synthetic/other");
  document.setRun(other);
  QCOMPARE(document.frame(), 0);
  QCOMPARE(document.selectedWords(), QList<int>{kCircle});
}

void TestRunDocument::runWithoutMapsAsksNothing() {
  RunDocument document;
  QSignalSpy wanted(&document, &RunDocument::mapsWanted);
  RunData run = synthetic::run();
  run.hasMaps = false;
  document.setRun(run);
  QVERIFY(!document.missingMaps());
  QCOMPARE(wanted.size(), 0);
}

QTEST_MAIN(TestRunDocument)
#include "tst_run_document.moc"
