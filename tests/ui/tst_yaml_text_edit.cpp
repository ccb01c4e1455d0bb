#include <random>

#include <QAction>
#include <QClipboard>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QMimeData>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <QTextLayout>

#include "documents/config_document.h"
#include "views/config_text_pane.h"
#include "views/find_bar.h"
#include "views/line_number_area.h"
#include "views/theme.h"
#include "views/yaml_text_edit.h"
#include "views/yaml_tokens.h"

using namespace attnscope::ui;

class TestYamlTextEdit : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase();
  void init();
  void cleanup();
  void coloursFollowTheTheme();
  void openedQuoteColoursTheRest();
  void typingIsOneUndoStep();
  void movingAndEnterEndTyping();
  void pauseEndsTyping();
  void undoShowsWhereItHappened();
  void windowGetsUndo();
  void formEditKeepsCursorAndScroll();
  void windowsLineEndsStay();
  void pasteOfWindowsText();
  void odderCharacters();
  void inputMethod();
  void indentation();
  void comments();
  void findAndGoToLine();
  void windowsFindIsNotTaken();
  void brokenTextIsUnderlined();
  void placesAreShown();
  void clickSaysThePlace();
  void lineNumberSelectsTheLine();
  void droppedFilesAreNotInserted();
  void randomEditsStayInStep();
  void longFileTypesSmoothly();
  void hugeFileDoesNotStopTheWindow();
  void everyControlIsNamed();

 private:
  // A pane with a document of this text, shown and with the focus.
  void open(const QByteArray& bytes);
  YamlTextEdit* editor() const { return m_pane->editor(); }
  void keys(const QString& text) { QTest::keyClicks(editor(), text); }
  void key(int key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(editor(), Qt::Key(key), modifiers); }
  void moveTo(int position);
  int undoSteps() const { return m_document->undoStack()->index(); }

  std::unique_ptr<QTemporaryDir> m_dir;
  std::unique_ptr<ConfigDocument> m_document;
  std::unique_ptr<QMainWindow> m_window;
  ConfigTextPane* m_pane = nullptr;
};

namespace {

QColor colourAt(QPlainTextEdit* editor, int position) {
  const QTextBlock block = editor->document()->findBlock(position);
  for (const QTextLayout::FormatRange& range : block.layout()->formats())
    if (range.start <= position - block.position() && position - block.position() < range.start + range.length)
      return range.format.foreground().color();
  return {};
}

QByteArray longConfig(int lines) {
  QByteArray text;
  for (int i = 0; i < lines / 4; ++i)
    text +=
        "group" + QByteArray::number(i) + ":\n  value: 0.5 # half\n  name: \"a text ${group0.value}\"\n  on: true\n";
  return text;
}

}  // namespace

void TestYamlTextEdit::initTestCase() {
  QStandardPaths::setTestModeEnabled(true);
  theme::apply(theme::Kind::Light);
  QDir().mkpath(QStringLiteral(ATTNSCOPE_BINARY_DIR "/screenshots"));
}

void TestYamlTextEdit::init() { m_dir = std::make_unique<QTemporaryDir>(); }

void TestYamlTextEdit::cleanup() {
  m_window.reset();
  m_document.reset();
}

void TestYamlTextEdit::open(const QByteArray& bytes) {
  QFile file(m_dir->filePath(QStringLiteral("a.yaml")));
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(bytes);
  file.close();
  m_document = std::make_unique<ConfigDocument>();
  QSignalSpy opened(m_document.get(), &ConfigDocument::opened);
  m_window = std::make_unique<QMainWindow>();
  m_pane = new ConfigTextPane(m_document.get());
  m_window->setCentralWidget(m_pane);
  m_window->resize(700, 500);
  m_window->show();
  m_document->open(file.fileName());
  QTRY_COMPARE(opened.size(), 1);
  QTRY_VERIFY(!m_document->isBusy());
  QTRY_VERIFY(!editor()->isFilling());
  QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
  editor()->setFocus();
}

void TestYamlTextEdit::moveTo(int position) {
  QTextCursor cursor = editor()->textCursor();
  cursor.setPosition(position);
  editor()->setTextCursor(cursor);
}

// ---- Colours

void TestYamlTextEdit::coloursFollowTheTheme() {
  open("seed: 3\n");
  const QColor light = theme::token(editor()->palette(), YamlToken::Number);
  QTRY_COMPARE(colourAt(editor(), 6), light);
  theme::apply(theme::Kind::Dark);
  const QColor dark = theme::token(QApplication::palette(), YamlToken::Number);
  QVERIFY(light != dark);
  QTRY_COMPARE(colourAt(editor(), 6), dark);
  theme::apply(theme::Kind::Light);
  QTRY_COMPARE(colourAt(editor(), 6), light);
}

void TestYamlTextEdit::openedQuoteColoursTheRest() {
  open(longConfig(3000));
  const QColor text = theme::token(editor()->palette(), YamlToken::Text);
  const QColor keyColour = theme::token(editor()->palette(), YamlToken::Key);
  const int last = editor()->document()->findBlockByNumber(2996).position();
  QTRY_COMPARE(colourAt(editor(), last), keyColour);
  moveTo(0);
  keys(QStringLiteral("a: 'x"));
  key(Qt::Key_Return);
  const int there = editor()->document()->findBlockByNumber(2997).position();
  QTRY_COMPARE(colourAt(editor(), there), text);
  m_document->undoStack()->setIndex(0);
  QTRY_COMPARE(colourAt(editor(), last), keyColour);
}

// ---- In step with the document

void TestYamlTextEdit::typingIsOneUndoStep() {
  open("seed: 3\nname: x\n");
  moveTo(7);
  keys(QStringLiteral("42"));
  QCOMPARE(m_document->bytes(), QByteArray("seed: 342\nname: x\n"));
  QCOMPARE(undoSteps(), 1);
  QVERIFY(m_document->isModified());
  m_document->undoStack()->undo();
  QCOMPARE(editor()->toPlainText(), QStringLiteral("seed: 3\nname: x\n"));
  QVERIFY(!m_document->isModified());
  m_document->undoStack()->redo();
  QCOMPARE(editor()->toPlainText(), QStringLiteral("seed: 342\nname: x\n"));
  QCOMPARE(editor()->text(), m_document->text());
}

void TestYamlTextEdit::movingAndEnterEndTyping() {
  open("a: 1\nb: 2\n");
  moveTo(4);
  keys(QStringLiteral("23"));
  key(Qt::Key_Down);
  keys(QStringLiteral("4"));
  QCOMPARE(undoSteps(), 2);
  key(Qt::Key_Return);
  QCOMPARE(undoSteps(), 3);
  keys(QStringLiteral("c: 5"));
  QCOMPARE(undoSteps(), 4);
  QCOMPARE(m_document->bytes(), QByteArray("a: 123\nb: 24\nc: 5\n"));
  m_document->undoStack()->undo();
  m_document->undoStack()->undo();
  QCOMPARE(m_document->bytes(), QByteArray("a: 123\nb: 24\n"));
}

void TestYamlTextEdit::pauseEndsTyping() {
  open("a: 1\n");
  moveTo(4);
  keys(QStringLiteral("2"));
  QTest::qWait(1200);
  keys(QStringLiteral("3"));
  QCOMPARE(undoSteps(), 2);
}

void TestYamlTextEdit::undoShowsWhereItHappened() {
  open(longConfig(400));
  moveTo(0);
  keys(QStringLiteral("# "));
  moveTo(editor()->document()->characterCount() - 1);
  QVERIFY(editor()->verticalScrollBar()->value() > 100);
  m_document->undoStack()->undo();
  QCOMPARE(editor()->textCursor().position(), 0);
  QCOMPARE(editor()->verticalScrollBar()->value(), 0);
}

void TestYamlTextEdit::windowGetsUndo() {
  open("a: 1\n");
  for (const auto& [name, keys] : {std::pair{"undo", "Ctrl+Z"}, std::pair{"redo", "Ctrl+Shift+Z"}}) {
    auto* action = new QAction(m_window.get());
    action->setObjectName(QLatin1String(name));
    action->setShortcut(QKeySequence(QLatin1String(keys)));
    m_window->addAction(action);
  }
  connect(m_window->findChild<QAction*>(QStringLiteral("undo")), &QAction::triggered, m_document->undoStack(),
          &QUndoStack::undo);
  connect(m_window->findChild<QAction*>(QStringLiteral("redo")), &QAction::triggered, m_document->undoStack(),
          &QUndoStack::redo);
  moveTo(4);
  keys(QStringLiteral("2"));
  key(Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(m_document->bytes(), QByteArray("a: 1\n"));
  key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  QCOMPARE(m_document->bytes(), QByteArray("a: 12\n"));
  QVERIFY(!editor()->document()->isUndoAvailable());
}

void TestYamlTextEdit::formEditKeepsCursorAndScroll() {
  open(longConfig(400));
  auto* elsewhere = new QLineEdit(m_window.get());
  elsewhere->show();
  elsewhere->setFocus();
  editor()->verticalScrollBar()->setValue(100);
  moveTo(editor()->document()->findBlockByNumber(105).position() + 3);
  editor()->verticalScrollBar()->setValue(100);
  Q_EMIT m_document->textReplaced(0, 0, QStringLiteral("# one\n# two\n"));
  QCOMPARE(editor()->textCursor().blockNumber(), 107);
  QCOMPARE(editor()->textCursor().positionInBlock(), 3);
  QCOMPARE(editor()->verticalScrollBar()->value(), 102);
  QCOMPARE(undoSteps(), 0);  // not an echo
}

void TestYamlTextEdit::windowsLineEndsStay() {
  open(
      "\xEF\xBB\xBF"
      "a: 1\r\nb: 2\r\n");
  QCOMPARE(editor()->toPlainText(), QStringLiteral("a: 1\nb: 2\n"));
  moveTo(9);
  keys(QStringLiteral("3"));
  key(Qt::Key_Return);
  keys(QStringLiteral("c: 4"));
  QCOMPARE(m_document->bytes(), QByteArray("\xEF\xBB\xBF"
                                           "a: 1\r\nb: 23\r\nc: 4\r\n"));
  while (m_document->undoStack()->canUndo()) m_document->undoStack()->undo();
  QCOMPARE(m_document->bytes(), QByteArray("\xEF\xBB\xBF"
                                           "a: 1\r\nb: 2\r\n"));
  QCOMPARE(editor()->text(), m_document->text());
}

void TestYamlTextEdit::pasteOfWindowsText() {
  open("a: 1\n");
  moveTo(5);
  QGuiApplication::clipboard()->setText(QStringLiteral("b: 2\r\nc:\u00a0x\r\n"));
  key(Qt::Key_V, Qt::ControlModifier);
  QCOMPARE(m_document->bytes(), QByteArray("a: 1\nb: 2\nc:\xC2\xA0x\n"));
  QCOMPARE(editor()->text(), m_document->text());
}

void TestYamlTextEdit::odderCharacters() {
  open("a: \"\xF0\x9F\x98\x80\xF0\x9F\x98\x81 \xC2\xA0\xE2\x80\xA8x\"\n");
  moveTo(6);  // between the two faces
  keys(QStringLiteral("y"));
  QCOMPARE(m_document->bytes(), QByteArray("a: \"\xF0\x9F\x98\x80y\xF0\x9F\x98\x81 \xC2\xA0\xE2\x80\xA8x\"\n"));
  // Faces share half of their code: what is replaced is never half a character.
  QTextCursor cursor = editor()->textCursor();
  cursor.setPosition(4);
  cursor.setPosition(6, QTextCursor::KeepAnchor);
  editor()->setTextCursor(cursor);
  QGuiApplication::clipboard()->setText(QString::fromUtf8("\xF0\x9F\x98\x82"));
  key(Qt::Key_V, Qt::ControlModifier);
  QCOMPARE(m_document->bytes(), QByteArray("a: \"\xF0\x9F\x98\x82y\xF0\x9F\x98\x81 \xC2\xA0\xE2\x80\xA8x\"\n"));
  QCOMPARE(editor()->text(), m_document->text());
}

void TestYamlTextEdit::inputMethod() {
  open("a: \n");
  moveTo(3);
  QInputMethodEvent composing(QStringLiteral("に"), {});
  QCoreApplication::sendEvent(editor(), &composing);
  QCOMPARE(m_document->bytes(), QByteArray("a: \n"));
  QInputMethodEvent done;
  done.setCommitString(QStringLiteral("日本"));
  QCoreApplication::sendEvent(editor(), &done);
  QCOMPARE(m_document->bytes(), QByteArray("a: 日本\n"));
  QCOMPARE(undoSteps(), 1);
}

// ---- Keys

void TestYamlTextEdit::indentation() {
  open("a:\n    b: 1\nc: 2\n");
  moveTo(3 + 8);
  key(Qt::Key_Return);
  keys(QStringLiteral("d:"));
  key(Qt::Key_Return);
  keys(QStringLiteral("e: 3"));
  QCOMPARE(m_document->bytes(), QByteArray("a:\n    b: 1\n    d:\n        e: 3\nc: 2\n"));
  key(Qt::Key_Return);
  key(Qt::Key_Backspace);
  keys(QStringLiteral("f: 4"));
  QCOMPARE(m_document->bytes(), QByteArray("a:\n    b: 1\n    d:\n        e: 3\n    f: 4\nc: 2\n"));
  const int steps = undoSteps();
  QTextCursor cursor = editor()->textCursor();
  cursor.setPosition(3);
  cursor.setPosition(14, QTextCursor::KeepAnchor);
  editor()->setTextCursor(cursor);
  key(Qt::Key_Tab);
  QCOMPARE(m_document->bytes(), QByteArray("a:\n        b: 1\n        d:\n        e: 3\n    f: 4\nc: 2\n"));
  QCOMPARE(undoSteps(), steps + 1);
  key(Qt::Key_Backtab, Qt::ShiftModifier);
  QCOMPARE(m_document->bytes(), QByteArray("a:\n    b: 1\n    d:\n        e: 3\n    f: 4\nc: 2\n"));
  moveTo(1);
  key(Qt::Key_Tab);  // to the next step, counted from the line's beginning
  QVERIFY(m_document->bytes().startsWith("a   :\n"));
  open("- x:\n  - 1\n");
  moveTo(4);
  key(Qt::Key_Return);
  QVERIFY(m_document->bytes().startsWith("- x:\n    \n"));
}

void TestYamlTextEdit::comments() {
  open("a:\n  b: 1\n\n  c: 2\n");
  QTextCursor cursor = editor()->textCursor();
  cursor.setPosition(4);
  cursor.setPosition(14, QTextCursor::KeepAnchor);
  editor()->setTextCursor(cursor);
  key(Qt::Key_Slash, Qt::ControlModifier);
  QCOMPARE(m_document->bytes(), QByteArray("a:\n  # b: 1\n\n  # c: 2\n"));
  QCOMPARE(undoSteps(), 1);
  key(Qt::Key_Slash, Qt::ControlModifier);
  QCOMPARE(m_document->bytes(), QByteArray("a:\n  b: 1\n\n  c: 2\n"));
  QCOMPARE(undoSteps(), 2);
}

void TestYamlTextEdit::findAndGoToLine() {
  open("seed: 1\nmodel: x\nSeed: 2\n# seed\n");
  moveTo(0);
  key(Qt::Key_F, Qt::ControlModifier);
  auto* text = m_pane->findChild<QLineEdit*>(QStringLiteral("findText"));
  auto* result = m_pane->findChild<QLabel*>(QStringLiteral("findResult"));
  QVERIFY(text->hasFocus());
  QTest::keyClicks(text, QStringLiteral("seed"));
  QCOMPARE(editor()->textCursor().selectedText(), QStringLiteral("seed"));
  QTRY_COMPARE(result->text(), QStringLiteral("1 of 3"));
  QTest::keyClick(text, Qt::Key_Return);
  QCOMPARE(editor()->textCursor().selectedText(), QStringLiteral("Seed"));
  QTRY_COMPARE(result->text(), QStringLiteral("2 of 3"));
  QTest::keyClick(text, Qt::Key_F3);
  QTest::keyClick(text, Qt::Key_F3);
  QTRY_COMPARE(result->text(), QStringLiteral("1 of 3"));  // round the end
  QTest::keyClick(text, Qt::Key_F3, Qt::ShiftModifier);
  QTRY_COMPARE(result->text(), QStringLiteral("3 of 3"));
  text->selectAll();
  QTest::keyClicks(text, QStringLiteral("nowhere"));
  QTRY_COMPARE(result->text(), QStringLiteral("not found"));
  QTest::keyClick(text, Qt::Key_Escape);
  QVERIFY(editor()->hasFocus());
  QVERIFY(!m_pane->findChild<FindBar*>()->isVisible());
  key(Qt::Key_G, Qt::ControlModifier);
  QTest::keyClicks(text, QStringLiteral("9"));
  QTest::keyClick(text, Qt::Key_Return);
  QCOMPARE(result->text(), QStringLiteral("lines are 1 to 5"));
  text->selectAll();
  QTest::keyClicks(text, QStringLiteral("3"));
  QTest::keyClick(text, Qt::Key_Return);
  QVERIFY(editor()->hasFocus());
  QCOMPARE(editor()->textCursor().blockNumber(), 2);
}

void TestYamlTextEdit::windowsFindIsNotTaken() {
  open("a: 1\n");
  auto* find = new QAction(m_window.get());
  find->setShortcut(QKeySequence::Find);
  m_window->addAction(find);
  QSignalSpy taken(find, &QAction::triggered);
  key(Qt::Key_F, Qt::ControlModifier);
  QCOMPARE(taken.size(), 0);
  QVERIFY(m_pane->findChild<FindBar*>()->isVisible());
}

// ---- What is said about the text

void TestYamlTextEdit::brokenTextIsUnderlined() {
  open("a: 1\nb: [1, 2\nc: 3\n");
  QVERIFY(!m_document->snapshot().parses);
  const ConfigIssue issue = m_document->snapshot().issues.first();
  QVERIFY(issue.line > 0);
  auto* numbers = m_pane->findChild<LineNumberArea*>();
  QTRY_COMPARE(numbers->marks().size(), 1);
  QCOMPARE(numbers->marks().firstKey(), issue.line);
  QCOMPARE(numbers->marks().first().level, Level::Error);
  QVERIFY(editor()->issueOfLine(issue.line).startsWith(issue.message));
  const auto waves = [this] {
    int count = 0;
    for (const QTextEdit::ExtraSelection& selection : editor()->extraSelections())
      count += selection.format.underlineStyle() == QTextCharFormat::WaveUnderline && selection.cursor.hasSelection();
    return count;
  };
  QCOMPARE(waves(), 1);
  const int there = m_document->positionOfLine(issue.line, issue.column);
  QVERIFY(editor()->issueAt(there).contains(issue.message));
  moveTo(there);
  QVERIFY(m_pane->findChild<QLabel*>(QStringLiteral("textStatus"))->text().contains(issue.message));
  moveTo(5 + 8);
  keys(QStringLiteral("]"));
  QTRY_VERIFY(m_document->snapshot().parses);
  QTRY_COMPARE(waves(), 0);
  QVERIFY(numbers->marks().isEmpty());
}

void TestYamlTextEdit::placesAreShown() {
  open(longConfig(400));
  QSignalSpy moved(m_pane, &ConfigTextPane::cursorMoved);
  m_pane->showPlace(300, 3);
  QCOMPARE(editor()->textCursor().blockNumber(), 299);
  QCOMPARE(editor()->textCursor().positionInBlock(), 2);
  const int top = editor()->verticalScrollBar()->value();
  QVERIFY(top > 250 && top < 299);
  int lit = 0;
  for (const QTextEdit::ExtraSelection& selection : editor()->extraSelections())
    lit += selection.format.hasProperty(QTextFormat::FullWidthSelection);
  QCOMPARE(lit, 2);  // the current line and the flash
  m_pane->showPlace(302, 1);
  QCOMPARE(editor()->verticalScrollBar()->value(), top);  // in view: nothing jumps
  m_pane->select(0, 6);
  QCOMPARE(editor()->textCursor().selectedText(), QStringLiteral("group0"));
  m_pane->showPlace(100000, 1);
  QCOMPARE(editor()->textCursor().blockNumber(), editor()->blockCount() - 1);
  QTest::qWait(150);
  QCOMPARE(moved.size(), 0);
  QTRY_COMPARE_WITH_TIMEOUT(editor()->extraSelections().size(), 1, 2000);
}

void TestYamlTextEdit::clickSaysThePlace() {
  open("a: 1\nb: 2\n");
  QSignalSpy moved(m_pane, &ConfigTextPane::cursorMoved);
  QTextCursor cursor(editor()->document());
  cursor.setPosition(8);
  QTest::mouseClick(editor()->viewport(), Qt::LeftButton, {}, editor()->cursorRect(cursor).center());
  QTRY_COMPARE(moved.size(), 1);
  QCOMPARE(moved[0][0].toInt(), 8);
  QCOMPARE(m_document->byteOfPosition(8), 8);
}

void TestYamlTextEdit::lineNumberSelectsTheLine() {
  open("a: 1\nb: 2\nc: 3\n");
  const YamlTextEdit::VisibleLine line = editor()->visibleLines(0, 500)[1];
  QTest::mouseClick(m_pane->findChild<LineNumberArea*>(), Qt::LeftButton, {}, QPoint(10, line.top + line.height / 2));
  QCOMPARE(editor()->textCursor().selectedText(), QStringLiteral("b: 2") + QChar::ParagraphSeparator);
}

void TestYamlTextEdit::droppedFilesAreNotInserted() {
  open("a: 1\n");
  QMimeData files;
  files.setUrls({QUrl::fromLocalFile(QStringLiteral("/x/b.yaml"))});
  const QPoint at = editor()->viewport()->rect().center();
  QDragEnterEvent enter(at, Qt::CopyAction, &files, Qt::LeftButton, {});
  QCoreApplication::sendEvent(editor()->viewport(), &enter);
  QVERIFY(!enter.isAccepted());
}

// ---- Much of it

void TestYamlTextEdit::randomEditsStayInStep() {
  open("# caf\xC3\xA9 \xF0\x9F\x98\x80\r\na:\r\n  - 1\r\n  - \"x\"\r\nb: |\r\n  text\r\n");
  const QByteArray before = m_document->bytes();
  std::mt19937 random(7);
  const auto any = [&](int below) { return int(random() % unsigned(std::max(1, below))); };
  const QStringList texts{QStringLiteral("x"),    QStringLiteral("k: 1\n"), QStringLiteral("日本\r\n"),
                          QString::fromUtf8("😀"), QStringLiteral("${a}"),   QStringLiteral("'")};
  for (int i = 0; i < 400; ++i) {
    const auto place = [&] {
      const int at = any(editor()->document()->characterCount());
      // Not into the middle of a character, where no key leads.
      return at > 0 && editor()->text()[at - 1].isHighSurrogate() ? at - 1 : at;
    };
    QTextCursor cursor = editor()->textCursor();
    cursor.setPosition(place());
    if (any(2)) cursor.setPosition(place(), QTextCursor::KeepAnchor);
    editor()->setTextCursor(cursor);
    switch (any(9)) {
      case 0: key(Qt::Key_Return); break;
      case 1: key(Qt::Key_Tab); break;
      case 2: key(Qt::Key_Backtab, Qt::ShiftModifier); break;
      case 3: key(Qt::Key_Slash, Qt::ControlModifier); break;
      case 4: key(any(2) ? Qt::Key_Backspace : Qt::Key_Delete); break;
      case 5: m_document->undoStack()->undo(); break;
      case 6: m_document->undoStack()->redo(); break;
      default: editor()->insertPlainText(texts[any(int(texts.size()))]); break;
    }
    QCOMPARE(editor()->text(), m_document->text());
    QCOMPARE(editor()->document()->characterCount() - 1, int(m_document->text().size()));
  }
  while (m_document->undoStack()->canUndo()) m_document->undoStack()->undo();
  QCOMPARE(m_document->bytes(), before);
  QCOMPARE(editor()->text(), m_document->text());
}

void TestYamlTextEdit::longFileTypesSmoothly() {
  const QByteArray text = longConfig(10000);
  YamlTextEdit edit;
  edit.resize(700, 500);
  edit.show();
  QVERIFY(QTest::qWaitForWindowActive(&edit));
  QElapsedTimer clock;
  clock.start();
  edit.setText(QString::fromUtf8(text));
  QTRY_VERIFY(!edit.isFilling());
  const qint64 opened = clock.elapsed();
  edit.showPlace(5000, 1);
  QTest::qWait(200);
  constexpr int kKeys = 200;
  clock.restart();
  for (int i = 0; i < kKeys; ++i) QTest::keyClick(&edit, Qt::Key(Qt::Key_A + i % 26));
  const double each = double(clock.nsecsElapsed()) / 1e6 / kKeys;
  qInfo("opened in %lld ms, %.2f ms a key", opened, each);
  QVERIFY2(each < 5, qPrintable(QString::number(each)));
  QVERIFY(edit.text().contains(QStringLiteral("abcdefghijklmnopqrstuvwxyzabc")));
}

void TestYamlTextEdit::hugeFileDoesNotStopTheWindow() {
  const QString text = QString::fromUtf8(longConfig(200000));
  YamlTextEdit edit;
  edit.resize(700, 500);
  edit.show();
  QVERIFY(QTest::qWaitForWindowActive(&edit));
  qint64 longest = 0;
  QElapsedTimer clock;
  QTimer heart;
  connect(&heart, &QTimer::timeout, this, [&] { longest = std::max(longest, clock.restart()); });
  heart.start(5);
  clock.start();
  edit.setText(text);
  edit.setIssues({{Level::Error, QStringLiteral("wrong"), {}, {}, {}, 199999, 3}});
  edit.showPlace(199999, 3);
  QVERIFY(edit.isReadOnly());
  QTest::keyClicks(&edit, QStringLiteral("x"));
  edit.applyChange(0, 0, QStringLiteral("# new\n"));  // starts again
  edit.showPlace(199999, 3);
  edit.setIssues({{Level::Error, QStringLiteral("wrong"), {}, {}, {}, 199999, 3}});
  QTRY_VERIFY_WITH_TIMEOUT(!edit.isFilling(), 30000);
  QVERIFY2(longest < 100, qPrintable(QString::number(longest)));
  qInfo("longest pause %lld ms", longest);
  QVERIFY(!edit.isReadOnly());
  QCOMPARE(edit.toPlainText(), QStringLiteral("# new\n") + text);
  QCOMPARE(edit.textCursor().blockNumber(), 199998);
  QCOMPARE(edit.issueOfLine(199999), QStringLiteral("wrong"));
}

void TestYamlTextEdit::everyControlIsNamed() {
  open("a: 1\n");
  for (QWidget* widget : m_pane->findChildren<QWidget*>()) {
    if (widget->focusPolicy() == Qt::NoFocus || widget->objectName().startsWith(QLatin1String("qt_"))) continue;
    if (qobject_cast<QScrollBar*>(widget) || widget->parent()->inherits("QLineEdit")) continue;
    QVERIFY2(!widget->objectName().isEmpty(), widget->metaObject()->className());
    key(Qt::Key_F, Qt::ControlModifier);
    QVERIFY2(!widget->accessibleName().isEmpty(), qPrintable(widget->objectName()));
  }
}

QTEST_MAIN(TestYamlTextEdit)
#include "tst_yaml_text_edit.moc"
