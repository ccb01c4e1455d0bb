#include <QProcess>
#include <QTest>

#include "app/command_line.h"

using namespace attnscope::ui;

// Starting the program: what needs no display must not ask for one.
class TestStart : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void withoutADisplay_data();
  void withoutADisplay();
  void readsTheCommandLine();
};

void TestStart::withoutADisplay_data() {
  QTest::addColumn<QStringList>("arguments");
  QTest::addColumn<int>("code");
  QTest::addColumn<QString>("said");
  QTest::newRow("help") << QStringList{QStringLiteral("--help")} << 0 << QStringLiteral("usage: attnscope");
  QTest::newRow("version") << QStringList{QStringLiteral("--version")} << 0
                           << QStringLiteral("attnscope " ATTNSCOPE_VERSION);
  QTest::newRow("help with path") << QStringList{QStringLiteral("a.yaml"), QStringLiteral("-h")} << 0
                                  << QStringLiteral("usage");
  QTest::newRow("unknown option") << QStringList{QStringLiteral("--hlep")} << 2
                                  << QStringLiteral("unknown option: --hlep");
  QTest::newRow("two paths") << QStringList{QStringLiteral("a"), QStringLiteral("b")} << 2
                             << QStringLiteral("only one PATH");
}

void TestStart::withoutADisplay() {
  QFETCH(QStringList, arguments);
  QFETCH(int, code);
  QFETCH(QString, said);
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) environment.remove(QLatin1String(name));
  QProcess program;
  program.setProcessEnvironment(environment);
  program.setProcessChannelMode(QProcess::MergedChannels);
  program.start(QStringLiteral(ATTNSCOPE_PROGRAM), arguments);
  QVERIFY(program.waitForFinished(20000));
  QCOMPARE(program.exitStatus(), QProcess::NormalExit);
  QCOMPARE(program.exitCode(), code);
  const QString output = QString::fromUtf8(program.readAll());
  QVERIFY2(output.contains(said), qPrintable(output));
}

void TestStart::readsTheCommandLine() {
  QCOMPARE(parseCommandLine({"a.yaml"}).path, std::string("a.yaml"));
  QCOMPARE(parseCommandLine({"-platform", "offscreen", "a.yaml"}).path, std::string("a.yaml"));
  QCOMPARE(parseCommandLine({"-platform=offscreen", "a.yaml"}).path, std::string("a.yaml"));
  QCOMPARE(parseCommandLine({"--", "-odd.yaml"}).path, std::string("-odd.yaml"));
  QVERIFY(!parseCommandLine({"--no-session"}).session);
  QVERIFY(parseCommandLine({}).error.empty());
  QVERIFY(!parseCommandLine({"--no-sesion"}).error.empty());
}

QTEST_MAIN(TestStart)
#include "tst_start.moc"
