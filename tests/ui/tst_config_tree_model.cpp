#include <QAbstractItemModelTester>
#include <QMimeData>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTest>

#include "config/yaml_loader.h"
#include "models/config_tree_model.h"

using namespace attnscope;
using namespace attnscope::ui;

namespace {

ConfigSnapshot snapshotOf(const std::string& text) {
  ConfigSnapshot out;
  out.own = std::make_shared<const ConfigNode>(load_yaml_text(text, "a.yaml"));
  out.shown = out.own;
  return out;
}

// Rows as indented text, all levels.
QStringList dump(const QAbstractItemModel& model, const QModelIndex& parent = {}, int depth = 0) {
  QStringList lines;
  for (int row = 0; row < model.rowCount(parent); ++row) {
    QStringList cells;
    for (int column = 0; column < 3; ++column) cells << model.index(row, column, parent).data().toString();
    lines << QString(depth * 2, QLatin1Char(' ')) + cells.join(QStringLiteral(" | "));
    lines << dump(model, model.index(row, 0, parent), depth + 1);
  }
  return lines;
}

QStringList dumpOf(const ConfigSnapshot& snapshot, const std::shared_ptr<const ConfigFilter>& filter = {}) {
  ConfigTreeModel model;
  model.setSnapshot(snapshot, filter);
  return dump(model);
}

std::shared_ptr<const ConfigFilter> filterOf(const ConfigSnapshot& snapshot, const ConfigQuery& query,
                                             const ConfigPath& keep = {}) {
  std::shared_ptr<const ConfigFilter> out;
  ConfigSearch search;
  QObject::connect(&search, &ConfigSearch::finished, [&](const ConfigSnapshot&, const auto& filter) { out = filter; });
  search.start(snapshot, query, keep);
  while (!out) QCoreApplication::processEvents();
  return out;
}

// A tree that random steps change as edits do: values, keys, order, items.
ConfigNode randomNode(QRandomGenerator& random, int depth) {
  const int kind = int(random.bounded(depth > 0 ? 6 : 4));
  if (kind < 3) return ConfigNode(int(random.bounded(5)));
  if (kind == 3) return ConfigNode("${a.b}");
  if (kind == 4) {
    ConfigNode list(ConfigNode::List{});
    for (int i = int(random.bounded(6)); i > 0; --i) list.items().push_back(randomNode(random, depth - 1));
    return list;
  }
  ConfigNode dict(ConfigNode::Dict{});
  for (int i = int(random.bounded(6)); i > 0; --i)
    dict.set(ConfigKey("k" + std::to_string(random.bounded(9))), randomNode(random, depth - 1));
  return dict;
}

void mutate(ConfigNode& node, QRandomGenerator& random, int depth) {
  if (node.is_scalar() || random.bounded(12) == 0) {
    node = randomNode(random, depth);
    return;
  }
  const std::size_t count = node.is_list() ? node.items().size() : node.members().size();
  const auto any = [&] { return std::ptrdiff_t(random.bounded(quint32(count))); };
  const int what = int(random.bounded(6));
  if (count == 0 || what == 0) {
    if (node.is_list())
      node.items().insert(node.items().begin() + (count ? any() : 0), randomNode(random, depth - 1));
    else
      node.set(ConfigKey("k" + std::to_string(random.bounded(12))), randomNode(random, depth - 1));
  } else if (what == 1) {
    if (node.is_list())
      node.items().erase(node.items().begin() + any());
    else
      node.members().erase(node.members().begin() + any());
  } else if (what == 2) {
    const std::ptrdiff_t from = any(), to = any();
    const auto shift = [&](auto& list) {
      auto moved = std::move(list[std::size_t(from)]);
      list.erase(list.begin() + from);
      list.insert(list.begin() + to, std::move(moved));
    };
    if (node.is_list())
      shift(node.items());
    else
      shift(node.members());
  } else if (what == 3 && node.is_dict()) {
    const ConfigKey key("r" + std::to_string(random.bounded(100)));
    if (!node.find_key(key)) node.members()[std::size_t(any())].first = key;
  } else if (node.is_list()) {
    mutate(node.items()[std::size_t(any())], random, depth - 1);
  } else {
    mutate(node.members()[std::size_t(any())].second, random, depth - 1);
  }
}

// 200 lists of 1000 items.
ConfigSnapshot largeSnapshot() {
  ConfigNode root(ConfigNode::Dict{});
  for (int i = 0; i < 200; ++i) {
    ConfigNode::List items;
    for (int n = 0; n < 1000; ++n) items.emplace_back(n);
    root.set(ConfigKey("k" + std::to_string(i)), ConfigNode(std::move(items)));
  }
  ConfigSnapshot snapshot;
  snapshot.own = snapshot.shown = std::make_shared<const ConfigNode>(std::move(root));
  return snapshot;
}

}  // namespace

class TestConfigTreeModel : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void rowsAndSources();
  void values_data();
  void values();
  void parsing_data();
  void parsing();
  void stepping_data();
  void stepping();
  void marks();
  void rowsAreMadeWhenLookedAt();
  void editsKeepRows();
  void renamedAndMovedRowsStay();
  void removedItemsAreTheRightOnes();
  void onlyDifferencesAreTold();
  void randomTrees();
  void editing();
  void dropping();
  void searchShowsHitsAndParents();
  void searchInSlices();
  void searchKeepsTheSelectedRow();
  void changedOnlyAndProblemsOnly();
};

void TestConfigTreeModel::rowsAndSources() {
  ConfigTreeModel model;
  QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
  model.setSnapshot(snapshotOf("a: 1\nb:\n  c: text\n  d: [1, {e: null}]\n"));
  QCOMPARE(dump(model),
           (QStringList{QStringLiteral("a | 1 | a.yaml:1"), QStringLiteral("b | {c, d} | a.yaml:2"),
                        QStringLiteral("  c | text | a.yaml:3"), QStringLiteral("  d | [1, {…}] | a.yaml:4"),
                        QStringLiteral("    [0] | 1 | a.yaml:4"), QStringLiteral("    [1] | {e} | a.yaml:4"),
                        QStringLiteral("      e | null | a.yaml:4")}));
  const ConfigPath path{"b", "d", index_key(1), "e"};
  const QModelIndex index = model.indexOf(path);
  QVERIFY(model.pathAt(index) == path);
  QCOMPARE(index.data(ConfigTreeModel::PathRole).toString(), QStringLiteral("b.d[1].e"));
  QVERIFY(!model.indexOf({"b", "x"}).isValid());
}

void TestConfigTreeModel::values_data() {
  QTest::addColumn<QByteArray>("yaml");
  QTest::addColumn<QString>("shown");
  QTest::newRow("as written") << QByteArray("3e-5") << "3e-5";
  QTest::newRow("seed") << QByteArray("18446744073709551615") << "18446744073709551615";
  QTest::newRow("text") << QByteArray("a cat") << "a cat";
  QTest::newRow("text like a number") << QByteArray("\"30\"") << "\"30\"";
  QTest::newRow("empty text") << QByteArray("''") << "\"\"";
  QTest::newRow("lines") << QByteArray("\"a\\nb\"") << QStringLiteral("a ⏎ b");
  QTest::newRow("null") << QByteArray("~") << "null";
  QTest::newRow("missing") << QByteArray("???") << "must be given";
  QTest::newRow("list") << QByteArray("[1, 2, 3, 4, 5, 6, 7, 8, 9]") << QStringLiteral("[1, 2, 3, 4, 5, 6, 7, 8, …]");
  QTest::newRow("empty dict") << QByteArray("{}") << "{}";
}

void TestConfigTreeModel::values() {
  QFETCH(QByteArray, yaml);
  ConfigTreeModel model;
  QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
  model.setSnapshot(snapshotOf("k: " + yaml.toStdString()));
  QTEST(model.index(0, ConfigTreeModel::Value).data().toString(), "shown");
}

void TestConfigTreeModel::parsing_data() {
  QTest::addColumn<int>("type");
  QTest::addColumn<QString>("typed");
  QTest::addColumn<QString>("kind");  // empty: refused
  QTest::addColumn<QString>("text");
  const auto row = [](const char* name, ValueType type, const char* typed, const char* kind, const char* text) {
    QTest::newRow(name) << int(type) << QString::fromLatin1(typed) << QString::fromLatin1(kind)
                        << QString::fromLatin1(text);
  };
  row("whole", ValueType::Integer, " 30 ", "a whole number", "30");
  row("large", ValueType::Integer, "18446744073709551615", "a whole number", "18446744073709551615");
  row("no whole number", ValueType::Integer, "1.5", "", "");
  row("out of range", ValueType::Integer, "-1", "", "");
  row("notation", ValueType::Number, "3e-5", "a number", "3e-5");
  row("whole as number", ValueType::Number, "3", "a whole number", "3");
  row("no number", ValueType::Number, "abc", "", "");
  row("expression for a number", ValueType::Number, "${a.b}", "text", "${a.b}");
  row("missing", ValueType::Number, "???", "text", "???");
  row("null where it may be", ValueType::Integer, "null", "null", "null");
  row("choice", ValueType::Choice, "crop", "text", "crop");
  row("no choice", ValueType::Choice, "cropp", "", "");
  row("colour", ValueType::Color, "#2f6fd0", "text", "#2f6fd0");
  row("no colour", ValueType::Color, "#2f6f", "", "");
  row("wrong colour", ValueType::Color, "blu", "", "");
  row("text keeps blanks", ValueType::Text, " 30 ", "text", " 30 ");
  row("yaml number", ValueType::Yaml, "30", "a whole number", "30");
  row("yaml text", ValueType::Yaml, "\"30\"", "text", "30");
  row("yaml single quotes", ValueType::Yaml, "'it''s'", "text", "it's");
  row("yaml boolean", ValueType::Yaml, "yes", "a boolean", "yes");
  row("yaml null", ValueType::Yaml, "", "null", "null");
  row("yaml open quote", ValueType::Yaml, "\"30", "", "");
  row("yaml list", ValueType::Yaml, "[1]", "", "");
  row("yaml comment", ValueType::Yaml, "a #b", "", "");
}

void TestConfigTreeModel::parsing() {
  QFETCH(int, type);
  QFETCH(QString, typed);
  QFETCH(QString, kind);
  QFETCH(QString, text);
  SchemaEntry entry;
  entry.range.low = 0;
  entry.nullable = true;
  entry.choices = {"crop", "pad"};
  const ParsedValue value = parseValue(typed, ValueType(type), &entry);
  QCOMPARE(value.node.has_value(), !kind.isEmpty());
  if (!value.node) {
    if (ValueType(type) == ValueType::Yaml) QVERIFY(!value.error.isEmpty());
    return;
  }
  QCOMPARE(QString::fromLatin1(kind_name(value.node->kind())), kind);
  QCOMPARE(value.node->kind() == ConfigNode::Kind::string ? qstr(value.node->as_string()) : qstr(value.node->text()),
           text);
}

void TestConfigTreeModel::stepping_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<int>("steps");
  QTest::addColumn<double>("step");
  QTest::addColumn<QString>("wanted");
  QTest::newRow("whole") << "20" << 1 << 0.0 << "21";
  QTest::newRow("seed") << "18446744073709551614" << 1 << 0.0 << "18446744073709551615";
  QTest::newRow("largest") << "18446744073709551615" << 1 << 0.0 << "18446744073709551615";
  QTest::newRow("schema step") << "64" << 1 << 8.0 << "72";
  QTest::newRow("last digit") << "0.65" << -1 << 0.0 << "0.64";
  QTest::newRow("exponent") << "3e-5" << 1 << 0.0 << "4e-5";
  QTest::newRow("exponent with digits") << "1.9e-04" << 1 << 0.0 << "2.0e-04";
  QTest::newRow("small step") << "7.5" << 1 << 0.25 << "7.75";
  QTest::newRow("below zero") << "0.1" << -2 << 0.0 << "-0.1";
  QTest::newRow("out of range") << "-100" << -1 << 0.0 << "-100";
  QTest::newRow("no number") << "abc" << 1 << 0.0 << "abc";
}

void TestConfigTreeModel::stepping() {
  QFETCH(QString, text);
  QFETCH(int, steps);
  QFETCH(double, step);
  SchemaEntry entry;
  entry.step = step;
  entry.range.low = -100;
  QTEST(steppedNumber(text, steps, false, &entry), "wanted");
}

void TestConfigTreeModel::marks() {
  ConfigTreeModel model;
  QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
  ConfigSnapshot snapshot = snapshotOf("a: ${b}\nb: 512\nc: ${x}\nd: ???\n");
  snapshot.resolved = {{QStringLiteral("a"), {QStringLiteral("512"), {}}},
                       {QStringLiteral("c"), {{}, QStringLiteral("no such key")}}};
  snapshot.changed = {QStringLiteral("b")};
  ConfigIssue issue;
  issue.message = QStringLiteral("too large");
  issue.hint = QStringLiteral("at most 100");
  issue.key = QStringLiteral("b");
  snapshot.issues = {issue};
  model.setSnapshot(snapshot);
  const auto value = [&](int row) { return model.index(row, ConfigTreeModel::Value); };
  QCOMPARE(value(0).data().toString(), QStringLiteral("${b} = 512"));
  QCOMPARE(value(2).data().toString(), QStringLiteral("${x} → no such key"));
  QCOMPARE(value(2).data(ConfigTreeModel::ErrorRole).toString(), QStringLiteral("no such key"));
  QVERIFY(value(3).data(ConfigTreeModel::MissingRole).toBool());
  QVERIFY(value(1).data(ConfigTreeModel::ChangedRole).toBool());
  QVERIFY(value(1).data(Qt::FontRole).value<QFont>().bold());
  QVERIFY(!value(0).data(ConfigTreeModel::ChangedRole).toBool());
  QCOMPARE(value(1).data(ConfigTreeModel::IssueRole).toInt(), int(Level::Warning));
  const QString tip = value(1).data(Qt::ToolTipRole).toString();
  QVERIFY2(tip.contains(QStringLiteral("too large. at most 100")) && tip.contains(QStringLiteral("a.yaml:2:4")),
           qPrintable(tip));
}

void TestConfigTreeModel::rowsAreMadeWhenLookedAt() {
  ConfigSnapshot snapshot = largeSnapshot();
  ConfigTreeModel model;
  QElapsedTimer clock;
  clock.start();
  model.setSnapshot(snapshot);
  QCOMPARE(model.rowCount(), 200);
  QCOMPARE(model.rowCount(model.index(7, 0)), 1000);
  auto next = std::make_shared<ConfigNode>(*snapshot.shown);
  next->members()[7].second.items()[3] = ConfigNode(99);
  snapshot.own = snapshot.shown = next;
  clock.restart();
  model.setSnapshot(snapshot);
  QVERIFY2(clock.elapsed() < 50, qPrintable(QString::number(clock.elapsed())));
  QCOMPARE(model.index(3, 1, model.index(7, 0)).data().toString(), QStringLiteral("99"));
}

void TestConfigTreeModel::editsKeepRows() {
  ConfigTreeModel model;
  QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
  model.setSnapshot(snapshotOf("a: 1\nb:\n  c: 2\n  d: 3\ne: 4\n"));
  dump(model);
  const QPersistentModelIndex d = model.indexOf({"b", "d"}), e = model.indexOf({"e"});
  QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
  model.setSnapshot(snapshotOf("a: 1\nb:\n  new: 0\n  d: 5\ne: 4\nf: 6\n"));
  QCOMPARE(reset.size(), 0);
  QVERIFY(model.pathAt(d) == (ConfigPath{"b", "d"}));
  QCOMPARE(d.sibling(d.row(), 1).data().toString(), QStringLiteral("5"));
  QVERIFY(model.pathAt(e) == (ConfigPath{"e"}));
  model.setSnapshot(snapshotOf("b: [1, 2]\n"));
  QVERIFY(!d.isValid() && !e.isValid());
  QCOMPARE(dump(model), dumpOf(snapshotOf("b: [1, 2]\n")));
  model.setSnapshot({});
  QCOMPARE(model.rowCount(), 0);
}

void TestConfigTreeModel::renamedAndMovedRowsStay() {
  ConfigTreeModel model;
  QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
  model.setSnapshot(snapshotOf("a: 1\nb: 2\nc: {d: 1}\n"));
  dump(model);
  const QPersistentModelIndex b = model.indexOf({"b"}), d = model.indexOf({"c", "d"});
  model.setSnapshot(snapshotOf("a: 1\nbb: 2\nc: {d: 1}\n"));
  QVERIFY(model.pathAt(b) == (ConfigPath{"bb"}));
  QSignalSpy moved(&model, &QAbstractItemModel::rowsMoved);
  model.setSnapshot(snapshotOf("c: {d: 1}\na: 1\nbb: 2\n"));
  QCOMPARE(moved.size(), 1);
  QVERIFY(model.pathAt(d) == (ConfigPath{"c", "d"}));
  QCOMPARE(b.row(), 2);
}

void TestConfigTreeModel::removedItemsAreTheRightOnes() {
  ConfigTreeModel model;
  QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
  model.setSnapshot(snapshotOf("l: [a, b, c, d]\n"));
  dump(model);
  const QPersistentModelIndex b = model.indexOf({"l", index_key(1)}), d = model.indexOf({"l", index_key(3)});
  model.setSnapshot(snapshotOf("l: [a, c, d]\n"));
  QVERIFY(!b.isValid());
  QVERIFY(model.pathAt(d) == (ConfigPath{"l", index_key(2)}));
  model.setSnapshot(snapshotOf("l: [d, a, c]\n"));
  QVERIFY(model.pathAt(d) == (ConfigPath{"l", index_key(0)}));
}

void TestConfigTreeModel::onlyDifferencesAreTold() {
  ConfigTreeModel model;
  model.setSnapshot(snapshotOf("a: 1\nb: 2\nc: 3\nd: {e: 1}\n"));
  dump(model);
  QSignalSpy told(&model, &QAbstractItemModel::dataChanged);
  model.setSnapshot(snapshotOf("a: 1\nb: 2\nc: 3\nd: {e: 1}\n"));
  QCOMPARE(told.size(), 0);
  model.setSnapshot(snapshotOf("a: 1\nb: 5\nc: 3\nd: {e: 1}\n"));
  QCOMPARE(told.size(), 1);
  QCOMPARE(told[0][0].toModelIndex(), model.index(1, ConfigTreeModel::Value));
  QCOMPARE(told[0][1].toModelIndex(), model.index(1, ConfigTreeModel::Value));
  told.clear();
  ConfigSnapshot changed = snapshotOf("a: 1\nb: 5\nc: 3\nd: {e: 1}\n");
  changed.changed = {QStringLiteral("d"), QStringLiteral("d.e")};
  model.setSnapshot(changed);
  QCOMPARE(told.size(), 2);
}

void TestConfigTreeModel::randomTrees() {
  QRandomGenerator random(20240501);
  ConfigTreeModel model;
  QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
  ConfigNode root(ConfigNode::Dict{});
  for (int step = 0; step < 600; ++step) {
    for (int i = int(random.bounded(4)); i >= 0; --i) mutate(root, random, 4);
    ConfigSnapshot snapshot;
    snapshot.own = snapshot.shown = std::make_shared<const ConfigNode>(root);
    if (random.bounded(2)) snapshot.changed = {QStringLiteral("k1"), QStringLiteral("k2.k3"), QStringLiteral("k4[0]")};
    std::shared_ptr<const ConfigFilter> filter;
    if (random.bounded(3) == 0) filter = filterOf(snapshot, {{QString::number(random.bounded(6))}, false, false}, {});
    model.setSnapshot(snapshot, filter);
    if (random.bounded(3)) QCOMPARE(dump(model), dumpOf(snapshot, filter));
  }
}

void TestConfigTreeModel::editing() {
  ConfigTreeModel model;
  QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
  model.setSnapshot(snapshotOf("a: true\nb: 1\nl: [1]\n"));
  ConfigPath path;
  ConfigNode value;
  connect(&model, &ConfigTreeModel::valueEdited,
          [&](const ConfigPath& p, const ConfigNode& v) { path = p, value = v; });
  QVERIFY(model.index(0, 1).flags() & Qt::ItemIsUserCheckable);
  QVERIFY(model.setData(model.index(0, 1), Qt::Unchecked, Qt::CheckStateRole));
  QVERIFY(path == ConfigPath{"a"} && value == ConfigNode(false));
  QSignalSpy renamed(&model, &ConfigTreeModel::keyEdited);
  QVERIFY(model.setData(model.index(1, 0), QStringLiteral("c")));
  QVERIFY(!model.setData(model.index(1, 0), QStringLiteral("b")));
  QVERIFY(!model.setData(model.index(1, 0), QString()));
  QCOMPARE(renamed.size(), 1);
  QVERIFY(!(model.indexOf({"l", index_key(0)}).flags() & Qt::ItemIsEditable));  // an index is no key
}

void TestConfigTreeModel::dropping() {
  ConfigTreeModel model;
  QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
  model.setSnapshot(snapshotOf("a: 1\nb: {c: 1}\n"));
  QSignalSpy moves(&model, &ConfigTreeModel::moveRequested);
  const std::unique_ptr<QMimeData> a(model.mimeData({model.indexOf({"a"}), model.indexOf({"a"}, 1)}));
  QVERIFY(model.dropMimeData(a.get(), Qt::MoveAction, 0, 0, model.indexOf({"b"})));
  QCOMPARE(moves.size(), 1);
  QVERIFY(moves[0][1].value<ConfigPath>() == ConfigPath{"b"});
  const std::unique_ptr<QMimeData> b(model.mimeData({model.indexOf({"b"})}));
  QVERIFY(!model.dropMimeData(b.get(), Qt::MoveAction, -1, -1, model.indexOf({"b"})));  // into itself
  QVERIFY(model.dropMimeData(b.get(), Qt::MoveAction, 0, 0, {}));
  QMimeData foreign;
  foreign.setText(QStringLiteral("a: 1"));
  QVERIFY(!model.canDropMimeData(&foreign, Qt::MoveAction, 0, 0, {}));
}

void TestConfigTreeModel::searchShowsHitsAndParents() {
  const ConfigSnapshot snapshot = snapshotOf("a:\n  b: cat\n  c: dog\ncat:\n  x: 1\n  y: 2\nz: 3\n");
  const auto filter = filterOf(snapshot, {{QStringLiteral("CAT")}, false, false});
  QCOMPARE(filter->hits.size(), 2);
  QVERIFY(filter->hits[0] == (ConfigPath{"a", "b"}));
  QVERIFY(filter->hits[1] == ConfigPath{"cat"});
  QStringList keys;
  for (const QString& line : dumpOf(snapshot, filter)) keys << line.section(QStringLiteral(" |"), 0, 0);
  QCOMPARE(keys, (QStringList{QStringLiteral("a"), QStringLiteral("  b"), QStringLiteral("cat"), QStringLiteral("  x"),
                              QStringLiteral("  y")}));
  QCOMPARE(filterOf(snapshot, {{QStringLiteral("cat"), QStringLiteral("y")}, false, false})->hits.size(), 1);
  QVERIFY(dumpOf(snapshot, filterOf(snapshot, {{QStringLiteral("nothing")}, false, false})).isEmpty());
}

void TestConfigTreeModel::searchInSlices() {
  ConfigSnapshot snapshot = largeSnapshot();
  ConfigSearch search;
  std::shared_ptr<const ConfigFilter> found;
  connect(&search, &ConfigSearch::finished, [&](const ConfigSnapshot&, const auto& filter) { found = filter; });
  QElapsedTimer clock;
  qint64 longest = 0;
  clock.start();
  search.start(snapshot, {{QStringLiteral("999")}, false, false}, {});
  longest = clock.restart();
  QVERIFY(search.isRunning());
  while (!found) {
    QCoreApplication::processEvents();
    longest = std::max(longest, clock.restart());
  }
  QCOMPARE(found->hits.size(), 200);
  QVERIFY2(longest < 100, qPrintable(QString::number(longest)));
}

void TestConfigTreeModel::searchKeepsTheSelectedRow() {
  const ConfigSnapshot snapshot = snapshotOf("a:\n  b: cat\n  c: dog\n");
  const auto filter = filterOf(snapshot, {{QStringLiteral("cat")}, false, false}, {"a", "c"});
  QCOMPARE(filter->hits.size(), 1);
  QCOMPARE(dumpOf(snapshot, filter).size(), 3);
}

void TestConfigTreeModel::changedOnlyAndProblemsOnly() {
  ConfigSnapshot snapshot = snapshotOf("a:\n  b: 1\n  c: 2\nd: ???\ne: {f: 1}\n");
  snapshot.changed = {QStringLiteral("a"), QStringLiteral("a.c"), QStringLiteral("e")};
  const auto changed = filterOf(snapshot, {{}, true, false});
  QCOMPARE(changed->hits.size(), 1);
  QStringList keys;
  for (const QString& line : dumpOf(snapshot, changed)) keys << line.section(QStringLiteral(" |"), 0, 0);
  QCOMPARE(keys, (QStringList{QStringLiteral("a"), QStringLiteral("  c"), QStringLiteral("e")}));
  const auto problems = filterOf(snapshot, {{}, false, true});
  QCOMPARE(problems->hits.size(), 1);
  QVERIFY(problems->hits[0] == ConfigPath{"d"});
  QVERIFY(filterOf(snapshot, {{}, true, true})->hits.isEmpty());
}

QTEST_MAIN(TestConfigTreeModel)
#include "tst_config_tree_model.moc"
