#include "config/yaml_edit.h"

#include <QtTest>
#include <filesystem>
#include <random>

#include "config/errors.h"
#include "config/yaml_loader.h"
#include "support/errors.h"
#include "support/odd_values.h"
#include "support/shared_data.h"

using namespace attnscope;

class TestYamlEdit : public QObject {
  Q_OBJECT

  // Every container of a tree.
  static void collect(ConfigNode& node, std::vector<ConfigNode*>& containers) {
    if (node.is_scalar()) return;
    containers.push_back(&node);
    if (node.is_dict())
      for (auto& [key, value] : node.members()) collect(value, containers);
    if (node.is_list())
      for (ConfigNode& item : node.items()) collect(item, containers);
  }

  static ConfigNode random_value(std::mt19937& random) { return odd_values()[random() % odd_values().size()]; }

  static void change_at_random(ConfigNode& root, std::mt19937& random) {
    std::vector<ConfigNode*> containers;
    collect(root, containers);
    ConfigNode& node = *containers[random() % containers.size()];
    const auto what = random() % 4;
    if (node.is_dict()) {
      auto& members = node.members();
      if (what == 0 || members.empty()) {
        node.set("new" + std::to_string(random() % 1000), random_value(random));
      } else if (what == 1 && members.size() > 1) {
        members.erase(members.begin() + static_cast<std::ptrdiff_t>(random() % members.size()));
      } else {
        members[random() % members.size()].second = random_value(random);
      }
    } else {
      auto& items = node.items();
      const auto at = static_cast<std::ptrdiff_t>(random() % (items.size() + 1));
      if (what == 0 || items.empty()) {
        items.insert(items.begin() + at, random_value(random));
      } else if (what == 1 && items.size() > 1) {
        items.erase(items.begin() + static_cast<std::ptrdiff_t>(random() % items.size()));
      } else {
        items[random() % items.size()] = random_value(random);
      }
    }
  }

 private Q_SLOTS:
  void edits_data() {
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("wanted");
    QTest::addColumn<QByteArray>("after");
    const auto row = [](const char* name, const char* before, const char* wanted, const char* after) {
      QTest::newRow(name) << QByteArray(before) << QByteArray(wanted) << QByteArray(after);
    };
    row("value", "a: 1 # one\nb: 2\n", "a: 3\nb: 2\n", "a: 3 # one\nb: 2\n");
    row("quotes stay", "a: 'x'\nb: \"y\"\n", "a: p\nb: q\n", "a: 'p'\nb: \"q\"\n");
    row("quotes needed", "a: x\nb: [y, z]\n", "a: 'yes'\nb: ['p, q', z]\n", "a: \"yes\"\nb: [\"p, q\", z]\n");
    row("number forms", "a: 1.e-4\nb: 2E+03\nc: 0x1F\n", "a: 5.e-5\nb: 3.0e+03\nc: 7\n", "a: 5.e-5\nb: 3E+03\nc: 7\n");
    row("booleans", "a: True\nb: off\n", "a: false\nb: true\n", "a: False\nb: on\n");
    row("null to value", "a:\nb: ~\n", "a: 1\nb: x\n", "a: 1\nb: x\n");
    row("new key", "a:\n  b: 1\n# end\nc: 2\n", "a: {b: 1, d: 3}\nc: 2\n", "a:\n  b: 1\n  d: 3\n# end\nc: 2\n");
    row("new key, no last newline", "a: 1", "a: 1\nb: 2\n", "a: 1\nb: 2");
    row("key taken out", "a: 1\nb: 2 # two\n# free\nc: 3\n", "a: 1\nc: 3\n", "a: 1\n# free\nc: 3\n");
    row("first key behind a dash", "- a: 1\n  b: 2\n", "- b: 2\n", "- b: 2\n");
    row("item taken out", "- a\n- b\n- c\n", "- a\n- c\n", "- a\n- c\n");
    row("flow", "a: [1, 2, 3,]\nb: { x: 1 }\n", "a: [2, 3, 4]\nb: {x: 1, y: 2}\n",
        "a: [2, 3, 4,]\nb: { x: 1, y: 2 }\n");
    row("empty flow", "a: []\nb: {}\n", "a: [1]\nb: {c: 1}\n", "a: [1]\nb: {c: 1}\n");
    row("block to scalar", "a:\n  b: 1\n  c: 2\nd: 1\n", "a: 5\nd: 1\n", "a: 5\nd: 1\n");
    row("literal", "a: |\n  one\n  two\nb: 1\n", "a: \"one\\nthree\\n\"\nb: 1\n", "a: |\n  one\n  three\nb: 1\n");
    row("anchor", "a: &x 1\nb: *x\n", "a: 2\nb: 2\n", "a: &x 2\nb: *x\n");
    row("tag", "a: !!float 1\nb: !!float 1\n", "a: 2.0\nb: x\n", "a: !!float 2.0\nb: x\n");
    row("no key stays", "a:\n  b: 1\nc: 2\n", "a: {d: 3}\nc: 2\n", "a: {d: 3}\nc: 2\n");
    row("alias", "a: &x 1\nb: *x\n", "a: 1\nb: 2\n", "a: &x 1\nb: 2\n");
    row("merge key", "a: &x {p: 1, q: 2}\nb:\n  <<: *x\n  r: 3\n", "a: {p: 1, q: 2}\nb: {p: 9, q: 2, r: 3}\n", "");
  }

  void edits() {
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, wanted);
    QFETCH(QByteArray, after);
    const ConfigNode tree = load_yaml_text(wanted.toStdString(), "wanted");
    ConfigNode plain = tree;
    strip_texts(plain);
    if (after.isEmpty()) {
      VERIFY_THROWS(ConfigError, edit_yaml(before.toStdString(), "t", plain), "cannot be changed");
    } else {
      QCOMPARE(QByteArray::fromStdString(edit_yaml(before.toStdString(), "t", plain)), after);
    }
  }

  // Any edit either gives the wanted tree or is refused; most are not refused.
  void random_edits_data() {
    QTest::addColumn<QString>("path");
    const std::string folder = real_configs_folder();
    QTest::newRow("demo.yaml") << QString(ATTNSCOPE_SOURCE_DIR "/configs/demo.yaml");
    if (!std::filesystem::exists(folder)) return;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      QTest::newRow(entry.path().filename().c_str()) << QString::fromStdString(entry.path().string());
  }

  void random_edits() {
    QFETCH(QString, path);
    const std::string original = read_config_file(path.toStdString());
    ConfigNode tree;
    try {
      tree = load_yaml_text(original, "t");
    } catch (const ConfigError&) {
      QSKIP("does not load");
    }
    QCOMPARE(edit_yaml(original, "t", tree), original);
    std::mt19937 random(7);
    int refused = 0;
    std::string text = original;
    for (int i = 0; i < 200; ++i) {
      if (i % 10 == 0) text = original;
      ConfigNode wanted = load_yaml_text(text, "t");
      change_at_random(wanted, random);
      try {
        text = edit_yaml(text, "t", wanted);
      } catch (const ConfigKindError& error) {
        QCOMPARE(error.kind(), std::string("EditRefused"));
        if (std::getenv("ATTNSCOPE_SHOW_REFUSED")) qInfo("%s", error.what());
        ++refused;
      }
    }
    QVERIFY2(refused <= 20, qPrintable(QString("%1 of 200 refused").arg(refused)));
  }

 private:
  // As if the values came from a form: nothing was typed.
  static void strip_texts(ConfigNode& node) {
    node.set_text({});
    if (node.is_dict())
      for (auto& [key, value] : node.members()) strip_texts(value);
    if (node.is_list())
      for (ConfigNode& item : node.items()) strip_texts(item);
  }
};

QTEST_APPLESS_MAIN(TestYamlEdit)
#include "tst_yaml_edit.moc"
