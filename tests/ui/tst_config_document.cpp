#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "documents/config_document.h"
#include "documents/text_positions.h"
#include "worker/autosave_store.h"

using namespace attnscope;
using namespace attnscope::ui;

// The config document: the text, the undo stack, the file. Views are tested on their own.
class TestConfigDocument : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init() { m_dir = std::make_unique<QTemporaryDir>(); }
  void positions_data();
  void positions();
  void editsAndUndo();
  void editsInOrder();
  void typingMerges();
  void typingAndFormTogether();
  void brokenTextKeepsTheTree();
  void crlfAndMarkStay();
  void refusedEditsAreSaid();
  void aliasIsOverriddenBeside();
  void changedLeavesAreKnown();
  void expressionsAreResolved();
  void saves();
  void savesAs();
  void saveKeepsWhatOthersWrote();
  void changedOnDisk();
  void goneFromDisk();
  void revertIsOneStep();
  void wrongFiles_data();
  void wrongFiles();
  void layersMerge();
  void valueOfABaseIsSetHere();
  void basesAreLayers();
  void forms();
  void unsavedTextIsKept();
  void textsLeftBehindAreFound();

 private:
  QString write(const QString& name, const QByteArray& bytes);
  QByteArray read(const QString& name) const;
  // Opens and waits for the first snapshot.
  std::unique_ptr<ConfigDocument> open(const QByteArray& bytes, const QString& name = QStringLiteral("a.yaml"));
  static void settle(const ConfigDocument& document);

  std::unique_ptr<QTemporaryDir> m_dir;
};

QString TestConfigDocument::write(const QString& name, const QByteArray& bytes) {
  const QString path = m_dir->filePath(name);
  QFile file(path);
  if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) qFatal("cannot write");
  return path;
}

QByteArray TestConfigDocument::read(const QString& name) const {
  QFile file(m_dir->filePath(name));
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("nothing");
}

void TestConfigDocument::settle(const ConfigDocument& document) { QTRY_VERIFY(!document.isBusy()); }

std::unique_ptr<ConfigDocument> TestConfigDocument::open(const QByteArray& bytes, const QString& name) {
  auto document = std::make_unique<ConfigDocument>();
  QSignalSpy opened(document.get(), &ConfigDocument::opened);
  document->open(write(name, bytes));
  if (!opened.wait()) qFatal("not opened");
  settle(*document);
  return document;
}

void TestConfigDocument::positions_data() {
  QTest::addColumn<QByteArray>("bytes");
  QTest::newRow("plain") << QByteArray("a: 1\nb: 2\n");
  QTest::newRow("no last newline") << QByteArray("a: 1\nb: 2");
  QTest::newRow("crlf") << QByteArray("a: 1\r\nb: 2\r\n\r\nc: 3");
  QTest::newRow("mark") << QByteArray(
      "\xEF\xBB\xBF"
      "a: \xC3\xA4\n");
  QTest::newRow("wide") << QByteArray("a: \xF0\x9F\x98\x80 x # \xE2\x88\x88\r\nb: \xE4\xBD\xA0\n");
  QTest::newRow("empty") << QByteArray("");
}

// Each place of the shown text goes to a byte and back, and the text between two places is the bytes between them.
void TestConfigDocument::positions() {
  QFETCH(QByteArray, bytes);
  const TextPositions positions(bytes);
  const QString shown = TextPositions::shown(bytes);
  for (int at = 0; at <= shown.size(); ++at) {
    if (at > 0 && at < shown.size() && shown[at].isLowSurrogate()) continue;
    const qsizetype byte = positions.byteOfPosition(at);
    QCOMPARE(positions.positionOfByte(byte), at);
    QCOMPARE(TextPositions::shown(bytes.left(byte)), shown.left(at));
  }
  int line = 1, column = 1;
  for (int at = 0; at < shown.size(); ++at) {
    if (shown[at].isLowSurrogate()) continue;
    QCOMPARE(positions.positionOfLine(line, column), at);
    ++column;
    if (shown[at] == QLatin1Char('\n')) ++line, column = 1;
  }
}

void TestConfigDocument::editsAndUndo() {
  const QByteArray before = "# keep\na: 1   # one\nb:\n  c: [ 1,2 ]\n";
  const auto document = open(before);
  QVERIFY(!document->isModified());
  QSignalSpy replaced(document.get(), &ConfigDocument::textReplaced);
  document->setValue({"a"}, ConfigNode(5));
  settle(*document);
  QCOMPARE(document->bytes(), QByteArray("# keep\na: 5   # one\nb:\n  c: [ 1,2 ]\n"));
  QCOMPARE(replaced.size(), 1);
  QVERIFY(document->isModified());
  QCOMPARE(document->undoStack()->undoText(), QStringLiteral("Set a"));
  QCOMPARE(document->snapshot().own->find("a")->as_int(), 5);
  document->undoStack()->undo();
  QCOMPARE(document->bytes(), before);
  QVERIFY(!document->isModified());
  settle(*document);
  QCOMPARE(document->snapshot().own->find("a")->as_int(), 1);
  document->undoStack()->redo();
  settle(*document);
  QCOMPARE(document->snapshot().own->find("a")->as_int(), 5);
}

void TestConfigDocument::editsInOrder() {
  const auto document = open("a: 0\n");
  for (int i = 1; i <= 20; ++i) document->setValue({"a"}, ConfigNode(i));
  settle(*document);
  QCOMPARE(document->undoStack()->count(), 20);
  QCOMPARE(document->bytes(), QByteArray("a: 20\n"));
  while (document->undoStack()->canUndo()) document->undoStack()->undo();
  QCOMPARE(document->bytes(), QByteArray("a: 0\n"));
}

void TestConfigDocument::typingMerges() {
  const auto document = open("a: 1\n");
  document->replaceText(4, 0, QStringLiteral("2"));
  document->replaceText(5, 0, QStringLiteral("3"));
  QCOMPARE(document->undoStack()->count(), 1);
  document->endTyping();
  document->replaceText(6, 0, QStringLiteral("4"));
  QCOMPARE(document->undoStack()->count(), 2);
  settle(*document);
  QCOMPARE(document->snapshot().own->find("a")->as_int(), 1234);
  document->undoStack()->undo();
  QCOMPARE(document->bytes(), QByteArray("a: 123\n"));
  document->undoStack()->undo();
  QCOMPARE(document->bytes(), QByteArray("a: 1\n"));
}

// An edit that was asked for while text comes in is done on the text as it is then.
void TestConfigDocument::typingAndFormTogether() {
  const auto document = open("a: 1\nb: 1\n");
  document->setValue({"b"}, ConfigNode(7));
  document->replaceText(4, 0, QStringLiteral("0"));
  document->setValue({"c"}, ConfigNode(true));
  document->replaceText(5, 0, QStringLiteral("0"));
  settle(*document);
  QCOMPARE(document->bytes(), QByteArray("a: 100\nb: 7\nc: true\n"));
  QCOMPARE(document->snapshot().own->find("a")->as_int(), 100);
  while (document->undoStack()->canUndo()) document->undoStack()->undo();
  QCOMPARE(document->bytes(), QByteArray("a: 1\nb: 1\n"));
}

void TestConfigDocument::brokenTextKeepsTheTree() {
  const auto document = open("a: 1\nb: 2\n");
  QSignalSpy refused(document.get(), &ConfigDocument::editRefused);
  document->replaceText(3, 1, QStringLiteral("["));
  settle(*document);
  QVERIFY(!document->snapshot().parses);
  QCOMPARE(document->snapshot().own->find("a")->as_int(), 1);
  QCOMPARE(document->snapshot().issues.size(), 1);
  QVERIFY(document->snapshot().issues[0].line > 0);
  QCOMPARE(document->snapshot().issues[0].file, document->path());
  document->setValue({"b"}, ConfigNode(3));
  QTRY_COMPARE(refused.size(), 1);
  QCOMPARE(document->bytes(), QByteArray("a: [\nb: 2\n"));
  document->undoStack()->undo();
  settle(*document);
  QVERIFY(document->snapshot().parses);
}

void TestConfigDocument::crlfAndMarkStay() {
  const auto document = open(
      "\xEF\xBB\xBF"
      "a: 1\r\nb: \xC3\xA4\r\n");
  QCOMPARE(document->text(), QStringLiteral("a: 1\nb: ä\n"));
  document->replaceText(10, 0, QStringLiteral("c: 2\n"));
  document->setValue({"d"}, ConfigNode("x"));
  settle(*document);
  QCOMPARE(document->bytes(), QByteArray("\xEF\xBB\xBF"
                                         "a: 1\r\nb: \xC3\xA4\r\nc: 2\r\nd: x\r\n"));
  QCOMPARE(document->text(), QStringLiteral("a: 1\nb: ä\nc: 2\nd: x\n"));
}

void TestConfigDocument::refusedEditsAreSaid() {
  const auto document = open("a: 1\n");
  QSignalSpy refused(document.get(), &ConfigDocument::editRefused);
  document->edit(QStringLiteral("Rename"), [](EditableConfig& config) { return config.rename({"nowhere"}, "x"); });
  QTRY_COMPARE(refused.size(), 1);
  QVERIFY(!refused[0][0].value<Failure>().message.isEmpty());
  QVERIFY(!document->isModified());
  QCOMPARE(document->undoStack()->count(), 0);
}

void TestConfigDocument::aliasIsOverriddenBeside() {
  const auto document = open("base: &b {x: 1}\nuse:\n  <<: *b\n  y: 2\n");
  QSignalSpy refused(document.get(), &ConfigDocument::editRefused);
  document->setValue({"use", "x"}, ConfigNode(9));
  QTRY_COMPARE(refused.size(), 1);
  QVERIFY(refused[0][1].toBool());
  document->overrideBeside();
  settle(*document);
  QCOMPARE(document->snapshot().own->select("use.x")->as_int(), 9);
  QCOMPARE(document->snapshot().own->select("base.x")->as_int(), 1);
  document->undoStack()->undo();
  QVERIFY(!document->isModified());
}

void TestConfigDocument::changedLeavesAreKnown() {
  const auto document = open("a:\n  b: 1\n  c: 2\nd: 3\n");
  document->setValue({"a", "b"}, ConfigNode(5));
  settle(*document);
  QCOMPARE(document->snapshot().changed, (QSet<QString>{QStringLiteral("a"), QStringLiteral("a.b")}));
  document->save();
  QTRY_VERIFY(document->snapshot().changed.isEmpty());
}

void TestConfigDocument::expressionsAreResolved() {
  const auto document = open("a: 512\nb: ${a}\nc: ${nowhere}\nd: ???\nl: [\"${.1}\", 4]\n");
  const ConfigSnapshot& snapshot = document->snapshot();
  QCOMPARE(snapshot.resolved.value(QStringLiteral("b")).text, QStringLiteral("512"));
  QCOMPARE(snapshot.resolved.value(QStringLiteral("l[0]")).text, QStringLiteral("4"));
  QVERIFY(snapshot.resolved.value(QStringLiteral("c")).error.contains(QStringLiteral("nowhere")));
  QCOMPARE(snapshot.issues.size(), 2);
  QCOMPARE(snapshot.issues[0].line, 3);
  QCOMPARE(snapshot.issues[1].key, QStringLiteral("d"));
}

void TestConfigDocument::saves() {
  const auto document = open("a: 1 # x\n");
  QSignalSpy saved(document.get(), &ConfigDocument::saved);
  document->setValue({"a"}, ConfigNode(2));
  settle(*document);
  document->save();
  QTRY_COMPARE(saved.size(), 1);
  QCOMPARE(read(QStringLiteral("a.yaml")), QByteArray("a: 2 # x\n"));
  QVERIFY(!document->isModified());
  document->undoStack()->undo();
  QVERIFY(document->isModified());
}

void TestConfigDocument::savesAs() {
  const auto document = open("a: 1\n");
  QSignalSpy saved(document.get(), &ConfigDocument::saved), failed(document.get(), &ConfigDocument::saveFailed);
  document->saveAs(m_dir->filePath(QStringLiteral("none/b.yaml")));
  QTRY_COMPARE(failed.size(), 1);
  document->saveAs(m_dir->filePath(QStringLiteral("b.yaml")));
  QTRY_COMPARE(saved.size(), 1);
  QCOMPARE(document->name(), QStringLiteral("b.yaml"));
  QCOMPARE(read(QStringLiteral("b.yaml")), QByteArray("a: 1\n"));
}

void TestConfigDocument::saveKeepsWhatOthersWrote() {
  const auto document = open("a: 1\n");
  QSignalSpy failed(document.get(), &ConfigDocument::saveFailed), saved(document.get(), &ConfigDocument::saved);
  document->setValue({"a"}, ConfigNode(2));
  settle(*document);
  write(QStringLiteral("a.yaml"), "a: 77\n");
  document->save();
  QTRY_COMPARE(failed.size(), 1);
  QCOMPARE(read(QStringLiteral("a.yaml")), QByteArray("a: 77\n"));
  QCOMPARE(document->diskBytes(), QByteArray("a: 77\n"));
  document->keepMine();
  document->save();
  QTRY_COMPARE(saved.size(), 1);
  QCOMPARE(read(QStringLiteral("a.yaml")), QByteArray("a: 2\n"));
}

void TestConfigDocument::changedOnDisk() {
  const auto document = open("a: 1\n");
  QSignalSpy changed(document.get(), &ConfigDocument::changedOnDisk);
  write(QStringLiteral("a.yaml"), "a: 8\n");
  QVERIFY(changed.wait());
  QCOMPARE(changed[0][0].toBool(), false);
  document->revert();
  QTRY_COMPARE(document->bytes(), QByteArray("a: 8\n"));
  QVERIFY(!document->isModified());
  // Our own saving is no change.
  changed.clear();
  document->setValue({"a"}, ConfigNode(3));
  settle(*document);
  document->save();
  QTRY_VERIFY(!document->isModified());
  QVERIFY(!changed.wait(600));
}

void TestConfigDocument::goneFromDisk() {
  const auto document = open("a: 1\n");
  QSignalSpy changed(document.get(), &ConfigDocument::changedOnDisk), saved(document.get(), &ConfigDocument::saved);
  QVERIFY(QFile::remove(document->path()));
  QVERIFY(changed.wait());
  QCOMPARE(changed[0][0].toBool(), true);
  document->save();
  QTRY_COMPARE(saved.size(), 1);
  QCOMPARE(read(QStringLiteral("a.yaml")), QByteArray("a: 1\n"));
}

void TestConfigDocument::revertIsOneStep() {
  const auto document = open("a: 1\nb: 2\n");
  document->setValue({"a"}, ConfigNode(4));
  document->setValue({"b"}, ConfigNode(5));
  settle(*document);
  QSignalSpy reverted(document.get(), &ConfigDocument::reverted);
  document->revert();
  QTRY_COMPARE(reverted.size(), 1);
  QCOMPARE(document->bytes(), QByteArray("a: 1\nb: 2\n"));
  document->undoStack()->undo();
  QCOMPARE(document->bytes(), QByteArray("a: 4\nb: 5\n"));
}

void TestConfigDocument::wrongFiles_data() {
  QTest::addColumn<QByteArray>("bytes");
  QTest::addColumn<bool>("opens");
  QTest::newRow("binary") << QByteArray("a\0b\0", 4) << false;
  QTest::newRow("not utf-8") << QByteArray("a: \xff\xfe\n") << false;
  QTest::newRow("broken yaml is a text") << QByteArray("a: [1\n") << true;
  QTest::newRow("empty") << QByteArray() << true;
}

void TestConfigDocument::wrongFiles() {
  QFETCH(QByteArray, bytes);
  QFETCH(bool, opens);
  ConfigDocument document;
  QSignalSpy opened(&document, &ConfigDocument::opened), failed(&document, &ConfigDocument::openFailed);
  document.open(write(QStringLiteral("a.yaml"), bytes));
  QTRY_COMPARE(opened.size() + failed.size(), 1);
  QCOMPARE(opened.size() == 1, opens);
  if (opens) return settle(document);
  const auto failure = failed[0][0].value<Failure>();
  QVERIFY(failure.where.contains(QStringLiteral("a.yaml")));
  QVERIFY(!failure.message.isEmpty());
}

void TestConfigDocument::layersMerge() {
  const auto document = open("a: 1\nb: 2\n");
  const QString other = write(QStringLiteral("other.yaml"), "b: 3\nc: 4\n");
  const LayerSpec own = document->layers()[0];
  document->setLayers(
      QStringLiteral("Add"),
      {own, {LayerSpec::Kind::File, other, {}, true}, {LayerSpec::Kind::Overrides, {}, {QStringLiteral("c=5")}, true}});
  QTRY_VERIFY(document->snapshot().merged);
  const ConfigSnapshot& snapshot = document->snapshot();
  QCOMPARE(snapshot.shown->find("b")->as_int(), 3);
  QCOMPARE(snapshot.shown->find("c")->as_int(), 5);
  QCOMPARE(snapshot.own->find("b")->as_int(), 2);
  QCOMPARE(snapshot.merged->blame({"b"}).size(), std::size_t(2));
  QVERIFY(!document->isModified());  // the file is as it was
  document->setLayers(QStringLiteral("Break"), {own, {LayerSpec::Kind::Overrides, {}, {QStringLiteral("c=[")}, true}});
  QTRY_COMPARE(document->snapshot().issues.size(), 1);
  document->setLayers(QStringLiteral("Lose"), {own, {LayerSpec::Kind::File, other + QStringLiteral("x"), {}, true}});
  QTRY_VERIFY(document->snapshot().issues.size() == 1 &&
              document->snapshot().issues[0].file.contains(QStringLiteral("yamlx")));
  while (document->undoStack()->canUndo()) document->undoStack()->undo();
  QTRY_VERIFY(!document->snapshot().merged && document->snapshot().issues.isEmpty());
}

void TestConfigDocument::valueOfABaseIsSetHere() {
  const QString base = write(QStringLiteral("base.yaml"), "m:\n  x: 1\n  l: [1, 2, 3]\n");
  const auto document = open("a: 1\n");
  document->setLayers(QStringLiteral("Add"), {{LayerSpec::Kind::File, base, {}, true}, document->layers()[0]});
  QTRY_VERIFY(document->snapshot().merged);
  document->setValue({"m", "x"}, ConfigNode(2));
  document->setValue({"m", "l", index_key(1)}, ConfigNode(9));
  settle(*document);
  QCOMPARE(document->bytes(), QByteArray("a: 1\nm:\n  x: 2\n  l: [1, 9, 3]\n"));
  QCOMPARE(read(QStringLiteral("base.yaml")), QByteArray("m:\n  x: 1\n  l: [1, 2, 3]\n"));
}

void TestConfigDocument::basesAreLayers() {
  const QString base = write(QStringLiteral("base.yaml"), "x: 1\ny: 1\n");
  const auto document = open("_base_: [" + base.toUtf8() + "]\ny: 2\n");
  QTRY_COMPARE(document->layers().size(), 2);
  QCOMPARE(document->layers()[0].kind, LayerSpec::Kind::Base);
  QCOMPARE(document->snapshot().shown->find("x")->as_int(), 1);
  QCOMPARE(document->snapshot().shown->find("y")->as_int(), 2);
  QList<LayerSpec> layers = document->layers();
  layers[0].enabled = false;
  document->setLayers(QStringLiteral("Off"), layers);
  QTRY_VERIFY(!document->snapshot().shown->find("x"));
}

void TestConfigDocument::forms() {
  const auto document = open("a: 1\nb: ${a} # x\nc: 3\n");
  document->setValue({"c"}, ConfigNode(4));
  settle(*document);
  const auto form = [&](SaveForm wanted) {
    QSignalSpy ready(document.get(), &ConfigDocument::formReady);
    document->requestForm(wanted);
    if (!ready.wait()) return QByteArray("nothing");
    return ready[0][1].toByteArray();
  };
  QCOMPARE(form(SaveForm::AsEdited), QByteArray("a: 1\nb: ${a} # x\nc: 4\n"));
  QCOMPARE(form(SaveForm::Resolved), QByteArray("a: 1\nb: 1\nc: 4\n"));
  QCOMPARE(form(SaveForm::OnlyChanges), QByteArray("c: 4\n"));
  QCOMPARE(form(SaveForm::Dotlist), QByteArray("c=4\n"));
  QSignalSpy saved(document.get(), &ConfigDocument::formSaved);
  document->saveForm(SaveForm::Resolved, m_dir->filePath(QStringLiteral("resolved.yaml")));
  QTRY_COMPARE(saved.size(), 1);
  QCOMPARE(read(QStringLiteral("resolved.yaml")), QByteArray("a: 1\nb: 1\nc: 4\n"));
}

void TestConfigDocument::unsavedTextIsKept() {
  const QString kept = m_dir->filePath(QStringLiteral("kept"));
  const auto document = open("a: 1\n");
  document->setAutosave(kept);
  document->replaceText(4, 0, QStringLiteral("5"));
  QTRY_VERIFY(QFile::exists(kept));
  document->save();
  QTRY_VERIFY(!QFile::exists(kept));
}

void TestConfigDocument::textsLeftBehindAreFound() {
  const QString root = m_dir->filePath(QStringLiteral("unsaved"));
  {
    AutosaveFolder running(root);
    autosave_store::write(running.newFile(), QStringLiteral("/x/a.yaml"), "a: \xC3\xA4\n");
    QVERIFY(autosave_store::leftBehind(root).isEmpty());  // it runs
  }
  const QList<UnsavedText> left = autosave_store::leftBehind(root);
  QCOMPARE(left.size(), 1);
  QCOMPARE(left[0].path, QStringLiteral("/x/a.yaml"));
  QCOMPARE(left[0].bytes, QByteArray("a: \xC3\xA4\n"));
  ConfigDocument document;
  QSignalSpy opened(&document, &ConfigDocument::opened);
  document.restore(write(QStringLiteral("a.yaml"), "a: 1\n"), left[0].bytes);
  QTRY_COMPARE(opened.size(), 1);
  QVERIFY(document.isModified());
  QCOMPARE(document.bytes(), left[0].bytes);
  document.undoStack()->undo();
  QCOMPARE(document.bytes(), QByteArray("a: 1\n"));
  autosave_store::forget(left);
  QVERIFY(autosave_store::leftBehind(root).isEmpty());
}

QTEST_MAIN(TestConfigDocument)
#include "tst_config_document.moc"
