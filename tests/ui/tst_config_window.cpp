#include <QAbstractItemModelTester>
#include <QAction>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include "app/config_workspace.h"
#include "app/main_window.h"
#include "app/session.h"
#include "base/error.h"
#include "documents/config_document.h"
#include "models/config_tree_model.h"
#include "models/log_model.h"
#include "views/config_editor.h"
#include "views/config_form.h"
#include "views/config_tree_view.h"
#include "views/disk_bar.h"
#include "views/log_view.h"
#include "views/message_bar.h"
#include "views/run_panel.h"
#include "views/yaml_text_edit.h"

using namespace attnscope;
using namespace attnscope::ui;

// Configs in the whole window: opening, editing, saving, closing, and what is said about them.
class TestConfigWindow : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
  void init();
  void opensInFormAndText();
  void editsSaveUndo();
  void tabsHoldSeveral();
  void brokenTextIsOpenedAndSaid();
  void issuesLeadToTheirLine();
  void foreignConfigsAreEditedNotRun();
  void runPanelEditsTheConfig();
  void runsWhatIsShown();
  void changedOnDiskAsks();
  void closingAsks_data();
  void closingAsks();
  void closingTheTabAsks();
  void crashLosesNothing();
  void refusedEditOffersAnOverride();
  void findGoesWhereTheFocusIs();
  void sourceOfAnotherFileOpensIt();
  void controlsAreNamed();

 private:
  QString path(const QString& name) const { return m_dir->filePath(name); }
  QString write(const QString& name, const QByteArray& bytes) const;
  QByteArray read(const QString& name) const;
  ConfigDocument* open(MainWindow& window, const QString& name, const QByteArray& bytes) const;
  static void settle(const ConfigDocument* document) { QTRY_VERIFY(!document->isBusy()); }
  // Types a value into the form, as a user does.
  static void type(MainWindow& window, const ConfigPath& path, const QString& value);
  static QAction* action(const MainWindow& window, const char* name) {
    return window.findChild<QAction*>(QLatin1String(name));
  }
  static void press(const MainWindow& window, const char* button) {
    auto* found = window.findChild<QPushButton*>(QLatin1String(button));
    QVERIFY(found && found->isVisible());
    QTest::mouseClick(found, Qt::LeftButton);
  }

  std::unique_ptr<QTemporaryDir> m_dir;
  std::unique_ptr<Session> m_session;
};

namespace {

const QByteArray kRun =
    "# my run\nmode: generate\nprompt: a red circle   # what it shows\nmodel:\n  path: .\nseed: 3\n";

}  // namespace

void TestConfigWindow::init() {
  m_session.reset();
  m_dir = std::make_unique<QTemporaryDir>();
  m_session = std::make_unique<Session>(path(QStringLiteral("session.ini")));
}

QString TestConfigWindow::write(const QString& name, const QByteArray& bytes) const {
  QFile file(path(name));
  if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) qFatal("cannot write");
  return path(name);
}

QByteArray TestConfigWindow::read(const QString& name) const {
  QFile file(path(name));
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("nothing");
}

ConfigDocument* TestConfigWindow::open(MainWindow& window, const QString& name, const QByteArray& bytes) const {
  QSignalSpy opened(window.configs(), &ConfigWorkspace::opened);
  window.openPath(write(name, bytes));
  if (opened.isEmpty() && !opened.wait()) qFatal("not opened");
  ConfigDocument* document = window.configs()->currentDocument();
  settle(document);
  return document;
}

void TestConfigWindow::type(MainWindow& window, const ConfigPath& path, const QString& value) {
  ConfigForm* form = window.configs()->current()->form();
  form->selectPath(path);
  QTRY_COMPARE(form->model()->pathAt(form->tree()->currentIndex()), path);
  form->tree()->setFocus();
  QTest::keyClick(form->tree(), Qt::Key_Return);
  QWidget* editor = nullptr;
  QTRY_VERIFY((editor = form->tree()->viewport()->findChild<QLineEdit*>()));
  auto* line = qobject_cast<QLineEdit*>(editor);
  line->selectAll();
  QTest::keyClicks(line, value);
  QTest::keyClick(line, Qt::Key_Return);
}

void TestConfigWindow::opensInFormAndText() {
  MainWindow window(*m_session);
  window.show();
  QVERIFY(!action(window, "save")->isEnabled());
  const ConfigDocument* document = open(window, QStringLiteral("a.yaml"), kRun);
  ConfigEditor* editor = window.configs()->current();
  QCOMPARE(editor->textEdit()->toPlainText().toUtf8(), kRun);
  const ConfigTreeModel* model = editor->form()->model();
  QAbstractItemModelTester tester(window.configs()->issues(), QAbstractItemModelTester::FailureReportingMode::Fatal);
  QCOMPARE(model->rowCount(), 4);
  QCOMPARE(model->indexOf({"seed"}, ConfigTreeModel::Value).data().toString(), QStringLiteral("3"));
  QVERIFY(model->indexOf({"seed"}, ConfigTreeModel::Source).data().toString().contains(QStringLiteral("a.yaml:6")));
  QVERIFY(window.findChild<QDockWidget*>(QStringLiteral("configDock"))->isVisible());
  QCOMPARE(m_session->recentPaths(), QStringList{document->path()});
  QVERIFY(window.windowTitle().startsWith(QStringLiteral("a.yaml")));
  QTRY_VERIFY(action(window, "run")->isEnabled());
}

void TestConfigWindow::editsSaveUndo() {
  MainWindow window(*m_session);
  window.show();
  const ConfigDocument* document = open(window, QStringLiteral("a.yaml"), kRun);
  type(window, {"seed"}, QStringLiteral("18446744073709551615"));
  QTRY_VERIFY(document->isModified());
  settle(document);
  QByteArray edited = kRun;
  edited.replace("seed: 3", "seed: 18446744073709551615");
  QCOMPARE(document->bytes(), edited);
  QCOMPARE(window.configs()->current()->textEdit()->toPlainText().toUtf8(), edited);
  QVERIFY(window.isWindowModified());
  auto* tabs = window.findChild<QTabWidget*>(QStringLiteral("configTabs"));
  QCOMPARE(tabs->tabText(0), QStringLiteral("*a.yaml"));
  QVERIFY(action(window, "undo")->text().contains(QStringLiteral("Set seed")));
  QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier);
  QTRY_COMPARE(document->bytes(), kRun);
  QVERIFY(!window.isWindowModified());
  QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  QTRY_COMPARE(document->bytes(), edited);
  QTest::keyClick(&window, Qt::Key_S, Qt::ControlModifier);
  QTRY_COMPARE(read(QStringLiteral("a.yaml")), edited);
  QTRY_VERIFY(!action(window, "save")->isEnabled());
  QCOMPARE(tabs->tabText(0), QStringLiteral("a.yaml"));
  action(window, "undo")->trigger();
  QVERIFY(window.isWindowModified());
  action(window, "revert")->trigger();
  QTRY_COMPARE(document->bytes(), edited);
}

void TestConfigWindow::tabsHoldSeveral() {
  MainWindow window(*m_session);
  window.show();
  const ConfigDocument* first = open(window, QStringLiteral("a.yaml"), "a: 1\n");
  const ConfigDocument* second = open(window, QStringLiteral("b.yaml"), "b: 1\n");
  auto* tabs = window.findChild<QTabWidget*>(QStringLiteral("configTabs"));
  QCOMPARE(tabs->count(), 2);
  type(window, {"b"}, QStringLiteral("2"));
  QTRY_VERIFY(second->isModified());
  QVERIFY(action(window, "undo")->isEnabled());
  window.openPath(first->path());  // comes to the front, and is not opened twice
  QTRY_COMPARE(window.configs()->currentDocument(), first);
  QCOMPARE(tabs->count(), 2);
  QVERIFY(!action(window, "undo")->isEnabled());  // each has its own history
  QTest::keyClick(&window, Qt::Key_W, Qt::ControlModifier);
  QTRY_COMPARE(tabs->count(), 1);
  QCOMPARE(window.configs()->currentDocument(), second);
}

void TestConfigWindow::brokenTextIsOpenedAndSaid() {
  MainWindow window(*m_session);
  window.show();
  const ConfigDocument* document = open(window, QStringLiteral("a.yaml"), "a: 1\nb: [1\n");
  QVERIFY(!document->snapshot().parses);
  auto* issues = window.findChild<QTableView*>(QStringLiteral("issuesTable"));
  QCOMPARE(issues->model()->rowCount(), 1);
  QVERIFY(!action(window, "run")->isEnabled());
  // Mending the text mends the list.
  YamlTextEdit* text = window.configs()->current()->textEdit();
  window.configs()->current()->setPage(ConfigEditor::Text);
  text->setFocus();
  QTextCursor cursor = text->textCursor();
  cursor.setPosition(int(text->toPlainText().size()) - 1);
  text->setTextCursor(cursor);
  QTest::keyClicks(text, QStringLiteral("]"));
  QTRY_COMPARE(issues->model()->rowCount(), 0);
  QCOMPARE(document->bytes(), QByteArray("a: 1\nb: [1]\n"));
}

void TestConfigWindow::issuesLeadToTheirLine() {
  MainWindow window(*m_session);
  window.show();
  open(window, QStringLiteral("a.yaml"), kRun + "sed: 4\n");
  auto* issues = window.findChild<QTableView*>(QStringLiteral("issuesTable"));
  QTRY_COMPARE(issues->model()->rowCount(), 1);
  QVERIFY(issues->model()->index(0, LogModel::Message).data().toString().contains(QStringLiteral("seed")));
  QVERIFY(issues->model()->index(0, LogModel::Where).data().toString().contains(QStringLiteral("a.yaml:7:")));
  window.configs()->current()->setPage(ConfigEditor::Form);
  issues->setCurrentIndex(issues->model()->index(0, 0));
  issues->setFocus();
  QTest::keyClick(issues, Qt::Key_Return);
  QCOMPARE(window.configs()->current()->page(), ConfigEditor::Text);
  QCOMPARE(window.configs()->current()->textEdit()->textCursor().blockNumber(), 6);
  QVERIFY(window.findChild<QDockWidget*>(QStringLiteral("issuesDock"))->windowTitle().contains(QStringLiteral("1")));
}

void TestConfigWindow::foreignConfigsAreEditedNotRun() {
  MainWindow window(*m_session);
  window.show();
  open(window, QStringLiteral("a.yaml"), "a: 1\n");
  const auto* panel = window.findChild<RunPanel*>();
  QTRY_VERIFY(panel->missing().contains(QStringLiteral("not a run")));
  QVERIFY(!action(window, "run")->isEnabled());
  QCOMPARE(window.logModel()->errorCount(), 0);
}

void TestConfigWindow::runPanelEditsTheConfig() {
  MainWindow window(*m_session);
  window.show();
  const ConfigDocument* document = open(window, QStringLiteral("a.yaml"), kRun);
  QTRY_VERIFY(action(window, "run")->isEnabled());
  window.findChild<QDockWidget*>(QStringLiteral("runDock"))->raise();
  auto* prompt = window.findChild<QLineEdit*>(QStringLiteral("prompt"));
  QTRY_COMPARE(prompt->text(), QStringLiteral("a red circle"));
  prompt->setFocus();
  prompt->selectAll();
  QTest::keyClicks(prompt, QStringLiteral("a cat"));
  prompt->clearFocus();
  QTRY_VERIFY(document->bytes().contains("prompt: a cat   # what it shows\n"));
  action(window, "undo")->trigger();
  QTRY_COMPARE(prompt->text(), QStringLiteral("a red circle"));
}

void TestConfigWindow::runsWhatIsShown() {
  RunJob seen;
  MainWindow window(*m_session, [&seen](const RunJob& job, auto&, const auto&, const auto&) {
    seen = job;
    throw RunCancelled();
  });
  window.show();
  const ConfigDocument* document = open(window, QStringLiteral("a.yaml"), kRun);
  type(window, {"seed"}, QStringLiteral("77"));
  QTRY_VERIFY(document->isModified());
  settle(document);
  QTRY_VERIFY(action(window, "run")->isEnabled());
  QSignalSpy ended(&window.runs(), &RunController::cancelled);
  window.startRun();
  QVERIFY(ended.wait());
  QVERIFY(seen.config);
  QVERIFY(seen.config->bytes.contains("seed: 77"));
  QVERIFY(read(QStringLiteral("a.yaml")).contains("seed: 3"));
}

void TestConfigWindow::changedOnDiskAsks() {
  MainWindow window(*m_session);
  window.show();
  const ConfigDocument* document = open(window, QStringLiteral("a.yaml"), "a: 1\n");
  auto* bar = window.findChild<DiskBar*>();
  QVERIFY(!bar->isVisible());
  write(QStringLiteral("a.yaml"), "a: 2\n");
  QTRY_VERIFY(bar->isVisible());
  QCOMPARE(document->bytes(), QByteArray("a: 1\n"));
  press(window, "diskReload");
  QTRY_COMPARE(document->bytes(), QByteArray("a: 2\n"));
  QTRY_VERIFY(!bar->isVisible());
  action(window, "undo")->trigger();
  QCOMPARE(document->bytes(), QByteArray("a: 1\n"));

  write(QStringLiteral("a.yaml"), "a: 3\n");
  QTRY_VERIFY(bar->isVisible());
  press(window, "diskChanges");
  QDialog* changes = nullptr;
  QTRY_VERIFY((changes = window.findChild<QDialog*>()));
  QTest::keyClick(changes, Qt::Key_Escape);
  QTRY_VERIFY(!window.findChild<QDialog*>());
  press(window, "diskKeep");
  QVERIFY(!bar->isVisible());
  QVERIFY(document->isModified());
  action(window, "save")->trigger();
  QTRY_COMPARE(read(QStringLiteral("a.yaml")), QByteArray("a: 1\n"));

  QVERIFY(QFile::remove(document->path()));
  QTRY_VERIFY(bar->isVisible());
  press(window, "diskSave");
  QTRY_COMPARE(read(QStringLiteral("a.yaml")), QByteArray("a: 1\n"));
  QTRY_VERIFY(!bar->isVisible());
}

void TestConfigWindow::closingAsks_data() {
  QTest::addColumn<int>("button");
  QTest::addColumn<bool>("closes");
  QTest::addColumn<QByteArray>("file");
  QTest::newRow("save") << int(QMessageBox::Save) << true << QByteArray("a: 2\n");
  QTest::newRow("discard") << int(QMessageBox::Discard) << true << QByteArray("a: 1\n");
  QTest::newRow("cancel") << int(QMessageBox::Cancel) << false << QByteArray("a: 1\n");
}

void TestConfigWindow::closingAsks() {
  QFETCH(int, button);
  QFETCH(bool, closes);
  QFETCH(QByteArray, file);
  MainWindow window(*m_session);
  window.show();
  const ConfigDocument* document = open(window, QStringLiteral("a.yaml"), "a: 1\n");
  type(window, {"a"}, QStringLiteral("2"));
  QTRY_VERIFY(document->isModified());
  settle(document);
  window.close();
  QVERIFY(window.isVisible());
  QMessageBox* box = nullptr;
  QTRY_VERIFY((box = window.findChild<QMessageBox*>(QStringLiteral("unsavedBox"))));
  QTest::mouseClick(box->button(QMessageBox::StandardButton(button)), Qt::LeftButton);
  if (closes)
    QTRY_VERIFY(!window.isVisible());
  else
    QTRY_VERIFY(!window.findChild<QMessageBox*>(QStringLiteral("unsavedBox")));
  QCOMPARE(window.isVisible(), !closes);
  QCOMPARE(read(QStringLiteral("a.yaml")), file);
}

void TestConfigWindow::closingTheTabAsks() {
  MainWindow window(*m_session);
  window.show();
  const ConfigDocument* document = open(window, QStringLiteral("a.yaml"), "a: 1\n");
  type(window, {"a"}, QStringLiteral("2"));
  QTRY_VERIFY(document->isModified());
  settle(document);
  QTest::keyClick(&window, Qt::Key_W, Qt::ControlModifier);
  QMessageBox* box = nullptr;
  QTRY_VERIFY((box = window.findChild<QMessageBox*>(QStringLiteral("unsavedBox"))));
  QTest::keyClick(box, Qt::Key_Escape);
  QTRY_VERIFY(!window.findChild<QMessageBox*>(QStringLiteral("unsavedBox")));
  QVERIFY(window.configs()->currentDocument());
  // A save that fails keeps it open.
  QFile::remove(document->path());
  QVERIFY(QDir(m_dir->path()).mkdir(QStringLiteral("a.yaml")));
  action(window, "closeConfig")->trigger();
  QTRY_VERIFY((box = window.findChild<QMessageBox*>(QStringLiteral("unsavedBox"))));
  QSignalSpy failed(document, &ConfigDocument::saveFailed);
  QTest::mouseClick(box->button(QMessageBox::Save), Qt::LeftButton);
  QTRY_COMPARE(failed.size(), 1);
  QVERIFY(window.configs()->currentDocument());
  QVERIFY(window.findChild<MessageBar*>()->isVisible());
}

// What a crash leaves behind is offered at the next start.
void TestConfigWindow::crashLosesNothing() {
  const QString file = write(QStringLiteral("a.yaml"), "a: 1\n");
  {
    AutosaveFolder crashed(m_session->unsavedRoot());
    autosave_store::write(crashed.newFile(), file, "a: 12345\n");
  }
  {
    MainWindow window(*m_session);
    window.show();
    auto* bar = window.findChild<MessageBar*>();
    QTRY_VERIFY(bar->isVisible());
    press(window, "messageAction");
    QTRY_VERIFY(window.configs()->currentDocument());
    const ConfigDocument* document = window.configs()->currentDocument();
    QCOMPARE(document->bytes(), QByteArray("a: 12345\n"));
    QVERIFY(document->isModified());
    QCOMPARE(read(QStringLiteral("a.yaml")), QByteArray("a: 1\n"));
    // Kept again while it is not saved.
    QTRY_VERIFY_WITH_TIMEOUT(!QDir(m_session->unsavedRoot()).entryList(QDir::Dirs | QDir::NoDotAndDotDot).isEmpty(),
                             5000);
    action(window, "save")->trigger();
    QTRY_COMPARE(read(QStringLiteral("a.yaml")), QByteArray("a: 12345\n"));
  }
  QTRY_VERIFY(autosave_store::leftBehind(m_session->unsavedRoot()).isEmpty());
}

void TestConfigWindow::refusedEditOffersAnOverride() {
  MainWindow window(*m_session);
  window.show();
  const ConfigDocument* document = open(window, QStringLiteral("a.yaml"), "base: &b {x: 1}\nuse:\n  <<: *b\n  y: 2\n");
  type(window, {"use", "x"}, QStringLiteral("9"));
  QTRY_VERIFY(window.findChild<MessageBar*>()->isVisible());
  press(window, "messageAction");
  QTRY_VERIFY(document->isModified());
  settle(document);
  QCOMPARE(document->snapshot().own->select("use.x")->as_int(), 9);
  QCOMPARE(document->snapshot().own->select("base.x")->as_int(), 1);
}

void TestConfigWindow::findGoesWhereTheFocusIs() {
  MainWindow window(*m_session);
  window.show();
  window.activateWindow();
  open(window, QStringLiteral("a.yaml"), kRun);
  ConfigForm* form = window.configs()->current()->form();
  form->tree()->setFocus();
  QTest::keyClick(form->tree(), Qt::Key_F, Qt::ControlModifier);
  QTRY_VERIFY(qobject_cast<QLineEdit*>(window.focusWidget()));
  QVERIFY(form->isAncestorOf(window.focusWidget()));
}

void TestConfigWindow::sourceOfAnotherFileOpensIt() {
  MainWindow window(*m_session);
  window.show();
  const QString base = write(QStringLiteral("base.yaml"), "a: 1\nb: 2\n");
  open(window, QStringLiteral("a.yaml"), "c: 1\n");
  window.configs()->showPlace(base, 2, 1);
  QTRY_COMPARE(window.configs()->currentDocument()->path(), base);
  QTRY_COMPARE(window.configs()->current()->textEdit()->textCursor().blockNumber(), 1);
}

void TestConfigWindow::controlsAreNamed() {
  MainWindow window(*m_session);
  window.show();
  open(window, QStringLiteral("a.yaml"), kRun);
  for (const QWidget* widget : window.configs()->findChildren<QWidget*>()) {
    if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisibleTo(&window)) continue;
    if (qobject_cast<const QTabBar*>(widget) || widget->objectName().startsWith(QLatin1String("qt_"))) continue;
    QVERIFY2(!widget->accessibleName().isEmpty(), widget->metaObject()->className());
  }
}

QTEST_MAIN(TestConfigWindow)
#include "tst_config_window.moc"
