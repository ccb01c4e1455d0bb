#include "config/yaml_loader.h"

#include <QtTest>
#include <cmath>
#include <fstream>

#include "config/writer.h"
#include "support/errors.h"

using namespace attnscope;
using Kind = ConfigNode::Kind;

class TestYamlLoader : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  std::string written(const std::string& text) const {
    const std::string path = folder_.filePath("c.yaml").toStdString();
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

 private Q_SLOTS:
  void scalars_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("kind");
    QTest::addColumn<double>("value");
    const auto number = [](const char* text, double value, Kind kind) {
      QTest::newRow(text) << QString(text) << int(kind) << value;
    };
    for (const auto& [text, value] : std::vector<std::pair<const char*, double>>{{"1e-4", 1e-4},
                                                                                 {"1E-4", 1e-4},
                                                                                 {"1.e-4", 1e-4},
                                                                                 {"3e-5", 3e-5},
                                                                                 {"1.", 1},
                                                                                 {"8.", 8},
                                                                                 {"1.5e3", 1500},
                                                                                 {".5", .5},
                                                                                 {".5e-3", .5e-3},
                                                                                 {"1.0e-04", 1e-4},
                                                                                 {"-0.5", -.5},
                                                                                 {"+1.5", 1.5},
                                                                                 {"1e400", INFINITY},
                                                                                 {"100e100", 1e102},
                                                                                 {"-.inf", -INFINITY},
                                                                                 {"1:30.5", 90.5},
                                                                                 {"!!float 1", 1},
                                                                                 {"!!float 5e3", 5000}}) {
      number(text, value, Kind::floating);
    }
    for (const auto& [text, value] : std::vector<std::pair<const char*, double>>{{"0", 0},
                                                                                 {"-0", 0},
                                                                                 {"42", 42},
                                                                                 {"+7", 7},
                                                                                 {"017", 15},
                                                                                 {"0777", 511},
                                                                                 {"0x1F", 31},
                                                                                 {"0b101", 5},
                                                                                 {"1_000", 1000},
                                                                                 {"1_", 1},
                                                                                 {"12:30", 750},
                                                                                 {"190:20:30", 685230},
                                                                                 {"!!int '3'", 3}}) {
      number(text, value, Kind::integer);
    }
    for (const char* text : {"yes", "on", "TRUE", "True"}) number(text, 1, Kind::boolean);
    for (const char* text : {"no", "Off", "FALSE"}) number(text, 0, Kind::boolean);
    for (const char* text : {"~", "null", "NULL", ""}) number(text, 0, Kind::null);
    for (const char* text :
         {"y",   "n",    "tRue", "-.5", "1e",      "e1",      "1,000",      "1.2.3", "1.0f",
          "08",  "0o17", "0x",   "inf", "nan",     "None",    "2019-12-11", "12:ab", "http://x/y:8080",
          "a#b", "a, b", "0_e0", "'1'", "\"yes\"", "!!str 1", "'~'"}) {
      number(text, 0, Kind::string);
    }
  }

  void scalars() {
    QFETCH(QString, text);
    QFETCH(int, kind);
    QFETCH(double, value);
    const ConfigNode root = load_yaml_text("a: " + text.toStdString() + "\n", "t");
    const ConfigNode& node = *root.find("a");
    QCOMPARE(int(node.kind()), kind);
    if (Kind(kind) == Kind::floating || Kind(kind) == Kind::integer) QCOMPARE(node.as_float(), value);
    if (Kind(kind) == Kind::boolean) QCOMPARE(node.as_bool(), value == 1);
  }

  void large_numbers_keep_their_digits() {
    const ConfigNode root =
        load_yaml_text("a: 18368660165286593270\nb: 9223372036854775807\nc: 0xFFFFFFFFFFFFFFFF", "t");
    QCOMPARE(root.find("a")->digits(), std::string("18368660165286593270"));
    QVERIFY(root.find("a")->kind() == Kind::integer);
    VERIFY_THROWS(ConfigError, root.find("a")->as_int(), "t:1:4", "too large");
    QCOMPARE(root.find("b")->as_int(), INT64_MAX);
    QCOMPARE(root.find("c")->digits(), std::string("18446744073709551615"));
  }

  void structure_and_places() {
    const ConfigNode root = load_yaml_text(
        "# top\nmodel:\n  path: \"a b\"  # here\nwords: [red, 'two words']\nlist:\n- x: 1\n"
        "  y: 2\n- 日本: 3\nz: {}\n",
        "c.yaml");
    QCOMPARE(root.members().size(), std::size_t{4});
    QCOMPARE(root.members()[3].first, std::string("z"));
    QCOMPARE(root.select("model.path")->as_string(), std::string("a b"));
    QCOMPARE(root.select("model.path")->place().text(), std::string("c.yaml:3:9 (model.path)"));
    QCOMPARE(root.select("words[1]")->place().text(), std::string("c.yaml:4:14 (words[1])"));
    QCOMPARE(root.select("list[0].y")->as_int(), int64_t{2});
    QCOMPARE(root.select("list.0.y"), root.select("list[0].y"));
    QCOMPARE(root.select("list[1]")->find("日本")->place().column, 7);  // characters, not bytes
    QVERIFY(!root.select("list[2]") && !root.select("model.none") && !root.select("model.path.x"));
    QVERIFY(root.find("z")->is_dict());
  }

  void anchors_and_merge_keys() {
    const ConfigNode root = load_yaml_text(
        "a: &A {x: 1, y: 1}\nb: &B {x: 2, z: 2}\nc: {x: 3, <<: *A}\nd: {<<: [*A, *B]}\n"
        "e: *A\n'<<': plain\n",
        "t");
    QCOMPARE(root.select("c.x")->as_int(), int64_t{3});
    QCOMPARE(root.select("c.y")->as_int(), int64_t{1});
    QCOMPARE(root.select("d.x")->as_int(), int64_t{1});
    QCOMPARE(root.select("d.z")->as_int(), int64_t{2});
    QVERIFY(*root.find("e") == *root.find("a"));
    QCOMPARE(root.find("<<")->as_string(), std::string("plain"));
  }

  void files() {
    QCOMPARE(load_yaml_file(written("\xEF\xBB\xBF"
                                    "a: 1\r\nb: x\r\n"))
                 .find("b")
                 ->as_string(),
             std::string("x"));
    QVERIFY(load_yaml_file(written("# nothing\n")).is_dict());
    VERIFY_THROWS(ConfigError, load_yaml_file(folder_.filePath("none.yaml").toStdString()), "none.yaml: no such file");
    VERIFY_THROWS(ConfigError, load_yaml_file(folder_.path().toStdString()), "is a folder");
    const std::string path = written("a: caf\xE9\n");
    VERIFY_THROWS(ConfigError, load_yaml_file(path), path + ":1:7", "is not UTF-8");
    VERIFY_THROWS(ConfigError, load_yaml_file(written(std::string("a: 1\nb: \0x", 10))), ":2:4", "zero byte");
    VERIFY_THROWS(ConfigError, load_yaml_file(written("just text\n")), "must hold keys and values");
  }

  void errors_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("unclosed list") << QByteArray("a: [1, 2\nb: 1\n") << QByteArray("t:2:");
    QTest::newRow("no value") << QByteArray("a: 1\nb c\n") << QByteArray("there is no \":\" after the key in line 2");
    QTest::newRow("colon in text") << QByteArray("a: b: c\n") << QByteArray("t:1:5: not valid YAML");
    QTest::newRow("duplicate") << QByteArray("a: 1\nb:\n  x: 1\n  'x': 2\n")
                               << QByteArray("t:4:3 (b.x): the key is given twice");
    QTest::newRow("open interpolation") << QByteArray("a: x ${b\n") << QByteArray("t:1:4 (a): ");
    QTest::newRow("tab indent") << QByteArray("a:\n\tb: 1\n")
                                << QByteArray("A tab stands in the indentation of this line");
    QTest::newRow("unknown alias") << QByteArray("a: *x\n") << QByteArray("t:1:4: not valid YAML");
    QTest::newRow("two documents") << QByteArray("a: 1\n---\nb: 2\n") << QByteArray("more than one document");
    QTest::newRow("end without a document") << QByteArray("...\na: 1\n") << QByteArray("t:1:1: not valid YAML");
    QTest::newRow("open quotes") << QByteArray("a: 'x\nb: 1\n")
                                 << QByteArray("t:3:1: not valid YAML: the quotes of line 1 are not closed");
    QTest::newRow("python tag") << QByteArray("a: !!python/object/apply:eval ['1']\n") << QByteArray("t:1:");
    QTest::newRow("tab after spaces") << QByteArray("a:\n  b: 1\n  \tc: 2\n")
                                      << QByteArray("tab stands in the indentation");
    QTest::newRow("own tag") << QByteArray("a: !x 1\n") << QByteArray("t:1:4 (a): the tag !x is not supported");
    QTest::newRow("list as key") << QByteArray("[a, b]: 1\n") << QByteArray("t:1:1: a key must be text");
    QTest::newRow("merge of text") << QByteArray("a: {<<: x}\n") << QByteArray("<< needs a dict");
    QTest::newRow("not an int") << QByteArray("a: !!int x\n") << QByteArray("\"x\" is not a whole number");
    QTest::newRow("deep") << QByteArray(100'000, '[') << QByteArray("t:1:");
    QTest::newRow("bomb") << QByteArray(
                                 "a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\n"
                                 "c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\n"
                                 "e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]\n")
                          << QByteArray("too many values");
    QTest::newRow("inside itself") << QByteArray("a: &a [*a]\n") << QByteArray("t:1:");
  }

  void errors() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, says);
    VERIFY_THROWS(ConfigError, load_yaml_text(text.toStdString(), "t"), says.toStdString());
  }

  void written_yaml_reads_back() {
    ConfigNode root{ConfigNode::Dict{}};
    ConfigNode::List hard;
    for (const char* text : {"",
                             "yes",
                             "12:30",
                             "1e5",
                             "a: b",
                             "# c",
                             "x #y",
                             "- z",
                             " lead",
                             "trail ",
                             "two\nlines",
                             "tab\there",
                             "\"q\"",
                             "back\\slash",
                             "日本 🐈",
                             "*a",
                             "&a",
                             "!t",
                             "%d",
                             "@x",
                             "`",
                             "{a}",
                             "[b]",
                             "a, b",
                             "null",
                             "~",
                             "0x1F",
                             "1_0",
                             "=",
                             "<<",
                             "---",
                             "ctrl\x01",
                             "\xC2\x85",
                             "it's",
                             "/path/x.mp4",
                             "key: ",
                             "?",
                             "a:",
                             "'",
                             "007",
                             "1.",
                             "None",
                             "\xEF\xBB\xBF",
                             "a\xE2\x80\xA8z",
                             "\xC2\x80"}) {
      hard.emplace_back(text);
      root.set(text, ConfigNode(text));
    }
    hard.emplace_back(1e-5);
    hard.emplace_back(1.0);
    hard.emplace_back(0.1);
    hard.emplace_back(-INFINITY);
    hard.emplace_back(1e22);
    hard.emplace_back(true);
    hard.emplace_back(-3);
    hard.emplace_back(ConfigNode::BigInteger{"18446744073709551615"});
    hard.emplace_back();
    root.set("hard", ConfigNode(hard));
    root.set("short", ConfigNode(ConfigNode::List{1, "x, y", 2.5}));
    root.set("empty", ConfigNode(ConfigNode::List{}));
    root.set("nothing", ConfigNode(ConfigNode::Dict{}));
    ConfigNode inner{ConfigNode::Dict{}};
    inner.set("a", 1);
    inner.set("b", ConfigNode(ConfigNode::List{inner, ConfigNode(ConfigNode::List{}), ConfigNode(ConfigNode::Dict{}),
                                               ConfigNode(ConfigNode::List{inner, "x"}),
                                               ConfigNode(ConfigNode::List{1, 2})}));
    root.set("inner", inner);
    const std::string text = to_yaml(root);
    QVERIFY2(load_yaml_text(text, "t") == root, text.c_str());
    std::ofstream(std::string(ATTNSCOPE_BINARY_DIR) + "/written.yaml") << text;  // to look at, and for other readers
    for (const ConfigNode& scalar : {ConfigNode(3), ConfigNode("x"), ConfigNode(ConfigNode::List{}), ConfigNode()})
      QVERIFY(load_yaml_text(to_yaml(scalar), "t") == scalar);
  }

  void keys_of_every_type_are_written_and_read() {
    const ConfigNode tree = load_yaml_text("a: 1\n2: 1\n2.5: 1\nfalse: 1\n!!binary /wA=: 1\n", "keys");
    QCOMPARE(tree.members().size(), std::size_t(5));
    QVERIFY(load_yaml_text(to_yaml(tree), "again") == tree);
  }

  // A key before a ":" may have 1 024 characters.
  void long_keys_are_written_and_read() {
    const std::string longest(5000, 'k');
    const ConfigNode value(ConfigNode::Dict{{longest, 1}, {"a", 2}});
    const ConfigNode tree(ConfigNode::Dict{{longest, value}, {"l", ConfigNode(ConfigNode::List{value})}});
    QVERIFY(load_yaml_text(to_yaml(tree), "again") == tree);
  }

  void split_keys() {
    using Steps = std::vector<std::string>;
    QCOMPARE(split_key("a.b[0].c"), (Steps{"a", "b", "0", "c"}));
    QCOMPARE(split_key("[a.b][1]"), (Steps{"a.b", "1"}));
    QCOMPARE(split_key("a."), (Steps{"a", ""}));
    QCOMPARE(split_key("a[b"), (Steps{"a", "[b"}));
    QCOMPARE(split_key(""), (Steps{""}));
  }
};

QTEST_APPLESS_MAIN(TestYamlLoader)
#include "tst_yaml_loader.moc"
