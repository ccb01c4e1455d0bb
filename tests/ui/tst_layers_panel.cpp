#include <QAbstractItemModelTester>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

#include "documents/config_document.h"
#include "models/conflicts_model.h"
#include "models/layers_model.h"
#include "views/layers_panel.h"
#include "views/theme.h"

using namespace attnscope;
using namespace attnscope::ui;

class TestLayersPanel : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase();
  void init();
  void cleanup();
  void aloneItSaysWhatLayersAreFor();
  void filesAreAdded();
  void overridesAreAddedEditedAndRemoved();
  void brokenOverrideShowsItsCaret();
  void switchesOff();
  void reordersByKey();
  void reordersByDrag();
  void basesStayBelowTheDocument();
  void conflictsSayWhoGivesWhat();
  void enterGoesToTheSource();
  void missingFileIsSaid();
  void modelsAreSound();
  void manyConflictsDoNotStopTheWindow();
  void everyControlIsNamed();
  void pictures_data();
  void pictures();

 private:
  QString write(const char* name, const QByteArray& bytes);
  void open(const QByteArray& bytes);
  QStringList rows() const;  // names of the layers
  QStringList conflicts() const;
  QModelIndex layer(int row) const { return m_panel->layersView()->model()->index(row, 0); }
  void addOverride(const QString& text);
  void addFile(const QString& path);
  QString shown(const char* key) const;
  void settle();

  std::unique_ptr<QTemporaryDir> m_dir;
  std::unique_ptr<ConfigDocument> m_document;
  std::unique_ptr<LayersPanel> m_panel;
};

void TestLayersPanel::initTestCase() {
  QStandardPaths::setTestModeEnabled(true);
  theme::apply(theme::Kind::Light);
  QDir().mkpath(QStringLiteral(ATTNSCOPE_BINARY_DIR "/screenshots"));
}

void TestLayersPanel::init() { m_dir = std::make_unique<QTemporaryDir>(); }

void TestLayersPanel::cleanup() {
  m_panel.reset();
  m_document.reset();
}

QString TestLayersPanel::write(const char* name, const QByteArray& bytes) {
  QFile file(m_dir->filePath(QLatin1String(name)));
  if (!file.open(QIODevice::WriteOnly)) qFatal("cannot write %s", name);
  file.write(bytes);
  return file.fileName();
}

void TestLayersPanel::open(const QByteArray& bytes) {
  const QString path = write("a.yaml", bytes);
  m_document = std::make_unique<ConfigDocument>();
  m_panel = std::make_unique<LayersPanel>(m_document.get());
  m_panel->resize(560, 520);
  m_panel->show();
  QVERIFY(QTest::qWaitForWindowActive(m_panel.get()));
  QSignalSpy opened(m_document.get(), &ConfigDocument::opened);
  m_document->open(path);
  QTRY_COMPARE(opened.size(), 1);
  settle();
}

void TestLayersPanel::settle() {
  QSignalSpy finished(m_panel->findChild<ConflictsModel*>(), &ConflictsModel::finished);
  QTRY_VERIFY(!m_document->isBusy());
  finished.wait(400);
}

QStringList TestLayersPanel::rows() const {
  QStringList names;
  for (int row = 0; row < m_panel->layersView()->model()->rowCount(); ++row) names << layer(row).data().toString();
  return names;
}

QStringList TestLayersPanel::conflicts() const {
  QStringList lines;
  const QAbstractItemModel* model = m_panel->conflictsView()->model();
  for (int row = 0; row < model->rowCount(); ++row)
    lines << model->index(row, 0).data().toString().trimmed() + u' ' + model->index(row, 1).data().toString() + u' ' +
                 model->index(row, 2).data().toString();
  return lines;
}

QString TestLayersPanel::shown(const char* key) const {
  const ConfigNode* node = m_document->snapshot().shown->select(key);
  return node ? QString::fromStdString(node->text()) : QString();
}

void TestLayersPanel::addOverride(const QString& text) {
  auto* edit = m_panel->findChild<QLineEdit*>(QStringLiteral("newOverride"));
  QTest::keyClicks(edit, text);
  QTest::keyClick(edit, Qt::Key_Return);
  settle();
}

void TestLayersPanel::addFile(const QString& path) {
  QTest::mouseClick(m_panel->findChild<QToolButton*>(QStringLiteral("addLayerFile")), Qt::LeftButton);
  auto* dialog = m_panel->findChild<QFileDialog*>(QStringLiteral("addLayerDialog"));
  QVERIFY(dialog && dialog->isVisible());
  auto* name = dialog->findChild<QLineEdit*>();
  name->setText(path);
  QTest::keyClick(name, Qt::Key_Return);
  QTRY_VERIFY(!m_panel->findChild<QFileDialog*>(QStringLiteral("addLayerDialog")));
  settle();
}

void TestLayersPanel::aloneItSaysWhatLayersAreFor() {
  open("seed: 1\n");
  QCOMPARE(rows(), QStringList{QStringLiteral("a.yaml")});
  auto* help = m_panel->findChild<QLabel*>(QStringLiteral("layersHelp"));
  QVERIFY(help->isVisible());
  QVERIFY(!m_panel->conflictsView()->isVisible());
  addOverride(QStringLiteral("seed=2"));
  QVERIFY(!help->isVisible());
}

void TestLayersPanel::filesAreAdded() {
  open("seed: 1\nname: x\n");
  addOverride(QStringLiteral("name=z"));
  addFile(write("b.yaml", "seed: 2\n"));
  QCOMPARE(rows(), (QStringList{QStringLiteral("a.yaml"), QStringLiteral("b.yaml"), QStringLiteral("Overrides")}));
  QCOMPARE(m_document->undoStack()->count(), 2);
  QCOMPARE(m_document->undoStack()->undoText(), QStringLiteral("Add layer b.yaml"));
  QCOMPARE(shown("seed"), QStringLiteral("2"));
  QCOMPARE(shown("name"), QStringLiteral("z"));
  QCOMPARE(m_document->bytes(), QByteArray("seed: 1\nname: x\n"));
  m_document->undoStack()->undo();
  settle();
  QCOMPARE(rows(), (QStringList{QStringLiteral("a.yaml"), QStringLiteral("Overrides")}));
  QCOMPARE(shown("seed"), QStringLiteral("1"));
}

void TestLayersPanel::overridesAreAddedEditedAndRemoved() {
  open("seed: 1\nname: x\n");
  addOverride(QStringLiteral("seed=2"));
  addOverride(QStringLiteral("name=y"));
  QTreeView* tree = m_panel->layersView();
  QCOMPARE(rows().size(), 2);
  QCOMPARE(tree->model()->rowCount(layer(1)), 2);  // one layer of overrides
  QVERIFY(tree->isExpanded(layer(1)));
  QCOMPARE(tree->currentIndex().data(Qt::EditRole).toString(), QStringLiteral("name=y"));
  tree->setFocus();
  QTest::keyClick(tree, Qt::Key_F2);
  auto* edit = tree->viewport()->findChild<QLineEdit*>();
  QVERIFY(edit);
  QTest::keyClicks(edit, QStringLiteral("name=w"));
  QTest::keyClick(edit, Qt::Key_Return);
  settle();
  QCOMPARE(shown("name"), QStringLiteral("w"));
  QCOMPARE(m_document->undoStack()->undoText(), QStringLiteral("Edit override name=w"));
  QTest::keyClick(tree, Qt::Key_Delete);
  settle();
  QCOMPARE(shown("name"), QStringLiteral("x"));
  QTest::keyClick(tree, Qt::Key_Delete);
  settle();
  QCOMPARE(rows().size(), 1);  // the layer goes with its last text
  QCOMPARE(shown("seed"), QStringLiteral("1"));
  QCOMPARE(m_document->undoStack()->count(), 5);
  while (m_document->undoStack()->canUndo()) m_document->undoStack()->undo();
  QCOMPARE(rows().size(), 1);
}

void TestLayersPanel::brokenOverrideShowsItsCaret() {
  open("items: [1]\n");
  addOverride(QStringLiteral("items[x]=2"));
  const QModelIndex text = layer(1).model()->index(0, 0, layer(1));
  const QStringList lines = text.data().toString().split(u'\n');
  QCOMPARE(lines.size(), 2);
  QCOMPARE(lines[0], QStringLiteral("items[x]=2"));
  QCOMPARE(lines[1].indexOf(u'^'), lines[0].indexOf(u'x'));
  QVERIFY(lines[1].contains(QStringLiteral("a list item needs a number")));
  auto* summary = m_panel->findChild<QLabel*>(QStringLiteral("conflictsSummary"));
  QTRY_VERIFY(summary->text().contains(QStringLiteral("cannot be merged")));
  QTreeView* tree = m_panel->layersView();
  QVERIFY(tree->visualRect(text).height() >= 2 * tree->fontMetrics().height());
  tree->setFocus();
  tree->setCurrentIndex(text);
  QTest::keyClick(tree, Qt::Key_F2);
  auto* edit = tree->viewport()->findChild<QLineEdit*>();
  QVERIFY(edit);
  QCOMPARE(edit->text(), QStringLiteral("items[x]=2"));  // without the message
  edit->setText(QStringLiteral("items[0]=2"));
  QTest::keyClick(edit, Qt::Key_Return);
  settle();
  QCOMPARE(layer(1).model()->index(0, 0, layer(1)).data().toString(), QStringLiteral("items[0]=2"));
  QCOMPARE(shown("items[0]"), QStringLiteral("2"));
  QTRY_VERIFY(!summary->text().contains(QStringLiteral("cannot be merged")));
}

void TestLayersPanel::switchesOff() {
  open("seed: 1\n");
  addOverride(QStringLiteral("seed=2"));
  QTreeView* tree = m_panel->layersView();
  tree->setFocus();
  tree->setCurrentIndex(layer(1));
  QTest::keyClick(tree, Qt::Key_Space);
  settle();
  QCOMPARE(layer(1).data(Qt::CheckStateRole).toInt(), int(Qt::Unchecked));
  QCOMPARE(shown("seed"), QStringLiteral("1"));
  QCOMPARE(m_document->undoStack()->undoText(), QStringLiteral("Switch off layer Overrides"));
  m_document->undoStack()->undo();
  settle();
  QCOMPARE(shown("seed"), QStringLiteral("2"));
}

void TestLayersPanel::reordersByKey() {
  open("seed: 1\n");
  addFile(write("b.yaml", "seed: 2\n"));
  addFile(write("c.yaml", "seed: 3\n"));
  QCOMPARE(shown("seed"), QStringLiteral("3"));
  QTreeView* tree = m_panel->layersView();
  tree->setFocus();
  QCOMPARE(tree->currentIndex(), layer(2));
  QTest::keyClick(tree, Qt::Key_Up, Qt::AltModifier);
  settle();
  QCOMPARE(rows(), (QStringList{QStringLiteral("a.yaml"), QStringLiteral("c.yaml"), QStringLiteral("b.yaml")}));
  QCOMPARE(shown("seed"), QStringLiteral("2"));
  QCOMPARE(tree->currentIndex(), layer(1));
  QTest::keyClick(tree, Qt::Key_Up, Qt::AltModifier);
  QCOMPARE(rows().first(), QStringLiteral("c.yaml"));  // below the document
  QVERIFY(!m_panel->findChild<QToolButton*>(QStringLiteral("layerUp"))->isEnabled());
  const int steps = m_document->undoStack()->count();
  QTest::keyClick(tree, Qt::Key_Up, Qt::AltModifier);
  QCOMPARE(m_document->undoStack()->count(), steps);
  QTest::mouseClick(m_panel->findChild<QToolButton*>(QStringLiteral("layerDown")), Qt::LeftButton);
  QCOMPARE(rows().first(), QStringLiteral("a.yaml"));
}

void TestLayersPanel::reordersByDrag() {
  open("seed: 1\n");
  addFile(write("b.yaml", "seed: 2\n"));
  addFile(write("c.yaml", "seed: 3\n"));
  QTreeView* tree = m_panel->layersView();
  std::unique_ptr<QMimeData> data(tree->model()->mimeData({layer(2)}));
  QVERIFY(tree->model()->canDropMimeData(data.get(), Qt::MoveAction, 1, 0, {}));
  QVERIFY(tree->model()->dropMimeData(data.get(), Qt::MoveAction, 1, 0, {}));
  QCOMPARE(rows(), (QStringList{QStringLiteral("a.yaml"), QStringLiteral("c.yaml"), QStringLiteral("b.yaml")}));
  QCOMPARE(m_document->undoStack()->undoText(), QStringLiteral("Move layer c.yaml"));
  QVERIFY(!tree->model()->canDropMimeData(data.get(), Qt::MoveAction, 0, 0, layer(0)));  // not into a layer
  QVERIFY(tree->model()->flags(layer(1)) & Qt::ItemIsDragEnabled);
  QVERIFY(tree->dragEnabled() && tree->acceptDrops());
}

void TestLayersPanel::basesStayBelowTheDocument() {
  write("base.yaml", "seed: 0\nname: base\n");
  open("_base_: base.yaml\nseed: 1\n");
  addFile(write("b.yaml", "seed: 2\n"));
  QCOMPARE(rows(), (QStringList{QStringLiteral("base.yaml"), QStringLiteral("a.yaml"), QStringLiteral("b.yaml")}));
  QAbstractItemModel* model = m_panel->layersView()->model();
  QVERIFY(!(model->flags(layer(0)) & Qt::ItemIsDragEnabled));
  std::unique_ptr<QMimeData> file(model->mimeData({layer(2)}));
  QVERIFY(!model->canDropMimeData(file.get(), Qt::MoveAction, 1, 0, {}));  // between the two
  QVERIFY(model->canDropMimeData(file.get(), Qt::MoveAction, 0, 0, {}));
  QTreeView* tree = m_panel->layersView();
  tree->setFocus();
  tree->setCurrentIndex(layer(1));
  QTest::keyClick(tree, Qt::Key_Down, Qt::AltModifier);
  settle();
  QCOMPARE(rows(), (QStringList{QStringLiteral("b.yaml"), QStringLiteral("base.yaml"), QStringLiteral("a.yaml")}));
  QCOMPARE(tree->currentIndex(), layer(2));
  QCOMPARE(shown("seed"), QStringLiteral("1"));
  tree->setCurrentIndex(layer(1));
  QVERIFY(!m_panel->findChild<QToolButton*>(QStringLiteral("layerRemove"))->isEnabled());
  QTest::keyClick(tree, Qt::Key_Space);
  settle();
  QCOMPARE(shown("name"), QString());
}

void TestLayersPanel::conflictsSayWhoGivesWhat() {
  open("seed: 1\nmodel:\n  path: m\n  dtype: float32\nwords: [a, b]\n");
  addFile(write("b.yaml", "model:\n  dtype: bfloat16\nwords: [c]\nother: 1\n"));
  addOverride(QStringLiteral("seed=3"));
  QCOMPARE(conflicts(),
           (QStringList{QStringLiteral("seed 3 override"), QStringLiteral("hides 1 a.yaml:1"),
                        QStringLiteral("model.dtype bfloat16 b.yaml:2"), QStringLiteral("hides float32 a.yaml:4"),
                        QStringLiteral("words [c] b.yaml:3"), QStringLiteral("hides [a, b] a.yaml:5")}));
  QVERIFY(m_panel->findChild<QLabel*>(QStringLiteral("conflictsSummary"))->text().startsWith(QLatin1Char('3')));
  m_panel->layersView()->setCurrentIndex(layer(1));
  m_panel->layersView()->setFocus();
  QTest::keyClick(m_panel->layersView(), Qt::Key_Space);
  settle();
  QCOMPARE(conflicts(), (QStringList{QStringLiteral("seed 3 override"), QStringLiteral("hides 1 a.yaml:1")}));
}

void TestLayersPanel::enterGoesToTheSource() {
  open("seed: 1\n");
  addFile(write("b.yaml", "# two\nseed: 2\n"));
  QSignalSpy asked(m_panel.get(), &LayersPanel::sourceRequested);
  QTableView* table = m_panel->conflictsView();
  table->setFocus();
  table->setCurrentIndex(table->model()->index(0, 0));
  QTest::keyClick(table, Qt::Key_Return);
  QCOMPARE(asked.size(), 1);
  QCOMPARE(asked[0][0].toString(), m_dir->filePath(QStringLiteral("b.yaml")));
  QCOMPARE(asked[0][1].toInt(), 2);
  const QRect hidden = table->visualRect(table->model()->index(1, 1));
  QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, hidden.center());
  QTest::mouseDClick(table->viewport(), Qt::LeftButton, {}, hidden.center());
  QCOMPARE(asked.size(), 2);
  QCOMPARE(asked[1][0].toString(), m_dir->filePath(QStringLiteral("a.yaml")));
  QCOMPARE(asked[1][1].toInt(), 1);
  addOverride(QStringLiteral("seed=3"));
  table->setFocus();
  table->setCurrentIndex(table->model()->index(0, 0));
  QTest::keyClick(table, Qt::Key_Return);
  QCOMPARE(asked.size(), 2);  // an override has no file: it is selected
  QCOMPARE(m_panel->layersView()->currentIndex(), layer(2));
}

void TestLayersPanel::missingFileIsSaid() {
  open("seed: 1\n");
  const QString gone = m_dir->filePath(QStringLiteral("gone.yaml"));
  QList<LayerSpec> layers = m_document->layers();
  layers.append({LayerSpec::Kind::File, gone, {}, true});
  m_document->setLayers(QStringLiteral("Add"), layers);
  settle();
  QVERIFY(!layer(1).data(LayersModel::ErrorRole).toString().isEmpty());
  QCOMPARE(layer(1).siblingAtColumn(LayersModel::What).data(), layer(1).data(LayersModel::ErrorRole));
}

void TestLayersPanel::modelsAreSound() {
  open("seed: 1\nname: x\n");
  const QAbstractItemModelTester layers(m_panel->layersView()->model());
  const QAbstractItemModelTester conflictRows(m_panel->conflictsView()->model());
  addOverride(QStringLiteral("seed=2"));
  addOverride(QStringLiteral("name=y"));
  addFile(write("b.yaml", "seed: 3\n"));
  m_panel->layersView()->setCurrentIndex(layer(1));
  m_panel->layersView()->setFocus();
  QTest::keyClick(m_panel->layersView(), Qt::Key_Down, Qt::AltModifier);
  settle();
  QTest::keyClick(m_panel->layersView(), Qt::Key_Space);
  settle();
  QTest::keyClick(m_panel->layersView(), Qt::Key_Delete);
  settle();
  while (m_document->undoStack()->canUndo()) m_document->undoStack()->undo();
  settle();
  QCOMPARE(conflicts().size(), 0);
}

void TestLayersPanel::manyConflictsDoNotStopTheWindow() {
  QByteArray one, other;
  for (int i = 0; i < 10000; ++i) {
    one += "key" + QByteArray::number(i) + ": 1\n";
    other += "key" + QByteArray::number(i) + ": 2\n";
  }
  open(one);
  QList<LayerSpec> layers = m_document->layers();
  layers.append({LayerSpec::Kind::File, write("b.yaml", other), {}, true});
  qint64 longest = 0;
  QElapsedTimer clock;
  QTimer heart;
  connect(&heart, &QTimer::timeout, this, [&] { longest = std::max(longest, clock.restart()); });
  clock.start();
  heart.start(5);
  m_document->setLayers(QStringLiteral("Add"), layers);
  QTRY_COMPARE_WITH_TIMEOUT(m_panel->conflictsView()->model()->rowCount(), 20000, 20000);
  qInfo("longest pause %lld ms", longest);
  QVERIFY2(longest < 100, qPrintable(QString::number(longest)));
}

void TestLayersPanel::everyControlIsNamed() {
  open("seed: 1\n");
  for (QWidget* widget : m_panel->findChildren<QWidget*>()) {
    if (widget->focusPolicy() == Qt::NoFocus || widget->objectName().startsWith(QLatin1String("qt_"))) continue;
    if (widget->parent()->inherits("QLineEdit") || widget->inherits("QTableCornerButton")) continue;
    QVERIFY2(!widget->objectName().isEmpty(), widget->metaObject()->className());
    QVERIFY2(!widget->accessibleName().isEmpty(), qPrintable(widget->objectName()));
    QVERIFY2(!widget->toolTip().isEmpty(), qPrintable(widget->objectName()));
  }
}

void TestLayersPanel::pictures_data() {
  QTest::addColumn<int>("kind");
  QTest::newRow("light") << int(theme::Kind::Light);
  QTest::newRow("dark") << int(theme::Kind::Dark);
}

void TestLayersPanel::pictures() {
  QFETCH(int, kind);
  theme::apply(theme::Kind(kind));
  const auto save = [&](const char* what) {
    const QString scale = m_panel->devicePixelRatio() > 1 ? QStringLiteral("-200") : QString();
    const QString name =
        QStringLiteral("%1-%2%3").arg(QLatin1String(what), QLatin1String(QTest::currentDataTag()), scale);
    QVERIFY(m_panel->grab().save(QStringLiteral(ATTNSCOPE_BINARY_DIR "/screenshots/%1.png").arg(name)));
  };
  QFile demo(QStringLiteral(ATTNSCOPE_SOURCE_DIR "/configs/demo.yaml"));
  QVERIFY(demo.open(QIODevice::ReadOnly));
  write("base.yaml", "seed: 7\nnum_inference_steps: 50\nheatmaps: {alpha: 0.8}\n");
  const QByteArray text = demo.readAll();
  open(text);
  save("layers-empty");
  open("_base_: base.yaml\n" + text);
  addFile(write("faster.yaml",
                "model:\n  dtype: bfloat16\n# fewer\nnum_inference_steps: 10\n"
                "source_prompt: another sentence that is longer than the column is wide, so it is cut\n"));
  addOverride(QStringLiteral("seed=3"));
  addOverride(QStringLiteral("heatmaps.words=[circle, square]"));
  save("layers");
  addOverride(QStringLiteral("heatmaps..words=x"));
  save("layers-error");
  theme::apply(theme::Kind::Light);
}

QTEST_MAIN(TestLayersPanel)
#include "tst_layers_panel.moc"
