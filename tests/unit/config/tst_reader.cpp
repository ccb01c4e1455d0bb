#include "config/reader.h"

#include <QtTest>

#include "config/interpolation.h"
#include "config/yaml_loader.h"
#include "support/errors.h"

using namespace attnscope;

class TestReader : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void typed_values() {
    const ConfigNode root = load_yaml_text(
        "steps: 20\nscale: 7\neta: 0.5\non_gpu: yes\nprompt: 2 cats\nnumber: 1e-4\nword: no\n"
        "mode: edit\nwords: [red, 3]\none: red\nids: [1, 2]\nsizes: [1, 2.5]\nnone:\n"
        "seed: 18446744073709551615\nminus: -1\nmodel: {path: x, dtype: null}\n",
        "c");
    ConfigReader reader(root);
    QCOMPARE(reader.get_int("steps", 1, {1, 1000}), int64_t{20});
    QCOMPARE(reader.get_float("scale", 1), 7.0);
    QCOMPARE(reader.get_float("eta", 1, {0, 1}), 0.5);
    QCOMPARE(reader.get_bool("on_gpu", false), true);
    QCOMPARE(reader.get_string("prompt", ""), std::string("2 cats"));
    QCOMPARE(reader.get_string("number", ""), std::string("1e-4"));
    QCOMPARE(reader.get_string("word", ""), std::string("no"));
    QCOMPARE(reader.get_enum("mode", "generate", {"generate", "edit"}), std::string("edit"));
    QCOMPARE(reader.get_string_list("words"), (std::vector<std::string>{"red", "3"}));
    QCOMPARE(reader.get_string_list("one"), (std::vector<std::string>{"red"}));
    QCOMPARE(reader.get_int_list("ids"), (std::vector<int64_t>{1, 2}));
    QCOMPARE(*reader.find_float_list("sizes"), (std::vector<double>{1, 2.5}));
    QCOMPARE(reader.get_int("none", 4), int64_t{4});
    QVERIFY(!reader.has("none") && !reader.find_float("absent") && reader.has("steps"));
    QCOMPARE(reader.get_seed("seed", 0), UINT64_MAX);
    QCOMPARE(reader.get_seed("minus", 0), UINT64_MAX);
    ConfigReader& model = reader.child("model");
    QCOMPARE(model.require_string("path"), std::string("x"));
    QCOMPARE(model.get_string("dtype", "float32"), std::string("float32"));
    QCOMPARE(&reader.child("model"), &model);
    QVERIFY(!reader.child("other").has("x"));
    reader.finish();
  }

  void wrong_values_data() {
    QTest::addColumn<QByteArray>("yaml");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char* yaml, const char* says) {
      QTest::newRow(yaml) << QByteArray(yaml) << QByteArray(says);
    };
    row("int: '30'",
        "c:1:6 (int): must be a whole number from 1 to 1000, not text \"30\"\n  Write the number without quotes.");
    row("int: 30.0", "must be a whole number from 1 to 1000, not the number 30.0");
    row("int: 0", "must be a whole number from 1 to 1000, not the number 0");
    row("int: 99999999999999999999", "must be a whole number from 1 to 1000, not the number 99999999999999999999");
    row("int: true", "not the boolean true");
    row("int: [1]", "not a list of 1");
    row("float: abc", "must be a number of at least 0, not text \"abc\"");
    row("float: -1", "must be a number of at least 0, not the number -1");
    row("float: .nan", "must be a finite number");
    row("bool: 1", "must be true or false, not the number 1");
    row("text: {a: b}", "must be text, not a dict of 1\n  Put text that holds \": \" in quotes.");
    row("text: [a]", "must be text, not a list of 1");
    row("enum: edits", "(enum): must be one of generate, edit, not \"edits\"\n  Did you mean edit?");
    row("list: {a: 1}", "must be a list, not a dict");
    row("list: [[a]]", "(list[0]): must be text, not a list");
    row("seed: 18446744073709551616", "must be a whole number from -9223372036854775808 to 18446744073709551615");
    row("seed: 1.5", "must be a whole number from");
    row("child: 3", "(child): must be a dict of keys and values, not the number 3");
    row("text: ", "(text): is missing");
    row("{}", "c:1:1 (text): is missing");
  }

  void wrong_values() {
    QFETCH(QByteArray, yaml);
    QFETCH(QByteArray, says);
    const ConfigNode root = load_yaml_text(yaml.toStdString(), "c");
    ConfigReader reader(root);
    const auto read = [&] {
      reader.get_int("int", 1, {1, 1000});
      reader.get_float("float", 1, {.low = 0});
      reader.get_bool("bool", true);
      reader.get_enum("enum", "edit", {"generate", "edit"});
      reader.get_string_list("list");
      reader.get_seed("seed", 0);
      reader.child("child");
      reader.require_string("text");
    };
    VERIFY_THROWS(ConfigError, read(), says.toStdString());
  }

  void unknown_keys_are_named_with_the_nearest() {
    const ConfigNode root = load_yaml_text("model:\n  path: x\n  devise: cpu\n", "c.yaml");
    ConfigReader reader(root);
    reader.child("model").get_string("device", "auto");
    reader.child("model").get_string("path", "");
    VERIFY_THROWS(ConfigError, reader.finish(), "c.yaml:3:11 (model.devise): unknown key devise",
                  "Did you mean device?");
    const ConfigNode other = load_yaml_text("zzzzzzzzz: 1\n", "c.yaml");
    ConfigReader second(other);
    second.get_int("steps", 1);
    VERIFY_THROWS(ConfigError, second.finish(), "unknown key", "Known here: steps.");
    const ConfigNode list = load_yaml_text("[1]", "c.yaml");
    VERIFY_THROWS(ConfigError, ConfigReader(list), "must be a dict");
  }

  void interpolation() {
    qputenv("ATTNSCOPE_TEST_VARIABLE", "7");
    ConfigNode root = load_yaml_text(
        "a: {b: 3, c: '${list[1]}'}\nlist: [x, 2.5]\nwhole: ${a}\ntext: 'n=${a.b} ${a.c}'\n"
        "env: ${oc.env:ATTNSCOPE_TEST_VARIABLE}\nfall: ${oc.env:ATTNSCOPE_NOT_SET,back}\n"
        "kept: '\\${a.b}'\nchain: ${whole.c}\n",
        "c");
    resolve_interpolations(root);
    QCOMPARE(root.select("whole.b")->as_int(), int64_t{3});
    QCOMPARE(root.select("whole.c")->as_float(), 2.5);
    QCOMPARE(root.select("text")->as_string(), std::string("n=3 2.5"));
    QCOMPARE(root.select("env")->as_string(), std::string("7"));
    QCOMPARE(root.select("fall")->as_string(), std::string("back"));
    QCOMPARE(root.select("kept")->as_string(), std::string("${a.b}"));
    QCOMPARE(root.select("chain")->as_float(), 2.5);
  }

  void bad_interpolation_data() {
    QTest::addColumn<QByteArray>("yaml");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("missing") << QByteArray("a: ${b}") << QByteArray("c:1:4 (a): Interpolation key 'b' not found");
    QTest::newRow("cycle") << QByteArray("a: ${b}\nb: ${a}") << QByteArray("(a): Recursive interpolation detected");
    QTest::newRow("parent") << QByteArray("a: {b: '${a}'}")
                            << QByteArray("c:1:8 (a.b): Interpolation to parent node detected");
    QTest::newRow("relative") << QByteArray("a: {x: '${..b}'}")
                              << QByteArray("(a.x): Interpolation key '..b' not found (resolved to 'b')");
    QTest::newRow("into text") << QByteArray("a: ${b.c}\nb: 1") << QByteArray("node `b` is not a container");
    QTest::newRow("resolver") << QByteArray("a: ${eval:'1'}") << QByteArray("Unsupported interpolation type eval");
    QTest::newRow("unset") << QByteArray("a: ${oc.env:ATTNSCOPE_NOT_SET}")
                           << QByteArray("Environment variable 'ATTNSCOPE_NOT_SET' not found");
  }

  void bad_interpolation() {
    QFETCH(QByteArray, yaml);
    QFETCH(QByteArray, says);
    ConfigNode root = load_yaml_text(yaml.toStdString(), "c");
    VERIFY_THROWS(ConfigError, resolve_interpolations(root), says.toStdString());
  }
};

QTEST_APPLESS_MAIN(TestReader)
#include "tst_reader.moc"
