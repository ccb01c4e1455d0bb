#include <QTest>

#include "views/theme.h"
#include "views/yaml_tokens.h"

using namespace attnscope::ui;

// The colours of YAML text: which parts are what, and whether they can be read.
class TestYamlTokens : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void tokens_data();
  void tokens();
  void coloursAreReadable_data();
  void coloursAreReadable();
};

namespace {

// "Key:model Mark:: Number:3": the parts of lines, for a comparison that can be read.
QString parts(const QStringList& lines) {
  static const char* const names[] = {"Key",     "Text",      "Number", "Constant",   "Missing",
                                      "Comment", "Reference", "Tag",    "Expression", "Mark"};
  QStringList out;
  int state = -1;
  for (const QString& line : lines) {
    QList<YamlSpan> spans;
    state = scanYamlLine(line, state, spans);
    for (const YamlSpan& span : spans)
      if (span.token != YamlToken::Mark)
        out << QLatin1String(names[int(span.token)]) + u':' + line.mid(span.at, span.length);
  }
  return out.join(QStringLiteral(" | "));
}

double luminance(const QColor& color) {
  const auto part = [](double c) { return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
  return 0.2126 * part(color.redF()) + 0.7152 * part(color.greenF()) + 0.0722 * part(color.blueF());
}

double contrast(const QColor& a, const QColor& b) {
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

}  // namespace

void TestYamlTokens::tokens_data() {
  QTest::addColumn<QStringList>("lines");
  QTest::addColumn<QString>("expected");
  const auto row = [](const char* name, const QStringList& lines, const char* expected) {
    QTest::newRow(name) << lines << QString::fromUtf8(expected);
  };
  row("key and number", {"seed: 3"}, "Key:seed | Number:3");
  row("float without a point", {"lr: 1e-4 # small"}, "Key:lr | Number:1e-4 | Comment:# small");
  row("constants", {"a: true", "b: No", "c: ~", "d: null", "e: nothing"},
      "Key:a | Constant:true | Key:b | Constant:No | Key:c | Constant:~ | Key:d | Constant:null | Key:e");
  row("missing", {"path: ???"}, "Key:path | Missing:???");
  row("quoted", {"a: \"x: # y\"", "'b: c': 'it''s' # z"},
      "Key:a | Text:\"x: # y\" | Key:'b: c' | Text:'it''s' | Comment:# z");
  row("quoted over lines", {"a: \"one", "  b: 1", "  end\" # c", "d: 2"},
      "Key:a | Text:\"one | Text:b: 1 | Text:end\" | Comment:# c | Key:d | Number:2");
  row("escaped quote", {R"(a: "x\" y" # z)"}, R"(Key:a | Text:"x\" y" | Comment:# z)");
  row("anchor, alias, tag", {"a: &x !!str 1", "b: *x", "<<: [*x, *y]"},
      "Key:a | Reference:&x | Tag:!!str | Number:1 | Key:b | Reference:*x | Key:<< | Reference:*x | Reference:*y");
  row("expression", {"a: ${b.c}/x", "d: \"${oc.env:HOME, ${e}}\"", "f: \\${g}"},
      "Key:a | Expression:${b.c} | Key:d | Text:\"${oc.env:HOME, ${e}}\" | Expression:${oc.env:HOME, ${e}} | Key:f");
  row("block scalar", {"a: | # why", "  b: 1", "", "   # c ${d}", "e: 2"},
      "Key:a | Comment:# why | Text:b: 1 | Text:# c ${d} | Expression:${d} | Key:e | Number:2");
  row("block scalar in a list", {"- x: >-", "    text", "  y: 1", "- |", " z", "- 2"},
      "Key:x | Text:text | Key:y | Number:1 | Text:z | Number:2");
  row("block scalar as document", {"--- |", "a: 1"}, "Text:a: 1");
  row("flow", {"a: {b: [1, x], \"c\": no}", "d: [", "  1, # one", "  e: f]", "g: 1"},
      "Key:a | Key:b | Number:1 | Key:\"c\" | Constant:no | Key:d | Number:1 | Comment:# one | Key:e | Key:g | "
      "Number:1");
  row("no comment", {"a: x#y", "url: http://x"}, "Key:a | Key:url");
  row("directive and marks", {"%YAML 1.1", "---", "- - 1", "? k", ": 2"}, "Comment:%YAML 1.1 | Number:1 | Number:2");
  row("characters outside the plane", {QString::fromUtf8("😀: 1")}, "Key:😀 | Number:1");
  row("broken", {"a: ]}", ": :", "\"", "'"}, "Key:a | Text:\" | Text:'");
}

void TestYamlTokens::tokens() {
  QFETCH(QStringList, lines);
  QTEST(parts(lines), "expected");
}

void TestYamlTokens::coloursAreReadable_data() {
  QTest::addColumn<int>("kind");
  QTest::newRow("light") << int(theme::Kind::Light);
  QTest::newRow("dark") << int(theme::Kind::Dark);
}

void TestYamlTokens::coloursAreReadable() {
  QFETCH(int, kind);
  theme::apply(theme::Kind(kind));
  const QPalette palette = QApplication::palette();
  const QColor currentLine = theme::tint(palette, palette.color(QPalette::Text), 6);
  for (int token = 0; token <= int(YamlToken::Mark); ++token)
    for (const QColor& ground : {palette.color(QPalette::Base), currentLine}) {
      const double ratio = contrast(theme::token(palette, YamlToken(token)), ground);
      QVERIFY2(ratio >= 4.5, qPrintable(QStringLiteral("token %1: %2").arg(token).arg(ratio)));
    }
  for (const QColor& color : {theme::broken(palette), theme::proven(palette)})
    QVERIFY(contrast(palette.color(QPalette::Text), theme::tint(palette, color, 38)) >= 4.5);
  theme::apply(theme::Kind::Light);
}

QTEST_MAIN(TestYamlTokens)
#include "tst_yaml_tokens.moc"
