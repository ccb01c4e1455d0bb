#include <QAbstractItemModelTester>
#include <QAction>
#include <QClipboard>
#include <QColorDialog>
#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "documents/config_document.h"
#include "models/config_tree_model.h"
#include "views/add_dialog.h"
#include "views/config_actions.h"
#include "views/config_form.h"
#include "views/config_tree_view.h"
#include "views/text_dialog.h"
#include "views/value_edit.h"

using namespace attnscope;
using namespace attnscope::ui;

// The config form over a real document, by keyboard and mouse.
class TestConfigForm : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init();
  void cleanup();

  void showsTheFile();
  void numbersAreTyped();
  void numbersAreStepped();
  void notationIsKept();
  void seedsOfAnySize();
  void wrongNumbersAreNotTaken();
  void escapeTakesNothing();
  void leavingCommits();
  void nothingChangedIsNoStep();
  void booleansByKeyboardAndMouse();
  void choices();
  void expressions();
  void yamlValues();
  void longTextsInABox();
  void shortTextsInABox();
  void paths();
  void colours();
  void nullsAndTypes();
  void keysAreRenamed();
  void rowsAreRemoved();
  void resetToDefault();
  void keysAreAdded();
  void itemsAreAdded();
  void insertedBeforeAndAfter();
  void duplicated();
  void movedByKeyboard();
  void movedByDragging();
  void copiedAndPasted();
  void pasteThatClashesIsRefused();
  void copiedPathsAndOverrides();
  void severalAreSet();
  void commentsAreEdited();
  void goesToTheSource();
  void searchOpensWhatItFinds();
  void searchEndsAsItBegan();
  void filtersByChangeAndProblem();
  void stateSurvivesEdits();
  void brokenTextIsSaid();
  void emptyStates();
  void contextMenu();
  void everythingHasAName();
  void largeFilesStayLive();

 private:
  // A form over a file with these bytes, shown and with the keyboard.
  void open(const QByteArray& bytes);
  void settle();
  QModelIndex at(const char* path, int column = ConfigTreeModel::Key) const;
  QString shown(const char* path) const { return at(path, ConfigTreeModel::Value).data().toString(); }
  void select(const char* path);
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(m_form->tree(), key, modifiers); }
  ValueEdit* line() const { return m_form->tree()->findChild<ValueEdit*>(QStringLiteral("valueEdit")); }
  // Enter, a text over what is there, Enter.
  void type(const char* path, const QString& text);
  QString hint() const { return m_form->findChild<QLabel*>(QStringLiteral("configHint"))->text(); }
  QLineEdit* search() const { return m_form->findChild<QLineEdit*>(QStringLiteral("configSearch")); }
  QByteArray text() const { return m_document->bytes(); }

  std::unique_ptr<QTemporaryDir> m_dir;
  std::unique_ptr<ConfigDocument> m_document;
  std::unique_ptr<ConfigForm> m_form;
};

void TestConfigForm::init() { m_dir = std::make_unique<QTemporaryDir>(); }

void TestConfigForm::cleanup() {
  m_form.reset();
  m_document.reset();
  m_dir.reset();
}

void TestConfigForm::open(const QByteArray& bytes) {
  const QString path = m_dir->filePath(QStringLiteral("a.yaml"));
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
  file.close();
  m_document = std::make_unique<ConfigDocument>();
  m_form = std::make_unique<ConfigForm>(m_document.get());
  new QAbstractItemModelTester(m_form->model(), QAbstractItemModelTester::FailureReportingMode::Fatal, m_form.get());
  m_form->resize(520, 420);
  m_form->show();
  QSignalSpy changed(m_document.get(), &ConfigDocument::snapshotChanged);
  m_document->open(path);
  QTRY_VERIFY(!changed.isEmpty() && !m_document->isBusy());
  QVERIFY(QTest::qWaitForWindowActive(m_form.get()));
  m_form->tree()->setFocus();
}

void TestConfigForm::settle() { QTRY_VERIFY(!m_document->isBusy()); }

QModelIndex TestConfigForm::at(const char* path, int column) const {
  const ConfigNode* root = m_form->model()->snapshot().shown.get();
  const auto found = root ? find_path(*root, path) : std::nullopt;
  return found ? m_form->model()->indexOf(*found, column) : QModelIndex();
}

void TestConfigForm::select(const char* path) {
  QVERIFY2(at(path).isValid(), path);
  m_form->selectPath(m_form->model()->pathAt(at(path)));
  QCOMPARE(m_form->tree()->currentIndex(), at(path));
}

void TestConfigForm::type(const char* path, const QString& text) {
  select(path);
  key(Qt::Key_Return);
  QVERIFY(line());
  QTest::keyClicks(line(), text);
  QTest::keyClick(line(), Qt::Key_Return);
  QTRY_VERIFY(!line());
  settle();
}

namespace {

const QByteArray kRun =
    "# A run\n"
    "mode: inspect # or edit\n"
    "model:\n"
    "  path: model\n"
    "  dtype: float32\n"
    "  vae_tiling: false\n"
    "input:\n"
    "  video: video.mp4\n"
    "  num_frames: 16\n"
    "source_prompt: a cat\n"
    "num_inference_steps: 20\n"
    "seed: 0\n"
    "heatmaps:\n"
    "  words: [cat, dog]\n"
    "  alpha: 0.6\n";

}  // namespace

void TestConfigForm::showsTheFile() {
  open(kRun);
  QCOMPARE(shown("seed"), QStringLiteral("0"));
  QCOMPARE(at("seed", ConfigTreeModel::Source).data().toString(), QStringLiteral("a.yaml:12"));
  QVERIFY(m_form->tree()->isExpanded(at("model")));
  QVERIFY(m_form->tree()->currentIndex().isValid());
  select("model.dtype");
  QVERIFY2(hint().contains(QStringLiteral("bfloat16")), qPrintable(hint()));  // help of the schema
  QVERIFY(at("model.dtype").data(Qt::ToolTipRole).toString().contains(QStringLiteral("Default")));
}

void TestConfigForm::numbersAreTyped() {
  open(kRun);
  type("num_inference_steps", QStringLiteral("30"));
  QVERIFY(text().contains("num_inference_steps: 30\n"));
  QCOMPARE(shown("num_inference_steps"), QStringLiteral("30"));
  QCOMPARE(m_document->undoStack()->undoText(), QStringLiteral("Set num_inference_steps"));
  QVERIFY(at("num_inference_steps").data(ConfigTreeModel::ChangedRole).toBool());
  m_document->undoStack()->undo();
  settle();
  QCOMPARE(shown("num_inference_steps"), QStringLiteral("20"));
  QCOMPARE(text(), kRun);
}

void TestConfigForm::numbersAreStepped() {
  open(kRun);
  select("num_inference_steps");
  key(Qt::Key_Return);
  QTest::keyClick(line(), Qt::Key_Up);
  QCOMPARE(line()->text(), QStringLiteral("21"));
  QTest::keyClick(line(), Qt::Key_Up, Qt::ShiftModifier);
  QCOMPARE(line()->text(), QStringLiteral("31"));
  QTest::keyClick(line(), Qt::Key_Down);
  QTest::keyClick(line(), Qt::Key_Return);
  QTRY_VERIFY(text().contains("num_inference_steps: 30\n"));
  QCOMPARE(m_document->undoStack()->count(), 1);
}

void TestConfigForm::notationIsKept() {
  open("lr: 3e-5\nother: 0.50\n");
  select("lr");
  key(Qt::Key_Return);
  QCOMPARE(line()->text(), QStringLiteral("3e-5"));
  QTest::keyClick(line(), Qt::Key_Up);
  QTest::keyClick(line(), Qt::Key_Return);
  QTRY_COMPARE(text(), QByteArray("lr: 4e-5\nother: 0.50\n"));
}

void TestConfigForm::seedsOfAnySize() {
  open(kRun);
  type("seed", QStringLiteral("18446744073709551615"));
  QVERIFY(text().contains("seed: 18446744073709551615\n"));
}

void TestConfigForm::wrongNumbersAreNotTaken() {
  open(kRun);
  select("num_inference_steps");
  key(Qt::Key_Return);
  QTest::keyClicks(line(), QStringLiteral("many"));
  QVERIFY(!line()->hasAcceptableInput());
  QVERIFY2(line()->toolTip().contains(QStringLiteral("whole number")), qPrintable(line()->toolTip()));
  QTest::keyClick(line(), Qt::Key_Return);
  QVERIFY(line());  // stays until it is right or left
  m_form->tree()->setFocus();
  QTRY_VERIFY(!line());
  QCOMPARE(text(), kRun);
  QVERIFY2(hint().contains(QStringLiteral("many")), qPrintable(hint()));
  key(Qt::Key_Return);
  QCOMPARE(line()->text(), QStringLiteral("many"));  // nothing is lost
  QTest::keyClick(line(), Qt::Key_A, Qt::ControlModifier);
  QTest::keyClicks(line(), QStringLiteral("25"));
  QTest::keyClick(line(), Qt::Key_Return);
  QTRY_VERIFY(text().contains("num_inference_steps: 25\n"));
}

void TestConfigForm::escapeTakesNothing() {
  open(kRun);
  select("seed");
  key(Qt::Key_Return);
  QTest::keyClicks(line(), QStringLiteral("5"));
  QTest::keyClick(line(), Qt::Key_Escape);
  QTRY_VERIFY(!line());
  settle();
  QCOMPARE(text(), kRun);
  QCOMPARE(m_document->undoStack()->count(), 0);
}

void TestConfigForm::leavingCommits() {
  open(kRun);
  select("seed");
  key(Qt::Key_Return);
  QTest::keyClicks(line(), QStringLiteral("5"));
  search()->setFocus();
  QTRY_VERIFY(text().contains("seed: 5\n"));
  QVERIFY(!line());
}

void TestConfigForm::nothingChangedIsNoStep() {
  open(kRun);
  for (const char* path : {"seed", "source_prompt", "heatmaps.alpha", "heatmaps.words[0]"}) {
    select(path);
    key(Qt::Key_Return);
    QVERIFY2(line(), path);
    QTest::keyClick(line(), Qt::Key_Return);
    QTRY_VERIFY(!line());
  }
  settle();
  QCOMPARE(m_document->undoStack()->count(), 0);
}

void TestConfigForm::booleansByKeyboardAndMouse() {
  open(kRun);
  select("model.vae_tiling");
  key(Qt::Key_Space);
  QTRY_COMPARE(shown("model.vae_tiling"), QStringLiteral("true"));
  QVERIFY(text().contains("vae_tiling: true\n"));
  const QRect cell = m_form->tree()->visualRect(at("model.vae_tiling", ConfigTreeModel::Value));
  QTest::mouseClick(m_form->tree()->viewport(), Qt::LeftButton, {}, QPoint(cell.left() + 10, cell.center().y()));
  QTRY_COMPARE(shown("model.vae_tiling"), QStringLiteral("false"));
  key(Qt::Key_Return);
  QTRY_COMPARE(shown("model.vae_tiling"), QStringLiteral("true"));
  QCOMPARE(m_document->undoStack()->count(), 3);
}

void TestConfigForm::choices() {
  open(kRun);
  select("model.dtype");
  key(Qt::Key_Return);
  auto* combo = m_form->tree()->findChild<QComboBox*>(QStringLiteral("choiceEdit"));
  QVERIFY(combo);
  QCOMPARE(combo->currentText(), QStringLiteral("float32"));
  QVERIFY(combo->findText(QStringLiteral("bfloat16")) >= 0);
  combo->hidePopup();
  QTest::keyClick(combo, Qt::Key_Down);
  QTest::keyClick(combo, Qt::Key_Return);
  QTRY_VERIFY(text().contains("dtype: bfloat16\n"));
}

void TestConfigForm::expressions() {
  open("a: 512\nb: ${a}\nc: ${nowhere}\nd: ???\n");
  QCOMPARE(shown("b"), QStringLiteral("${a} = 512"));
  QVERIFY2(shown("c").startsWith(QStringLiteral("${nowhere} → ")), qPrintable(shown("c")));
  QCOMPARE(shown("d"), QStringLiteral("must be given"));
  select("c");
  QVERIFY(hint().contains(QStringLiteral("nowhere")));
  type("c", QStringLiteral("${a}"));
  QCOMPARE(shown("c"), QStringLiteral("${a} = 512"));
  type("c", QStringLiteral("7"));
  QCOMPARE(shown("c"), QStringLiteral("7"));
  type("d", QStringLiteral("\"30\""));
  QVERIFY2(text().contains("d: \"30\"") || text().contains("d: '30'"), text().constData());
}

void TestConfigForm::yamlValues() {
  open("a: cat\n");
  select("a");
  key(Qt::Key_Return, Qt::ShiftModifier);
  QTest::keyClicks(line(), QStringLiteral("30"));
  QTest::keyClick(line(), Qt::Key_Return);
  QTRY_COMPARE(text(), QByteArray("a: 30\n"));
  settle();
  key(Qt::Key_Return, Qt::ShiftModifier);
  QTest::keyClicks(line(), QStringLiteral("[1]"));
  QVERIFY(!line()->hasAcceptableInput());
  QTest::keyClick(line(), Qt::Key_Escape);
}

void TestConfigForm::longTextsInABox() {
  open("prompt: |\n  one\n  two\n");
  select("prompt");
  key(Qt::Key_Return);
  auto* dialog = m_form->findChild<TextDialog*>();
  QVERIFY(dialog);
  QTRY_COMPARE(QApplication::activeWindow(), dialog);
  QVERIFY(!dialog->isModal());
  QCOMPARE(dialog->text(), QStringLiteral("one\ntwo\n"));
  QTest::keyClicks(dialog->box(), QStringLiteral("three"));
  QTest::keyClick(dialog->box(), Qt::Key_Return, Qt::ControlModifier);
  QTRY_COMPARE(text(), QByteArray("prompt: |\n  one\n  two\n  three\n"));
  QCOMPARE(m_document->undoStack()->count(), 1);
}

void TestConfigForm::shortTextsInABox() {
  open(kRun);
  select("source_prompt");
  key(Qt::Key_Return);
  QTest::keyClicks(line(), QStringLiteral("a dog"));
  QTest::keyClick(line(), Qt::Key_Down, Qt::AltModifier);
  auto* dialog = m_form->findChild<TextDialog*>();
  QVERIFY(dialog);
  QTRY_COMPARE(QApplication::activeWindow(), dialog);
  QCOMPARE(dialog->text(), QStringLiteral("a dog"));
  QTest::keyClick(dialog, Qt::Key_Escape);
  settle();
  QCOMPARE(text(), kRun);
}

void TestConfigForm::paths() {
  open(kRun);
  QVERIFY(QDir(m_dir->path()).mkdir(QStringLiteral("model")));
  QFile there(m_dir->filePath(QStringLiteral("there.mp4")));
  QVERIFY(there.open(QIODevice::WriteOnly));
  select("input.video");
  key(Qt::Key_Return);
  QTest::keyClick(line(), Qt::Key_Down, Qt::AltModifier);
  auto* dialog = m_form->findChild<QFileDialog*>(QStringLiteral("pathDialog"));
  QVERIFY(dialog);
  Q_EMIT dialog->fileSelected(there.fileName());
  dialog->close();
  QTRY_VERIFY(text().contains("video: there.mp4\n"));  // as it was: from the config's folder
  QCOMPARE(m_form->actions()->located(QStringLiteral("there.mp4")), there.fileName());
}

void TestConfigForm::colours() {
  open("tint: '#2f6fd0'\n");
  select("tint");
  key(Qt::Key_Return);
  QTest::keyClick(line(), Qt::Key_Down, Qt::AltModifier);
  auto* dialog = m_form->findChild<QColorDialog*>(QStringLiteral("colorDialog"));
  QVERIFY(dialog);
  QCOMPARE(dialog->currentColor(), QColor(0x2f6fd0));
  Q_EMIT dialog->colorSelected(QColor(0x102030));
  dialog->close();
  QTRY_COMPARE(text(), QByteArray("tint: '#102030'\n"));
}

void TestConfigForm::nullsAndTypes() {
  open("a: null\nb: 5\n");
  const auto run = [this](const char* id) { m_form->actions()->action(QString::fromLatin1(id))->trigger(); };
  select("a");
  run("configTypeList");
  QTRY_COMPARE(shown("a"), QStringLiteral("[]"));
  select("b");
  run("configTypeText");
  QTRY_COMPARE(shown("b"), QStringLiteral("\"5\""));
  settle();
  run("configTypeNumber");
  QTRY_COMPARE(shown("b"), QStringLiteral("5"));
  settle();
  run("configTypeMissing");
  QTRY_COMPARE(shown("b"), QStringLiteral("must be given"));
  run("configTypeNull");
  QTRY_COMPARE(shown("b"), QStringLiteral("null"));
}

void TestConfigForm::keysAreRenamed() {
  open(kRun);
  select("heatmaps.alpha");
  key(Qt::Key_F2);
  auto* edit = m_form->tree()->findChild<QLineEdit*>(QStringLiteral("keyEdit"));
  QVERIFY(edit);
  QTest::keyClicks(edit, QStringLiteral("opacity"));
  QTest::keyClick(edit, Qt::Key_Return);
  QTRY_VERIFY(text().contains("  opacity: 0.6\n"));
  QCOMPARE(m_document->undoStack()->undoText(), QStringLiteral("Rename heatmaps.alpha to opacity"));
  settle();
  QCOMPARE(m_form->tree()->currentIndex(), at("heatmaps.opacity"));  // the row stays current
}

void TestConfigForm::rowsAreRemoved() {
  open(kRun);
  select("heatmaps.words[0]");
  key(Qt::Key_Delete);
  QTRY_VERIFY(text().contains("words: [dog]\n"));
  QCOMPARE(m_document->undoStack()->undoText(), QStringLiteral("Remove heatmaps.words[0]"));
  settle();
  select("mode");
  key(Qt::Key_Down, Qt::ShiftModifier);
  key(Qt::Key_Delete);
  QTRY_VERIFY(!text().contains("mode") && !text().contains("model:"));
  m_document->undoStack()->undo();
  m_document->undoStack()->undo();
  settle();
  QCOMPARE(text(), kRun);
}

void TestConfigForm::resetToDefault() {
  open(kRun);
  type("heatmaps.alpha", QStringLiteral("0.25"));
  const QString standard = at("heatmaps.alpha").data(ConfigTreeModel::DefaultRole).toString();
  QVERIFY(!standard.isEmpty());
  QVERIFY(at("heatmaps.alpha").data(ConfigTreeModel::ResettableRole).toBool());
  key(Qt::Key_R, Qt::ControlModifier);
  QTRY_COMPARE(shown("heatmaps.alpha"), standard);
  QCOMPARE(m_document->undoStack()->undoText(), QStringLiteral("Reset heatmaps.alpha"));
}

void TestConfigForm::keysAreAdded() {
  open(kRun);
  select("heatmaps");
  key(Qt::Key_Insert);
  auto* dialog = m_form->findChild<AddDialog*>();
  QVERIFY(dialog);
  QTRY_COMPARE(QApplication::activeWindow(), dialog);
  auto* name = dialog->findChild<QComboBox*>(QStringLiteral("addKey"));
  QVERIFY(name->findText(QStringLiteral("colormap")) >= 0);  // the schema knows it, the file has it not
  QVERIFY(name->findText(QStringLiteral("alpha")) < 0);
  QTest::keyClicks(name->lineEdit(), QStringLiteral("alpha"));
  auto* value = dialog->findChild<ValueEdit*>(QStringLiteral("addValue"));
  QTest::keyClick(name->lineEdit(), Qt::Key_Return);
  QVERIFY(dialog->isVisible());  // it is there already
  name->lineEdit()->clear();
  QTest::keyClicks(name->lineEdit(), QStringLiteral("colormap"));
  QCOMPARE(value->text(), QStringLiteral("viridis"));  // the default
  value->setFocus();
  value->selectAll();
  QTest::keyClicks(value, QStringLiteral("turbo"));
  QTest::keyClick(value, Qt::Key_Return);
  QTRY_COMPARE(text(), kRun + "  colormap: turbo\n");
  settle();
  QCOMPARE(m_form->tree()->currentIndex(), at("heatmaps.colormap"));
}

void TestConfigForm::itemsAreAdded() {
  open(kRun);
  select("heatmaps.words");
  key(Qt::Key_Insert);
  auto* dialog = m_form->findChild<AddDialog*>();
  QVERIFY(dialog);
  QTRY_COMPARE(QApplication::activeWindow(), dialog);
  auto* value = dialog->findChild<ValueEdit*>(QStringLiteral("addValue"));
  QTest::keyClicks(value, QStringLiteral("cow"));
  QTest::keyClick(value, Qt::Key_Return);
  QTRY_COMPARE(text(), QByteArray(kRun).replace("dog]", "dog, cow]"));
  settle();
  QCOMPARE(m_form->tree()->currentIndex(), at("heatmaps.words[2]"));
}

void TestConfigForm::insertedBeforeAndAfter() {
  open("a: 1\nb: 2\n");
  const auto add = [this](const char* id, const QString& name) {
    m_form->actions()->action(QString::fromLatin1(id))->trigger();
    auto* dialog = m_form->findChild<AddDialog*>();
    QVERIFY(dialog);
    QTRY_COMPARE(QApplication::activeWindow(), dialog);
    QTest::keyClicks(dialog->findChild<QComboBox*>(QStringLiteral("addKey"))->lineEdit(), name);
    QTest::keyClick(dialog, Qt::Key_Return);
    QTRY_VERIFY(!m_form->findChild<AddDialog*>());
    settle();
  };
  select("b");
  add("configInsertBefore", QStringLiteral("x"));
  QTRY_COMPARE(m_form->tree()->currentIndex(), at("x"));
  select("a");
  add("configInsertAfter", QStringLiteral("y"));
  QTRY_VERIFY(at("y").isValid());
  QStringList keys;
  for (int row = 0; row < m_form->model()->rowCount(); ++row) keys << m_form->model()->index(row, 0).data().toString();
  QCOMPARE(keys, (QStringList{QStringLiteral("a"), QStringLiteral("y"), QStringLiteral("x"), QStringLiteral("b")}));
}

void TestConfigForm::duplicated() {
  open("a:\n  b: 1 # note\nl: [1, 2]\n");
  select("a.b");
  key(Qt::Key_D, Qt::ControlModifier);
  QTRY_COMPARE(shown("a.b_copy"), QStringLiteral("1"));
  settle();
  select("l[0]");
  key(Qt::Key_D, Qt::ControlModifier);
  QTRY_COMPARE(shown("l"), QStringLiteral("[1, 1, 2]"));
}

void TestConfigForm::movedByKeyboard() {
  open("a: 1\nb: 2\nc: 3\nl: [x, y, z]\n");
  select("b");
  key(Qt::Key_Up, Qt::AltModifier);
  QTRY_COMPARE(text(), QByteArray("b: 2\na: 1\nc: 3\nl: [x, y, z]\n"));
  settle();
  QCOMPARE(m_form->tree()->currentIndex(), at("b"));
  key(Qt::Key_Up, Qt::AltModifier);  // is at the top
  key(Qt::Key_Down, Qt::AltModifier);
  QTRY_VERIFY(text().startsWith("a: 1\nb: 2\nc: 3\n"));
  settle();
  select("l[2]");
  key(Qt::Key_Up, Qt::AltModifier);
  QTRY_COMPARE(shown("l"), QStringLiteral("[x, z, y]"));
  settle();
  QCOMPARE(m_form->tree()->currentIndex(), at("l[1]"));  // goes along
  QCOMPARE(m_document->undoStack()->count(), 3);
}

void TestConfigForm::movedByDragging() {
  open("a: 1\nb:\n  c: 2\nd: 3\n");
  ConfigTreeModel* model = m_form->model();
  const std::unique_ptr<QMimeData> data(model->mimeData({at("a"), at("d")}));
  QVERIFY(model->dropMimeData(data.get(), Qt::MoveAction, 0, 0, at("b")));
  QTRY_COMPARE(shown("b"), QStringLiteral("{a, d, c}"));
  QCOMPARE(m_document->undoStack()->count(), 1);
  QVERIFY(m_form->tree()->dragEnabled() && m_form->tree()->acceptDrops());
  m_document->undoStack()->undo();
  settle();
  QCOMPARE(text(), QByteArray("a: 1\nb:\n  c: 2\nd: 3\n"));
}

void TestConfigForm::copiedAndPasted() {
  open("a: {x: 1}\nb: {y: 2}\nl: [1]\nn: 5\n");
  select("a.x");
  key(Qt::Key_C, Qt::ControlModifier);
  QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("x: 1\n"));
  select("b");
  key(Qt::Key_V, Qt::ControlModifier);
  QTRY_COMPARE(shown("b"), QStringLiteral("{y, x}"));
  settle();
  QGuiApplication::clipboard()->setText(QStringLiteral("[2, 3]"));
  select("l");
  key(Qt::Key_V, Qt::ControlModifier);
  QTRY_COMPARE(shown("l"), QStringLiteral("[1, 2, 3]"));
  settle();
  QGuiApplication::clipboard()->setText(QStringLiteral("3e-5"));
  select("n");
  key(Qt::Key_V, Qt::ControlModifier);
  QTRY_VERIFY(text().contains("n: 3e-5\n"));
  QCOMPARE(m_document->undoStack()->count(), 3);
}

void TestConfigForm::pasteThatClashesIsRefused() {
  open("a: 1\nb: 2\n");
  QSignalSpy refused(m_document.get(), &ConfigDocument::editRefused);
  QGuiApplication::clipboard()->setText(QStringLiteral("c: 3\nb: 4\n"));
  select("a");
  key(Qt::Key_V, Qt::ControlModifier);
  QTRY_COMPARE(refused.size(), 1);
  QVERIFY(refused[0][0].value<Failure>().message.contains(QStringLiteral("b")));
  settle();
  QCOMPARE(text(), QByteArray("a: 1\nb: 2\n"));
  QGuiApplication::clipboard()->setText(QStringLiteral("c: [1"));
  key(Qt::Key_V, Qt::ControlModifier);
  QTRY_COMPARE(refused.size(), 2);
}

void TestConfigForm::copiedPathsAndOverrides() {
  open(kRun);
  select("heatmaps.words[1]");
  key(Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
  QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("heatmaps.words[1]"));
  select("heatmaps.words");
  key(Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
  QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("heatmaps.words=[cat, dog]"));
  select("source_prompt");
  key(Qt::Key_C, Qt::ControlModifier | Qt::AltModifier);
  QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("a cat"));
}

void TestConfigForm::severalAreSet() {
  open("a: 1\nb: 2\nc: text\nd: 4\n");
  QItemSelectionModel* selection = m_form->tree()->selectionModel();
  select("d");
  for (const char* path : {"a", "c"})
    selection->select(at(path), QItemSelectionModel::Select | QItemSelectionModel::Rows);
  key(Qt::Key_Return);
  QTest::keyClicks(line(), QStringLiteral("9"));
  QTest::keyClick(line(), Qt::Key_Return);
  QTRY_COMPARE(text(), QByteArray("a: 9\nb: 2\nc: text\nd: 9\n"));  // of the same type
  QCOMPARE(m_document->undoStack()->count(), 1);
}

void TestConfigForm::commentsAreEdited() {
  open("# above\na: 1 # behind\n");
  select("a");
  key(Qt::Key_Slash, Qt::ControlModifier);
  QTRY_VERIFY(m_form->findChild<TextDialog*>());
  auto* dialog = m_form->findChild<TextDialog*>();
  QCOMPARE(dialog->text().trimmed(), QStringLiteral("above"));
  auto* behind = dialog->findChild<QLineEdit*>(QStringLiteral("commentBehind"));
  behind->setText(QStringLiteral("new"));
  QTest::keyClick(dialog->box(), Qt::Key_Return, Qt::ControlModifier);
  QTRY_VERIFY(text().contains("# above\n") && text().contains("a: 1 # new\n"));
}

void TestConfigForm::goesToTheSource() {
  open(kRun);
  QSignalSpy source(m_form.get(), &ConfigForm::sourceRequested), selected(m_form.get(), &ConfigForm::pathSelected);
  select("seed");
  QCOMPARE(selected.size(), 0);  // came from outside
  key(Qt::Key_F4);
  QCOMPARE(source.size(), 1);
  QVERIFY(source[0][0].toString().endsWith(QStringLiteral("a.yaml")));
  QCOMPARE(source[0][1].toInt(), 12);
  key(Qt::Key_Return, Qt::ControlModifier);
  QCOMPARE(source.size(), 2);
  key(Qt::Key_Up);
  QCOMPARE(selected.size(), 1);
  QVERIFY(selected[0][0].value<ConfigPath>() == ConfigPath{"num_inference_steps"});
}

void TestConfigForm::searchOpensWhatItFinds() {
  open("a:\n  b:\n    needle: 1\n    x: 2\nc: {needle: 3, y: 1}\nd: 4\n");
  m_form->tree()->collapseAll();
  QTest::keyClick(m_form->tree(), Qt::Key_F, Qt::ControlModifier);
  QVERIFY(search()->hasFocus());
  QTest::keyClicks(search(), QStringLiteral("needle"));
  QTest::keyClick(search(), Qt::Key_Return);
  QCOMPARE(m_form->tree()->currentIndex(), at("a.b.needle"));
  QVERIFY(m_form->tree()->isExpanded(at("a.b")));
  QVERIFY(!at("d").isValid());  // hidden
  auto* hits = m_form->findChild<QLabel*>(QStringLiteral("configHits"));
  QCOMPARE(hits->text(), QStringLiteral("1 of 2"));
  QTest::keyClick(m_form->tree(), Qt::Key_F3);
  QCOMPARE(m_form->tree()->currentIndex(), at("c.needle"));
  QTest::keyClick(m_form->tree(), Qt::Key_F3, Qt::ShiftModifier);
  QCOMPARE(m_form->tree()->currentIndex(), at("a.b.needle"));
  m_form->tree()->setFocus();
  type("a.b.needle", QStringLiteral("5"));  // edits go on in what is shown
  QVERIFY(text().contains("needle: 5\n"));
}

void TestConfigForm::searchEndsAsItBegan() {
  open("a:\n  b: {x: 1}\nc: {y: 1}\n");
  m_form->tree()->collapseAll();
  m_form->tree()->expand(at("c"));
  select("c.y");
  search()->setFocus();
  QTest::keyClicks(search(), QStringLiteral("nothing like this"));
  QTRY_VERIFY(at("c.y").isValid() && !at("a").isValid());  // what is selected stays
  QTest::keyClick(search(), Qt::Key_Escape);
  QVERIFY(m_form->tree()->hasFocus());
  QVERIFY(m_form->tree()->isExpanded(at("c")));
  QVERIFY(!m_form->tree()->isExpanded(at("a")));
  QCOMPARE(m_form->tree()->currentIndex(), at("c.y"));
}

void TestConfigForm::filtersByChangeAndProblem() {
  open("a: 1\nb: 2\nc: ???\n");
  type("b", QStringLiteral("3"));
  auto* changedOnly = m_form->findChild<QToolButton*>(QStringLiteral("configChangedOnly"));
  changedOnly->setFocus();
  QTest::keyClick(changedOnly, Qt::Key_Space);
  QVERIFY(!at("a").isValid() && at("b").isValid());
  QTest::keyClick(changedOnly, Qt::Key_Space);
  QVERIFY(at("a").isValid());
  auto* problemsOnly = m_form->findChild<QToolButton*>(QStringLiteral("configProblemsOnly"));
  QTest::mouseClick(problemsOnly, Qt::LeftButton);
  QVERIFY(!at("a").isValid() && at("c").isValid());
}

void TestConfigForm::stateSurvivesEdits() {
  open(kRun);
  m_form->tree()->collapse(at("model"));
  select("heatmaps.words[1]");
  m_document->replaceText(0, 0, QStringLiteral("new: 1\n"));
  settle();
  QTRY_VERIFY(at("new").isValid());
  QCOMPARE(m_form->tree()->currentIndex(), at("heatmaps.words[1]"));
  QVERIFY(!m_form->tree()->isExpanded(at("model")));
  QVERIFY(m_form->tree()->isExpanded(at("heatmaps.words")));
  QCOMPARE(at("seed", ConfigTreeModel::Source).data().toString(), QStringLiteral("a.yaml:13"));
}

void TestConfigForm::brokenTextIsSaid() {
  open("a: 1\n");
  m_document->replaceText(0, 0, QStringLiteral("x: [\n"));
  settle();
  QTRY_VERIFY(hint().contains(QStringLiteral("cannot be read")));
  QCOMPARE(shown("a"), QStringLiteral("1"));
}

void TestConfigForm::emptyStates() {
  open("");
  auto* empty = m_form->findChild<QLabel*>(QStringLiteral("configEmpty"));
  QVERIFY(empty->isVisible());
  QVERIFY2(empty->text().contains(QStringLiteral("Ins")), qPrintable(empty->text()));
  QTest::mouseClick(m_form->findChild<QToolButton*>(QStringLiteral("configAddButton")), Qt::LeftButton);
  auto* dialog = m_form->findChild<AddDialog*>();
  QVERIFY(dialog);
  QTRY_COMPARE(QApplication::activeWindow(), dialog);
  QTest::keyClicks(dialog->findChild<QComboBox*>(QStringLiteral("addKey"))->lineEdit(), QStringLiteral("a"));
  QTest::keyClick(dialog, Qt::Key_Return);
  QTRY_VERIFY(at("a").isValid());
  QTRY_VERIFY(m_form->tree()->isVisible() && !empty->isVisible());
  search()->setText(QStringLiteral("nothing"));
  m_form->tree()->setCurrentIndex({});
  QTRY_VERIFY(empty->isVisible() && empty->text().contains(QStringLiteral("Esc")));
}

void TestConfigForm::contextMenu() {
  open(kRun);
  select("seed");
  QMenu* menu = m_form->actions()->menu();
  menu->popup(QPoint(10, 10));
  QVERIFY(!m_form->actions()->action(QStringLiteral("configReset"))->isEnabled());
  QVERIFY(m_form->actions()->action(QStringLiteral("configRename"))->isEnabled());
  menu->close();
  select("heatmaps.words[0]");
  menu->popup(QPoint(10, 10));
  QVERIFY(!m_form->actions()->action(QStringLiteral("configRename"))->isEnabled());
  menu->close();
  for (const QAction* action : menu->actions())
    if (!action->isSeparator() && !action->menu()) QVERIFY2(!action->shortcut().isEmpty(), qPrintable(action->text()));
}

void TestConfigForm::everythingHasAName() {
  open(kRun);
  for (const QWidget* widget : m_form->findChildren<QWidget*>()) {
    if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisible()) continue;
    QVERIFY2(!widget->accessibleName().isEmpty(),
             qPrintable(widget->objectName() + QLatin1String(widget->metaObject()->className())));
  }
  QStringList order;
  search()->setFocus();
  for (int i = 0; i < 5; ++i) {
    order << QApplication::focusWidget()->objectName();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
  }
  QCOMPARE(order, (QStringList{QStringLiteral("configSearch"), QStringLiteral("configChangedOnly"),
                               QStringLiteral("configProblemsOnly"), QStringLiteral("configAddButton"),
                               QStringLiteral("configTree")}));
}

// 200 000 values: the window answers while they are searched, and one edit does not touch what is not shown.
void TestConfigForm::largeFilesStayLive() {
  QByteArray bytes;
  for (int i = 0; i < 400; ++i) {
    bytes += "k" + QByteArray::number(i) + ":\n";
    for (int n = 0; n < 500; ++n)
      bytes += "  v" + QByteArray::number(n) + ": " + QByteArray::number(i * 500 + n) + "\n";
  }
  open(bytes);
  qint64 longest = 0;
  QElapsedTimer clock;
  QTimer beat;
  connect(&beat, &QTimer::timeout, [&] { longest = std::max(longest, clock.restart()); });
  clock.start();
  beat.start(5);
  search()->setFocus();
  QTest::keyClicks(search(), QStringLiteral("199999"));
  auto* hits = m_form->findChild<QLabel*>(QStringLiteral("configHits"));
  QTRY_COMPARE_WITH_TIMEOUT(hits->text(), QStringLiteral("1 found"), 20000);
  beat.stop();
  QVERIFY(m_form->tree()->isExpanded(at("k399")));
  QVERIFY2(longest < 300, qPrintable(QString::number(longest)));
}

QTEST_MAIN(TestConfigForm)
#include "tst_config_form.moc"
