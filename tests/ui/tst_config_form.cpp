#include <QAction>
#include <QClipboard>
#include <QColorDialog>
#include <QComboBox>
#include <QFileDialog>
#include <QMenu>
#include <QPlainTextEdit>
#include <QToolButton>

#include "config_form_test.h"
#include "views/add_dialog.h"
#include "views/config_actions.h"
#include "views/text_dialog.h"

using namespace attnscope;
using namespace attnscope::ui;

// The config form over a real document, by keyboard and mouse: values, search, what is shown.
class TestConfigForm : public ConfigFormTest {
  Q_OBJECT

 private Q_SLOTS:
  void init() { setUp(); }
  void cleanup() { tearDown(); }

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
  void searchOpensWhatItFinds();
  void searchEndsAsItBegan();
  void filtersByChangeAndProblem();
  void stateSurvivesEdits();
  void brokenTextIsSaid();
  void emptyStates();
  void contextMenu();
  void everythingHasAName();
  void largeFilesStayLive();
};

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
