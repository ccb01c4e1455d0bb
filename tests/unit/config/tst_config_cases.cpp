#include <QtTest>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "case_runner.h"
#include "config/yaml_edit.h"
#include "config/yaml_loader.h"
#include "support/errors.h"
#include "support/shared_data.h"

using namespace attnscope;

// The engine against OmegaConf: cases of our own (tests/golden/config.py) and, where they are, those beside the
// project.
class TestConfigCases : public QObject {
  Q_OBJECT

  static Json read(const std::string& path) {
    std::ifstream in(path);
    return Json::parse(in);
  }

  void run_all(const std::string& path) {
    const Json cases = read(path);
    const std::string folder = std::filesystem::path(path).parent_path().string();
    QVERIFY(!cases.empty());
    QStringList failed;
    for (const Json& test : cases) {
      const std::string wrong =
          test.contains("changes") ? run_config_edit(test, folder) : run_config_case(test, folder);
      if (!wrong.empty()) failed << QString::fromStdString(test["id"].get<std::string>() + ": " + wrong);
    }
    QVERIFY2(failed.isEmpty(), qPrintable(failed.join('\n').left(4000)));
  }

 private Q_SLOTS:
  void golden_data() {
    QTest::addColumn<QString>("path");
    for (const char* name : {"yaml", "dump", "select", "merge", "override", "random"})
      QTest::newRow(name) << QString(ATTNSCOPE_GOLDEN_DIR "/config/%1.json").arg(name);
  }

  void golden() {
    QFETCH(QString, path);
    run_all(path.toStdString());
  }

  void shared_cases_data() {
    QTest::addColumn<QString>("name");
    QTest::newRow("cases") << "config-cases.json";
    QTest::newRow("edits") << "config-edits.json";
  }

  void shared_cases() {
    QFETCH(QString, name);
    const std::string path = shared_folder() + "/data/" + name.toStdString();
    if (!std::filesystem::exists(path)) QSKIP(("not there: " + path).c_str());
    run_all(path);
  }

  // A wrong result must not pass.
  void wrong_results_are_told() {
    const Json good =
        Json::parse("{\"op\": \"resolve\", \"yaml\": \"a: 1\", \"expected\": {\"a\": 1}, \"types\": {\"a\": \"int\"}}");
    QCOMPARE(run_config_case(good, "."), std::string());
    for (const char* patch :
         {"{\"expected\": {\"a\": 2}}", "{\"expected\": {\"a\": 1.0}}", "{\"expected\": {\"b\": 1}}",
          "{\"types\": {\"a\": \"str\"}}", "{\"types\": {\"a\": \"int\", \"b\": \"int\"}}", "{\"yaml\": \"a: [\"}",
          "{\"op\": \"error\", \"args\": {\"op\": \"resolve\"}, \"expected\": {\"kind\": \"ParserError\"}}"}) {
      Json bad = good;
      bad.merge_patch(Json::parse(patch));
      QVERIFY2(!run_config_case(bad, ".").empty(), patch);
    }
  }

  void billion_laughs_is_an_error_at_once() {
    std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 40; ++i) {
      text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
      for (int k = 0; k < 10; ++k) text += (k ? ", *a" : "*a") + std::to_string(i - 1);
      text += "]\n";
    }
    for (const YamlLimits& limits : {YamlLimits::generous(), YamlLimits::reference()}) {
      const auto start = std::chrono::steady_clock::now();
      VERIFY_THROWS(ConfigError, load_yaml_text(text, "t", limits), "too many values");
      QVERIFY(std::chrono::steady_clock::now() - start < std::chrono::milliseconds(100));
    }
  }

  void edits_keep_every_other_byte() {
    const std::string text =
        "\xEF\xBB\xBF# top\r\na:   1.0e-04   # rate\r\nlist:\r\n- 'x'\r\n# - old\r\nflow: [ 1,2 ]\r\nlast: {k: v}";
    ConfigNode tree = load_yaml_text(text, "t");
    QCOMPARE(edit_yaml(text, "t", tree), text);
    *tree.find("a") = ConfigNode(5e-5);
    tree.find("list")->items().emplace_back("it's");
    tree.find("flow")->items().emplace_back(3);
    tree.set("new", ConfigNode("yes"));
    const std::string edited = edit_yaml(text, "t", tree);
    QCOMPARE(
        edited,
        "\xEF\xBB\xBF# top\r\na:   5.0e-05   # rate\r\nlist:\r\n- 'x'\r\n- 'it''s'\r\n# - old\r\nflow: [ 1,2, 3 ]\r\n"
        "last: {k: v}\r\nnew: \"yes\"");
    // And back again.
    QCOMPARE(edit_yaml(edited, "t", load_yaml_text(text, "t")), text);
  }
};

QTEST_APPLESS_MAIN(TestConfigCases)
#include "tst_config_cases.moc"
