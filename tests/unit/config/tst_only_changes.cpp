#include "config/only_changes.h"

#include <QtTest>
#include <random>

#include "config/diff.h"
#include "config/merge.h"
#include "config/override.h"
#include "config/writer.h"
#include "config/yaml_loader.h"

using namespace attnscope;

namespace {

ConfigNode read(const std::string& text) { return load_yaml_text(text, "c.yaml"); }

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : " | ") + text;
  return all;
}

// The paths are taken out of the base, then the rest is laid on it.
ConfigNode without(ConfigNode base, const OnlyChanges& changes) {
  for (const ConfigPath& path : changes.removed) {
    if (path.empty()) return ConfigNode(ConfigNode::Dict{});
    ConfigPath above = path;
    above.pop_back();
    node_at(base, above)->erase(path.back());
  }
  return base;
}

// "" when the three forms give `wanted` again.
std::string check(const ConfigNode& base, const ConfigNode& wanted) {
  const OnlyChanges changes = only_changes(base, wanted);
  const ConfigNode start = without(base, changes);
  const auto differs = [&](const ConfigNode& got) { return !diff_configs(got, wanted).empty(); };
  if (differs(merge_configs(start, {changes.tree}))) return "merged: " + to_yaml(merge_configs(start, {changes.tree}));
  if (!changes.dotlist_is_whole) return {};
  // As the reference reads a command line, and as our overrides do.
  const ConfigNode built = merge_configs(start, {tree_from_dotlist(changes.dotlist)});
  if (differs(built)) return "dotlist " + joined(changes.dotlist) + ": " + to_yaml(built);
  ConfigNode in_place = start;
  apply_overrides(in_place, changes.dotlist);
  if (differs(in_place)) return "overrides " + joined(changes.dotlist) + ": " + to_yaml(in_place);
  return {};
}

}  // namespace

class TestOnlyChanges : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void what_it_gives_data() {
    QTest::addColumn<QString>("base");
    QTest::addColumn<QString>("wanted");
    QTest::addColumn<QString>("tree");
    QTest::addColumn<QString>("dotlist");
    QTest::addColumn<QString>("removed");
    const auto row = [](const char* name, const char* base, const char* wanted, const char* tree, const char* dotlist,
                        const char* removed = "") {
      QTest::newRow(name) << base << wanted << tree << dotlist << removed;
    };
    row("nothing", "a: 1\nb: 2\n", "b: 2\na: 1\n", "{}\n", "");
    row("a leaf", "a: {b: 1, c: 2}\n", "a: {b: 1, c: 3}\n", "a:\n  c: 3\n", "a.c=3");
    row("new keys", "a: 1\n", "a: 1\nb: {c: x, d: {}}\n", "b:\n  c: x\n  d: {}\n", "b.c=x | b.d={}");
    row("lists are whole", "l: [1, {a: 1}]\n", "l: [1, {a: 2}, x]\n", "l:\n  - 1\n  - a: 2\n  - x\n",
        "l=[1, {a: 2}, x]");
    row("texts like numbers", "a: 1\nb: x\n", "a: '1'\nb: '1e-4'\nc: 'yes'\nd: ''\ne: 'a, b'\nf: \"x\\ny\"\n",
        "a: \"1\"\nb: \"1e-4\"\nc: \"yes\"\nd: \"\"\ne: \"a, b\"\nf: \"x\\ny\"\n",
        "a=\"1\" | b=\"1e-4\" | c=\"yes\" | d=\"\" | e=\"a, b\" | f=\"x\\ny\"");
    row("a dict that became a scalar", "a: {b: 1}\nc: 2\n", "a: 5\nc: {d: 1}\n", "a: 5\nc:\n  d: 1\n", "a=5 | c.d=1");
    row("gone", "a: {b: 1, c: 2}\nd: 3\n", "a: {c: 2}\n", "{}\n", "", "a.b | d");
    row("a list that became a dict", "a: [1]\nb: {x: 1}\n", "a: {x: 1}\nb: [1]\n", "a:\n  x: 1\nb: [1]\n",
        "a.x=1 | b=[1]", "a | b");
    row("a value that is missing now", "a: 1\nb: {}\n", "a: ???\nb: {c: \"???\"}\n", "a: \"???\"\nb:\n  c: \"???\"\n",
        "a=\"???\" | b.c=\"???\"", "a");
    row("beside a reference", "n: {x: 1, y: 2}\ni: ${n}\n", "n: {x: 1, y: 2}\ni: {x: 1, y: 3}\n",
        "i:\n  x: 1\n  y: 3\n", "i={x: 1, y: 3}");
    row("instead of a reference", "n: {x: 1, y: 2}\ni: ${n}\nj: ${n}\n", "n: {x: 1, y: 2}\ni: {y: 3}\nj: [1]\n",
        "i:\n  y: 3\nj: [1]\n", "i={y: 3} | j=[1]", "i | j");
    row("keys with dots", "a.b: {\"c=d\": 1}\n", "a.b: {\"c=d\": 2}\n", "a.b:\n  c=d: 2\n", "a\\.b.c\\=d=2");
    row("keys that are no text", "a: {0: x}\n", "a: {0: y, true: 2}\n", "a:\n  0: y\n  true: 2\n", "a={0: y, true: 2}");
  }

  void what_it_gives() {
    QFETCH(QString, base);
    QFETCH(QString, wanted);
    const ConfigNode from = read(base.toStdString()), to = read(wanted.toStdString());
    const OnlyChanges changes = only_changes(from, to);
    QTEST(QString::fromStdString(to_yaml(changes.tree)), "tree");
    QTEST(QString::fromStdString(joined(changes.dotlist)), "dotlist");
    std::vector<std::string> removed;
    for (const ConfigPath& path : changes.removed) removed.push_back(path_text(from, path));
    QTEST(QString::fromStdString(joined(removed)), "removed");
    QVERIFY(changes.dotlist_is_whole);
    const std::string wrong = check(from, to);
    QVERIFY2(wrong.empty(), wrong.c_str());
  }

  void what_no_text_can_name() {
    QVERIFY(!only_changes(read("0: a\n"), read("0: b\nc: 1\n")).dotlist_is_whole);
    QVERIFY(!only_changes(read("[1]\n"), read("[2]\n")).dotlist_is_whole);
    QCOMPARE(to_yaml(only_changes(read("[1]\n"), read("[1]\n")).tree), std::string("- 1\n"));
    QCOMPARE(to_yaml(only_changes(read("a: 1\n"), read("[1]\n")).tree), std::string("- 1\n"));
    QCOMPARE(only_changes(read("a: 1\n"), read("[1]\n")).removed, std::vector<ConfigPath>{{}});
  }

  void any_two_trees() {
    std::mt19937 random(3);
    const auto pick = [&](int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); };
    const char* scalars[] = {"1", "x", "'2'", "null", "\"???\"", "'${n}'", "'${m}'", "1.5", "'a: b'"};
    const std::function<std::string(int)> value = [&](int depth) -> std::string {
      const int kind = depth > 3 ? 0 : pick(4);
      if (kind < 2) return scalars[pick(9)];
      if (kind == 2) return pick(2) ? "[1, 2]" : "[" + value(depth + 1) + "]";
      std::string text = "{";
      for (const char* key : {"n", "x", "'y.z'", "0"})
        if (pick(2)) text += std::string(text.size() > 1 ? ", " : "") + key + ": " + value(depth + 1);
      return text + "}";
    };
    for (int round = 0; round < 3000; ++round) {
      std::string texts[2];
      for (std::string& text : texts) {
        for (const char* key : {"n", "m", "a"}) text += std::string(key) + ": " + value(1) + "\n";
      }
      const std::string wrong = check(read(texts[0]), read(texts[1]));
      QVERIFY2(wrong.empty(), (texts[0] + "->\n" + texts[1] + wrong).c_str());
    }
  }
};

QTEST_APPLESS_MAIN(TestOnlyChanges)
#include "tst_only_changes.moc"
