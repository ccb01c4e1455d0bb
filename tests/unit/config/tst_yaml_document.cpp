#include "config/yaml_document.h"

#include <QtTest>

using namespace attnscope;

// Where nodes begin and end, as far as libyaml does not say it.
class TestYamlDocument : public QObject {
  Q_OBJECT

  // The text of the value of the first key, with and without its anchor and tag.
  struct Written {
    std::string whole, content;
    int end_line, end_column;
  };
  static Written first_value(const std::string& text) {
    const YamlSource source(text, "t");
    const YamlDocument document(source);
    const YamlNode& node = *document.root()->entries.front().second.node;
    return {source.text(node.start.index, node.end.index), source.text(node.content.index, node.end.index),
            node.end.line, node.end.column};
  }

 private Q_SLOTS:
  void content_is_behind_anchor_and_tag_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("content");
    QTest::newRow("plain") << "a: x y\nb: 1\n"
                           << "x y";
    QTest::newRow("anchor") << "a: &n x\nb: 1\n"
                            << "x";
    QTest::newRow("anchor and tag") << "a: &n !!str 'x'\n"
                                    << "'x'";
    QTest::newRow("tag and anchor") << "a: !!str  &n \"é\"\n"
                                    << "\"é\"";
    QTest::newRow("verbatim tag") << "a: !<tag:x,y> &n z\n"
                                  << "z";
    QTest::newRow("next line") << "a: !!seq # here &no !no\n  # and\n  - 1\n"
                               << "- 1";
    QTest::newRow("beside the key") << "a: &n\n- é\n- 2\nb: 1\n"
                                    << "- é\n- 2";
    QTest::newRow("dict") << "a: &n # é\r\n  x: 1\r\nb: 1\n"
                          << "x: 1";
    QTest::newRow("flow") << "a: !!map {x: &m , y: !!str , z: 1}\n"
                          << "{x: &m , y: !!str , z: 1}";
    QTest::newRow("nothing behind an anchor") << "a: &n\nb: &m c\n"
                                              << "";
    QTest::newRow("nothing behind a tag") << "a: !!str # c\nb: 1\n"
                                          << "";
    QTest::newRow("literal") << "a: &n |\n  x\n\n\nb: 1\n"
                             << "|\n  x";
  }

  void content_is_behind_anchor_and_tag() {
    QFETCH(QString, text);
    QFETCH(QString, content);
    QCOMPARE(QString::fromStdString(first_value(text.toStdString()).content), content);
  }

  void block_text_ends_with_its_last_line() {
    QCOMPARE(first_value("a: |\n  x\n  é \n \n\nb: 1\n").whole, std::string("|\n  x\n  é "));
    QCOMPARE(first_value("a: |\r\n  x\r\n\r\nb: 1\n").whole, std::string("|\r\n  x"));
    QCOMPARE(first_value("a: |\r\n  x\r\n\r\nb: 1\n").end_line, 1);
    QCOMPARE(first_value("a: |\r\n  x\r\n\r\nb: 1\n").end_column, 3);
    QCOMPARE(first_value("a: >-\n  x\n\n").whole, std::string(">-\n  x"));
    QCOMPARE(first_value("a: |2+\n  x\n\nb: 1\n").whole, std::string("|2+\n  x\n\n"));
    QCOMPARE(first_value("a: |\n\nb: 1\n").whole, std::string("|"));
    QCOMPARE(first_value("a: |\n  x\n    \nb: 1\n").whole, std::string("|\n  x\n    \n"));  // blanks of the text
  }

  void a_pair_in_a_list_ends_with_its_value() {
    const YamlSource source("[a: b , c]", "t");
    const YamlDocument document(source);
    const YamlUse& pair = document.root()->items.front();
    QCOMPARE(source.text(pair.start.index, pair.end.index), std::string("a: b"));
    QVERIFY(pair.node->flow && pair.node->kind == YamlNode::Kind::mapping);
  }
};

QTEST_APPLESS_MAIN(TestYamlDocument)
#include "tst_yaml_document.moc"
