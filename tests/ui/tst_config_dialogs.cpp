#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>

#include "dialogs/changes_dialog.h"
#include "dialogs/save_merged_dialog.h"
#include "documents/config_document.h"
#include "views/diff_view.h"
#include "views/message_bar.h"
#include "views/theme.h"
#include "worker/line_diff.h"

using namespace attnscope::ui;

class TestConfigDialogs : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase();
  void init();
  void cleanup();
  void lineDiffs_data();
  void lineDiffs();
  void randomDiffsAreRight();
  void hugeDiffsAreCut();
  void diffShowsWhatChanges();
  void diffColoursFollowTheTheme();
  void changesDialogCompares();
  void asEditedShowsTheBytesThatChange();
  void savesAsEdited();
  void savesResolvedBesideIt();
  void onlyChangesAndDotlist();
  void brokenTextCannotBeMade();
  void failedSaveIsSaid();
  void pathIsChecked();
  void followsTheDocument();
  void stateIsKept();
  void everyControlIsNamed();
  void pictures_data();
  void pictures();

 private:
  void open(const QByteArray& bytes);
  void type(const QByteArray& was, const QByteArray& is);
  void choose(const char* form);
  QString preview() const { return m_dialog->findChild<DiffView*>()->toPlainText(); }
  QString label(const char* name) const { return m_dialog->findChild<QLabel*>(QLatin1String(name))->text(); }
  QLineEdit* path() const { return m_dialog->findChild<QLineEdit*>(QStringLiteral("savePath")); }
  QPushButton* save() const { return m_dialog->findChild<QPushButton*>(QStringLiteral("saveButton")); }
  QByteArray read(const QString& name) const;

  std::unique_ptr<QTemporaryDir> m_dir;
  std::unique_ptr<ConfigDocument> m_document;
  std::unique_ptr<SaveMergedDialog> m_dialog;
};

namespace {

// "-a +b  c": a diff to be read at a glance.
QString compact(const QByteArray& before, const QByteArray& after) {
  QStringList out;
  for (const DiffLine& line : lineDiff(before, after)) {
    static const QString signs[] = {QStringLiteral("="), QStringLiteral("-"), QStringLiteral("+")};
    out << signs[int(line.kind)] + QString::fromUtf8(line.text).trimmed();
  }
  return out.join(u' ');
}

}  // namespace

void TestConfigDialogs::initTestCase() {
  QStandardPaths::setTestModeEnabled(true);
  theme::apply(theme::Kind::Light);
  QDir().mkpath(QStringLiteral(ATTNSCOPE_BINARY_DIR "/screenshots"));
}

void TestConfigDialogs::init() { m_dir = std::make_unique<QTemporaryDir>(); }

void TestConfigDialogs::cleanup() {
  m_dialog.reset();
  m_document.reset();
}

void TestConfigDialogs::open(const QByteArray& bytes) {
  m_dialog.reset();
  QFile file(m_dir->filePath(QStringLiteral("demo.yaml")));
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(bytes);
  file.close();
  m_document = std::make_unique<ConfigDocument>();
  QSignalSpy opened(m_document.get(), &ConfigDocument::opened);
  m_document->open(file.fileName());
  QTRY_COMPARE(opened.size(), 1);
  QTRY_VERIFY(!m_document->isBusy());
  m_dialog = std::make_unique<SaveMergedDialog>(m_document.get());
}

void TestConfigDialogs::type(const QByteArray& was, const QByteArray& is) {
  const int at = m_document->positionOfByte(m_document->bytes().indexOf(was));
  m_document->replaceText(at, int(was.size()), QString::fromUtf8(is));
  QTRY_VERIFY(!m_document->isBusy());
}

void TestConfigDialogs::choose(const char* form) {
  auto* radio = m_dialog->findChild<QRadioButton*>(QLatin1String(form));
  QTest::mouseClick(radio, Qt::LeftButton, {}, QPoint(8, radio->height() / 2));
  QVERIFY(radio->isChecked());
}

QByteArray TestConfigDialogs::read(const QString& name) const {
  QFile file(m_dir->filePath(name));
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// ---- Differences

void TestConfigDialogs::lineDiffs_data() {
  QTest::addColumn<QByteArray>("before");
  QTest::addColumn<QByteArray>("after");
  QTest::addColumn<QString>("expected");
  const auto row = [](const char* name, const char* before, const char* after, const char* expected) {
    QTest::newRow(name) << QByteArray(before) << QByteArray(after) << QString::fromLatin1(expected);
  };
  row("same", "a\nb\n", "a\nb\n", "=a =b");
  row("empty", "", "", "");
  row("from nothing", "", "a\n", "+a");
  row("to nothing", "a\n", "", "-a");
  row("changed", "a\nb\nc\n", "a\nx\nc\n", "=a -b +x =c");
  row("far apart", "a\nb\nc\nd\ne\n", "x\nb\nc\nd\ny\n", "-a +x =b =c =d -e +y");
  row("moved", "a\nb\nc\n", "b\nc\na\n", "-a =b =c +a");
  row("repeated", "a\na\na\n", "a\na\n", "=a =a -a");
  row("line end only", "a\r\nb\n", "a\nb\n", "-a +a =b");
  row("last line end", "a\nb", "a\nb\n", "=a -b +b");
}

void TestConfigDialogs::lineDiffs() {
  QFETCH(QByteArray, before);
  QFETCH(QByteArray, after);
  QTEST(compact(before, after), "expected");
}

void TestConfigDialogs::randomDiffsAreRight() {
  srand(3);
  for (int i = 0; i < 300; ++i) {
    QByteArray texts[2];
    for (QByteArray& text : texts)
      for (int line = rand() % 30; line > 0; --line) text += QByteArray(1, char('a' + rand() % 5)) + '\n';
    QByteArray before, after;
    int beforeLine = 0, afterLine = 0;
    for (const DiffLine& line : lineDiff(texts[0], texts[1])) {
      if (line.kind != DiffLine::Kind::Added) {
        before += line.text;
        QCOMPARE(line.before, ++beforeLine);
      }
      if (line.kind != DiffLine::Kind::Removed) {
        after += line.text;
        QCOMPARE(line.after, ++afterLine);
      }
    }
    QCOMPARE(before, texts[0]);
    QCOMPARE(after, texts[1]);
  }
}

void TestConfigDialogs::hugeDiffsAreCut() {
  QByteArray before, after;
  for (int i = 0; i < 20000; ++i) {
    before += "a" + QByteArray::number(i) + '\n';
    after += "b" + QByteArray::number(i) + '\n';
  }
  QElapsedTimer clock;
  clock.start();
  QCOMPARE(lineDiff("same\n" + before, "same\n" + after).size(), 40001);
  QVERIFY2(clock.elapsed() < 1000, qPrintable(QString::number(clock.elapsed())));
  // Few changes in a long text are still found one by one.
  after = before;
  after.replace("a10\n", "x\n").replace("a19990\n", "y\n");
  QCOMPARE(lineDiff(before, after).size(), 20002);
}

void TestConfigDialogs::diffShowsWhatChanges() {
  DiffView view;
  QSignalSpy compared(&view, &DiffView::compared);
  view.showDiff("a: 1\nb: 2\nc: 3\nd: 4\ne: 5\nf: 6\r\n", "a: 1\nb: 2\nc: 3\nd: 4\ne: 57\nf: 6\n");
  QTRY_COMPARE(compared.size(), 1);
  QCOMPARE(compared[0][0].toInt(), 2);
  QCOMPARE(compared[0][1].toInt(), 2);
  QCOMPARE(view.toPlainText(), QStringLiteral("Line 2\n  b: 2\n  c: 3\n  d: 4\n- e: 5\n- f: 6␍\n+ e: 57\n+ f: 6"));
  const QTextBlock removed = view.document()->findBlockByNumber(4);
  QCOMPARE(view.document()->findBlockByNumber(1).begin().fragment().charFormat().foreground().style(), Qt::NoBrush);
  QCOMPARE(removed.blockFormat().background().color(), theme::tint(view.palette(), theme::broken(view.palette()), 16));
  view.showDiff("a\n", "a");
  QTRY_COMPARE(compared.size(), 2);
  QVERIFY(view.toPlainText().contains(QStringLiteral("no line end")));
  view.showDiff("a\n", "a\n");
  QTRY_COMPARE(compared.size(), 3);
  QCOMPARE(view.toPlainText(), QString());
  QVERIFY(!view.placeholderText().isEmpty());
}

void TestConfigDialogs::diffColoursFollowTheTheme() {
  DiffView view;
  QSignalSpy compared(&view, &DiffView::compared);
  view.show();
  view.showDiff("a\n", "b\n");
  QTRY_COMPARE(compared.size(), 1);
  theme::apply(theme::Kind::Dark);
  const QPalette dark = QApplication::palette();
  QTRY_COMPARE(view.document()->findBlockByNumber(1).blockFormat().background().color(),
               theme::tint(dark, theme::broken(dark), 16));
  theme::apply(theme::Kind::Light);
}

void TestConfigDialogs::changesDialogCompares() {
  ChangesDialog dialog(QStringLiteral("Changes of demo.yaml"), QStringLiteral("On disk"), "seed: 1\n",
                       QStringLiteral("Shown here"), "seed: 2\nname: x\n");
  dialog.open();
  QVERIFY(QTest::qWaitForWindowActive(&dialog));
  auto* summary = dialog.findChild<QLabel*>(QStringLiteral("changesSummary"));
  QTRY_COMPARE(summary->text(), QStringLiteral("1 line removed, 2 lines added"));
  QVERIFY(dialog.findChild<DiffView*>()->toPlainText().contains(QStringLiteral("- seed: 1\n+ seed: 2")));
  QCOMPARE(dialog.windowTitle(), QStringLiteral("Changes of demo.yaml"));
  QTest::keyClick(&dialog, Qt::Key_Escape);
  QVERIFY(!dialog.isVisible());
}

// ---- Saving

void TestConfigDialogs::asEditedShowsTheBytesThatChange() {
  open("# why\nseed: 0 # dice\nname: x\n");
  m_dialog->open();
  QTRY_COMPARE(label("previewSummary"), QStringLiteral("The text is as it was saved: nothing would change."));
  type("seed: 0", "seed: 31");
  QTRY_VERIFY(preview().contains(QStringLiteral("- seed: 0 # dice\n+ seed: 31 # dice")));
  QCOMPARE(label("previewSummary"), QStringLiteral("The file would change: 1 line removed, 1 line added."));
  QCOMPARE(path()->text(), m_document->path());
  QVERIFY(save()->isEnabled());
}

void TestConfigDialogs::savesAsEdited() {
  open("seed: 0 # dice\n");
  type("0", "31");
  m_dialog->open();
  QTRY_VERIFY(save()->isEnabled());
  QSignalSpy written(m_dialog.get(), &SaveMergedDialog::written);
  QTest::keyClick(path(), Qt::Key_Return);
  QTRY_COMPARE(written.size(), 1);
  QVERIFY(!m_dialog->isVisible());
  QVERIFY(!m_document->isModified());
  QCOMPARE(read(QStringLiteral("demo.yaml")), QByteArray("seed: 31 # dice\n"));
}

void TestConfigDialogs::savesResolvedBesideIt() {
  open("seed: 1 # dice\nagain: ${seed}\n");
  m_dialog->open();
  choose("formResolved");
  QTRY_COMPARE(preview(), QStringLiteral("seed: 1\nagain: 1\n"));
  QCOMPARE(path()->text(), m_dir->filePath(QStringLiteral("demo-resolved.yaml")));
  QTest::mouseClick(save(), Qt::LeftButton);
  QTRY_VERIFY(!m_dialog->isVisible());
  QCOMPARE(read(QStringLiteral("demo-resolved.yaml")), QByteArray("seed: 1\nagain: 1\n"));
  QCOMPARE(read(QStringLiteral("demo.yaml")), QByteArray("seed: 1 # dice\nagain: ${seed}\n"));
}

void TestConfigDialogs::onlyChangesAndDotlist() {
  open("seed: 1\nmodel:\n  path: m\n  dtype: float32\ngone: 1\n");
  type("float32", "bfloat16");
  type("gone: 1\n", "");
  m_dialog->open();
  choose("formOnlyChanges");
  QTRY_VERIFY(preview().contains(QStringLiteral("model:\n  dtype: bfloat16\n")));
  QVERIFY(!preview().contains(QStringLiteral("path: m")));
  QVERIFY(preview().contains(QStringLiteral("gone")));
  QVERIFY(label("previewSummary").contains(QStringLiteral("taken out")));
  choose("formDotlist");
  QTRY_VERIFY(preview().contains(QStringLiteral("model.dtype=bfloat16\n")));
  QCOMPARE(path()->text(), m_dir->filePath(QStringLiteral("demo-changes.txt")));
}

void TestConfigDialogs::brokenTextCannotBeMade() {
  open("seed: 1\n");
  type("1", "[");
  m_dialog->open();
  QTRY_VERIFY(save()->isEnabled());  // the text itself may be saved
  choose("formResolved");
  auto* message = m_dialog->findChild<MessageBar*>();
  QTRY_VERIFY(message->isVisible());
  QVERIFY(message->text().contains(QStringLiteral("cannot be read")));
  QVERIFY(!save()->isEnabled());
  choose("formAsEdited");
  QVERIFY(!message->isVisible());
  QTRY_VERIFY(save()->isEnabled());
}

void TestConfigDialogs::failedSaveIsSaid() {
  open("seed: 1\n");
  QVERIFY(QDir(m_dir->path()).mkdir(QStringLiteral("sub")));
  m_dialog->open();
  choose("formResolved");
  QTRY_VERIFY(save()->isEnabled());
  path()->setText(m_dir->filePath(QStringLiteral("sub/x.yaml")));
  QVERIFY(save()->isEnabled());
  QVERIFY(QDir(m_dir->path()).rmdir(QStringLiteral("sub")));
  QTest::mouseClick(save(), Qt::LeftButton);
  auto* message = m_dialog->findChild<MessageBar*>();
  QTRY_VERIFY(message->isVisible());
  QVERIFY(m_dialog->isVisible());
  QVERIFY(!preview().isEmpty());
}

void TestConfigDialogs::pathIsChecked() {
  open("seed: 1\n");
  m_dialog->open();
  choose("formResolved");
  QTRY_VERIFY(save()->isEnabled());
  QVERIFY(label("savePathNote").isEmpty());
  path()->setText(m_document->path());
  QVERIFY(label("savePathNote").contains(QStringLiteral("own file")));
  QVERIFY(save()->isEnabled());
  path()->setText(m_dir->path());
  QVERIFY(label("savePathNote").contains(QStringLiteral("folder")));
  QVERIFY(!save()->isEnabled());
  path()->clear();
  QVERIFY(!save()->isEnabled());
  path()->setText(m_dir->filePath(QStringLiteral("no/where.yaml")));
  QVERIFY(!save()->isEnabled());
  QFile other(m_dir->filePath(QStringLiteral("other.yaml")));
  QVERIFY(other.open(QIODevice::WriteOnly));
  other.close();
  path()->clear();
  QTest::keyClicks(path(), other.fileName());
  QVERIFY(label("savePathNote").contains(QStringLiteral("replaced")));
  choose("formDotlist");
  QCOMPARE(path()->text(), other.fileName());  // what the user named stays
}

void TestConfigDialogs::followsTheDocument() {
  open("seed: 1\nagain: ${seed}\n");
  m_dialog->open();
  choose("formResolved");
  QTRY_VERIFY(preview().contains(QStringLiteral("again: 1\n")));
  type("seed: 1", "seed: 2");
  QTRY_VERIFY(preview().contains(QStringLiteral("again: 2\n")));
}

void TestConfigDialogs::stateIsKept() {
  open("seed: 1\n");
  m_dialog->resize(700, 600);
  m_dialog->open();
  choose("formDotlist");
  const QByteArray state = m_dialog->saveState();
  SaveMergedDialog other(m_document.get());
  other.restoreState(state);
  QCOMPARE(other.size(), QSize(700, 600));
  QCOMPARE(other.form(), SaveForm::Dotlist);
  other.restoreState("nonsense");
  QCOMPARE(other.form(), SaveForm::Dotlist);
}

void TestConfigDialogs::everyControlIsNamed() {
  open("seed: 1\n");
  m_dialog->open();
  for (QWidget* widget : m_dialog->findChildren<QWidget*>()) {
    if (widget->focusPolicy() == Qt::NoFocus || widget->objectName().startsWith(QLatin1String("qt_"))) continue;
    if (qobject_cast<QLabel*>(widget)) continue;
    QVERIFY2(!widget->objectName().isEmpty(), widget->metaObject()->className());
    QVERIFY2(!widget->accessibleName().isEmpty(), qPrintable(widget->objectName()));
    QVERIFY2(!widget->toolTip().isEmpty(), qPrintable(widget->objectName()));
  }
}

void TestConfigDialogs::pictures_data() {
  QTest::addColumn<int>("kind");
  QTest::newRow("light") << int(theme::Kind::Light);
  QTest::newRow("dark") << int(theme::Kind::Dark);
}

void TestConfigDialogs::pictures() {
  QFETCH(int, kind);
  theme::apply(theme::Kind(kind));
  QFile demo(QStringLiteral(ATTNSCOPE_SOURCE_DIR "/configs/demo.yaml"));
  QVERIFY(demo.open(QIODevice::ReadOnly));
  open(demo.readAll());
  type("seed: 0", "seed: 31");
  type("  dtype: float32", "  dtype: bfloat16");
  type("  png16: false # the maps alone, 16 bits a pixel\n", "");
  m_dialog->open();
  const auto picture = [&](QWidget& widget, const char* what) {
    QTest::qWait(100);
    const QString scale = widget.devicePixelRatio() > 1 ? QStringLiteral("-200") : QString();
    const QString name =
        QStringLiteral("%1-%2%3").arg(QLatin1String(what), QLatin1String(QTest::currentDataTag()), scale);
    QVERIFY(widget.grab().save(QStringLiteral(ATTNSCOPE_BINARY_DIR "/screenshots/%1.png").arg(name)));
  };
  QTRY_VERIFY(preview().contains(QStringLiteral("+ seed: 31")));
  picture(*m_dialog, "save-as-edited");
  choose("formOnlyChanges");
  QTRY_VERIFY(preview().contains(QStringLiteral("dtype: bfloat16")));
  picture(*m_dialog, "save-only-changes");
  ChangesDialog changes(QStringLiteral("Changes of demo.yaml"), QStringLiteral("On disk"), m_document->savedBytes(),
                        QStringLiteral("Shown here"), m_document->bytes());
  changes.open();
  QTRY_VERIFY(changes.findChild<DiffView*>()->toPlainText().contains(QStringLiteral("+ seed")));
  picture(changes, "changes");
  theme::apply(theme::Kind::Light);
}

QTEST_MAIN(TestConfigDialogs)
#include "tst_config_dialogs.moc"
