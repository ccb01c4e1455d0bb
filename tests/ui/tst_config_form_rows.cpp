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

// The rows of the config form: adding, removing, moving, copying and naming them.
class TestConfigFormRows : public ConfigFormTest {
  Q_OBJECT

 private Q_SLOTS:
  void init() { setUp(); }
  void cleanup() { tearDown(); }

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
};

void TestConfigFormRows::keysAreRenamed() {
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

void TestConfigFormRows::rowsAreRemoved() {
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

void TestConfigFormRows::resetToDefault() {
  open(kRun);
  type("heatmaps.alpha", QStringLiteral("0.25"));
  const QString standard = at("heatmaps.alpha").data(ConfigTreeModel::DefaultRole).toString();
  QVERIFY(!standard.isEmpty());
  QVERIFY(at("heatmaps.alpha").data(ConfigTreeModel::ResettableRole).toBool());
  key(Qt::Key_R, Qt::ControlModifier);
  QTRY_COMPARE(shown("heatmaps.alpha"), standard);
  QCOMPARE(m_document->undoStack()->undoText(), QStringLiteral("Reset heatmaps.alpha"));
}

void TestConfigFormRows::keysAreAdded() {
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

void TestConfigFormRows::itemsAreAdded() {
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

void TestConfigFormRows::insertedBeforeAndAfter() {
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

void TestConfigFormRows::duplicated() {
  open("a:\n  b: 1 # note\nl: [1, 2]\n");
  select("a.b");
  key(Qt::Key_D, Qt::ControlModifier);
  QTRY_COMPARE(shown("a.b_copy"), QStringLiteral("1"));
  settle();
  select("l[0]");
  key(Qt::Key_D, Qt::ControlModifier);
  QTRY_COMPARE(shown("l"), QStringLiteral("[1, 1, 2]"));
}

void TestConfigFormRows::movedByKeyboard() {
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

void TestConfigFormRows::movedByDragging() {
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

void TestConfigFormRows::copiedAndPasted() {
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

void TestConfigFormRows::pasteThatClashesIsRefused() {
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

void TestConfigFormRows::copiedPathsAndOverrides() {
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

void TestConfigFormRows::severalAreSet() {
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

void TestConfigFormRows::commentsAreEdited() {
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

void TestConfigFormRows::goesToTheSource() {
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

QTEST_MAIN(TestConfigFormRows)
#include "tst_config_form_rows.moc"
