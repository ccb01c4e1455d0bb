#include <QAbstractItemModelTester>
#include <QTest>

#include "models/attention_tree_model.h"
#include "models/facts_model.h"
#include "models/issues_model.h"
#include "models/log_model.h"
#include "synthetic_run.h"

using namespace attnscope::ui;

namespace {

// A model as indented text: one line a row, columns joined by " | ".
QStringList dump(const QAbstractItemModel& model, const QModelIndex& parent = {}, int depth = 0) {
  QStringList lines;
  for (int row = 0; row < model.rowCount(parent); ++row) {
    QStringList cells;
    for (int column = 0; column < model.columnCount(parent); ++column)
      cells << model.index(row, column, parent).data().toString();
    lines << QString(depth * 2, QLatin1Char(' ')) + cells.join(QStringLiteral(" | "));
    lines << dump(model, model.index(row, 0, parent), depth + 1);
  }
  return lines;
}

}  // namespace

class TestUiModels : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void treeGroupsByPlaceAndBlock();
  void treeShowsTransformerBlocksWhereThereAreSeveral();
  void treeFindsKeys();
  void treeTakesOddKeys();
  void treeResetsCleanly();
  void logMergesRepeats();
  void logForgetsTheOldest();
  void issuesAreWarningsAndErrors();
  void factsAreRows();
};

void TestUiModels::treeGroupsByPlaceAndBlock() {
  AttentionTreeModel model;
  QAbstractItemModelTester tester(&model);
  model.setLayers(synthetic::layers());
  const QStringList lines = dump(model);
  QCOMPARE(lines.mid(0, 5),
           (QStringList{QStringLiteral("down_blocks |  |  |  | "), QStringLiteral("  1.attentions.0 |  |  |  | "),
                        QStringLiteral("    attn1 | fused | 16² | 2 × 48 | 20"),
                        QStringLiteral("    attn2 | capture | 16² | 2 × 48 | 20"),
                        QStringLiteral("  2.attentions.0 |  |  |  | ")}));
  QCOMPARE(model.rowCount(), 3);
  QCOMPARE(model.layerCount(), 14);
  QCOMPARE(model.capturedCount(), 7);
  QVERIFY(lines.contains(QStringLiteral("mid_block |  |  |  | ")));
}

void TestUiModels::treeShowsTransformerBlocksWhereThereAreSeveral() {
  AttentionTreeModel model;
  QAbstractItemModelTester tester(&model);
  QList<LayerInfo> layers;
  for (int block = 0; block < 2; ++block)
    for (int n = 1; n <= 2; ++n) {
      LayerInfo layer;
      layer.key = QStringLiteral("down_blocks.1.attentions.0.transformer_blocks.%1.attn%2.processor").arg(block).arg(n);
      layer.height = 48;
      layer.width = 32;
      layers.append(layer);
    }
  model.setLayers(layers);
  const QStringList lines = dump(model);
  QCOMPARE(lines.size(), 8);
  QVERIFY(lines[2].startsWith(QStringLiteral("    transformer_blocks.0")));
  QVERIFY(lines[3].startsWith(QStringLiteral("      attn1 |  | 48×32")));
  QVERIFY(lines[5].startsWith(QStringLiteral("    transformer_blocks.1")));
}

void TestUiModels::treeFindsKeys() {
  AttentionTreeModel model;
  model.setLayers(synthetic::layers());
  for (const LayerInfo& layer : synthetic::layers()) {
    const QModelIndex index = model.indexOfKey(layer.key);
    QVERIFY2(index.isValid(), qPrintable(layer.key));
    QCOMPARE(index.data(AttentionTreeModel::KeyRole).toString(), layer.key);
    QCOMPARE(index.data(AttentionTreeModel::CapturedRole).toBool(), layer.captured);
  }
  QVERIFY(!model.indexOfKey(QStringLiteral("nowhere")).isValid());
}

void TestUiModels::treeTakesOddKeys() {
  AttentionTreeModel model;
  QAbstractItemModelTester tester(&model);
  LayerInfo bare, empty;
  bare.key = QStringLiteral("processor");
  model.setLayers({bare, empty, bare});
  QCOMPARE(model.rowCount(), 3);
  QCOMPARE(model.layerCount(), 3);
}

void TestUiModels::treeResetsCleanly() {
  AttentionTreeModel model;
  QAbstractItemModelTester tester(&model);
  model.setLayers(synthetic::layers());
  model.setLayers({});
  QCOMPARE(model.rowCount(), 0);
  model.setLayers(synthetic::layers());
  QCOMPARE(model.rowCount(), 3);
}

void TestUiModels::logMergesRepeats() {
  LogModel log;
  QAbstractItemModelTester tester(&log);
  log.add(Level::Warning, QStringLiteral("slow"));
  log.add(Level::Warning, QStringLiteral("slow"));
  log.add(Level::Info, QStringLiteral("slow"));
  QCOMPARE(log.rowCount(), 2);
  QVERIFY(log.index(0, LogModel::Message).data().toString().contains(QStringLiteral("2")));
  QCOMPARE(log.issueCount(), 1);
}

void TestUiModels::logForgetsTheOldest() {
  LogModel log;
  QAbstractItemModelTester tester(&log);
  log.add(Level::Error, QStringLiteral("first"));
  for (int i = 0; i < LogModel::kMaxEntries; ++i) log.add(Level::Info, QString::number(i));
  QCOMPARE(log.rowCount(), LogModel::kMaxEntries);
  QCOMPARE(log.errorCount(), 0);
  QCOMPARE(log.index(0, LogModel::Message).data().toString(), QStringLiteral("0"));
}

void TestUiModels::issuesAreWarningsAndErrors() {
  LogModel log;
  IssuesModel issues;
  QAbstractItemModelTester tester(&issues);
  issues.setSourceModel(&log);
  log.add(Level::Info, QStringLiteral("hello"));
  log.add(Failure{QStringLiteral("no such file"), QStringLiteral("a.yaml"), QStringLiteral("check the path")});
  log.add(Level::Warning, QStringLiteral("long prompt"));
  QCOMPARE(issues.rowCount(), 2);
  QCOMPARE(issues.index(0, LogModel::Where).data().toString(), QStringLiteral("a.yaml"));
  QVERIFY(issues.index(0, LogModel::Message).data().toString().contains(QStringLiteral("check the path")));
  log.clear();
  QCOMPARE(issues.rowCount(), 0);
  QCOMPARE(log.issueCount(), 0);
}

void TestUiModels::factsAreRows() {
  FactsModel facts;
  QAbstractItemModelTester tester(&facts);
  facts.setFacts({{QStringLiteral("seed"), QStringLiteral("7")}});
  QCOMPARE(facts.rowCount(), 1);
  QCOMPARE(facts.index(0, 1).data().toString(), QStringLiteral("7"));
}

QTEST_MAIN(TestUiModels)
#include "tst_ui_models.moc"
