#include "config/layers.h"

#include <QtTest>
#include <fstream>
#include <random>

#include "config/errors.h"
#include "config/hcp_config.h"
#include "config/merge.h"
#include "config/override.h"
#include "config/writer.h"
#include "config/yaml_loader.h"
#include "support/errors.h"

using namespace attnscope;

namespace {

std::shared_ptr<const ConfigNode> tree_of(const std::string& text, const std::string& name) {
  return std::make_shared<const ConfigNode>(load_yaml_text(text, name));
}

ConfigLayer file(const std::string& name, const std::string& text) {
  return {.kind = ConfigLayer::Kind::file, .name = name, .tree = tree_of(text, name), .overrides = {}};
}

ConfigLayer overrides(const std::string& name, std::vector<std::string> texts) {
  return {.kind = ConfigLayer::Kind::overrides, .name = name, .tree = nullptr, .overrides = std::move(texts)};
}

// "over.yaml:2:4=5 base.yaml:1:4=1", newest first.
QString blame(const MergedConfig& merged, const std::string& path) {
  const auto found = find_path(merged.tree(), path);
  if (!found) return "no such node";
  std::string text;
  for (const MergedConfig::Source& source : merged.blame(*found)) {
    std::string value = to_yaml(source.value);
    value.pop_back();
    const ConfigLayer& layer = merged.layers()[source.layer];
    ConfigPlace place = source.place;
    if (layer.tree) place.key.clear();
    text += (text.empty() ? "" : " ") + place.text() + "=" + value;
    if (layer.name != source.place.file) text += " of " + layer.name;
  }
  return QString::fromStdString(text);
}

QString yaml(const ConfigNode& tree) { return QString::fromStdString(to_yaml(tree)); }

QString merged_text(const std::vector<ConfigLayer>& layers) { return yaml(MergedConfig(layers).tree()); }

}  // namespace

class TestLayers : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  std::string path(const std::string& name) const { return folder_.path().toStdString() + "/" + name; }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }
  std::vector<ConfigLayer> layers_of(const std::string& name) const {
    return layers_of_file(path(name), std::make_shared<const ConfigNode>(load_yaml_file(path(name))));
  }

 private Q_SLOTS:
  void who_gave_it_and_what_it_hid() {
    const MergedConfig merged({file("base.yaml", "a: 1\nb: {x: 1, y: 2}\nl: [1, 2]\n"),
                               file("over.yaml", "b:\n  x: 5\nl: [3]\nnew: n\n"),
                               overrides("changes", {"a=7", "b.z=[1, 2]", "a=8"})});
    QCOMPARE(yaml(merged.tree()), QString("a: 8\nb:\n  x: 5\n  y: 2\n  z: [1, 2]\nl: [3]\nnew: n\n"));
    QCOMPARE(blame(merged, "a"), QString("changes:3 (a)=8 changes:1 (a)=7 base.yaml:1:4=1"));
    QCOMPARE(blame(merged, "b"), QString("over.yaml:1:1={} base.yaml:2:1={}"));
    QCOMPARE(blame(merged, "b.x"), QString("over.yaml:2:6=5 base.yaml:2:8=1"));
    QCOMPARE(blame(merged, "b.y"), QString("base.yaml:2:14=2"));
    QCOMPARE(blame(merged, "b.z[1]"), QString("changes:2 (b.z[1])=2"));
    QCOMPARE(blame(merged, "l"), QString("over.yaml:3:1=[] base.yaml:3:1=[]"));
    QCOMPARE(blame(merged, "l[0]"), QString("over.yaml:3:5=3 base.yaml:3:5=1"));
    QCOMPARE(blame(merged, "new"), QString("over.yaml:4:6=n"));
    QVERIFY(merged.blame({"l", index_key(1)}).empty());
    QCOMPARE(merged.blame({}).size(), std::size_t{2});
  }

  void what_is_missing_hides_nothing() {
    const std::vector<ConfigLayer> layers{file("1", "a: 5\nb: ???\nc: ???\n"),
                                          file("2", "a: ???\nb: 6\nc: ???\nd: ???\n"), file("3", "a: ???\n")};
    const MergedConfig merged(layers);
    QCOMPARE(yaml(merged.tree()), QString("a: 5\nb: 6\nc: \"???\"\nd: \"???\"\n"));
    QCOMPARE(blame(merged, "a"), QString("1:1:4=5"));
    QCOMPARE(blame(merged, "b"), QString("2:2:4=6 1:2:4=\"???\""));
    QCOMPARE(blame(merged, "c"), QString("1:3:4=\"???\""));
    QCOMPARE(blame(merged, "d"), QString("2:4:4=\"???\""));
  }

  void a_layer_that_is_off_counts_nothing() {
    std::vector<ConfigLayer> layers{file("1", "a: 1\n"), file("2", "a: 2\n"), file("3", "[not, laid]\n"),
                                    overrides("o", {"a=3"})};
    layers[1].enabled = layers[2].enabled = false;
    QCOMPARE(blame(MergedConfig(layers), "a"), QString("o:1 (a)=3 1:1:4=1"));
    layers[0].enabled = layers[3].enabled = false;
    QCOMPARE(merged_text(layers), QString("{}\n"));
    QCOMPARE(merged_text({}), QString("{}\n"));
  }

  // A dict that is laid on a reference becomes a copy of what it leads to: its values are blamed where they are
  // written.
  void values_that_came_through_a_reference() {
    const MergedConfig merged(
        {file("1", "n: {x: 1, y: 2}\ni: ${n}\n"), file("2", "i: {x: 5}\n"), file("3", "i: {z: 7}\n")});
    QCOMPARE(blame(merged, "i.x"), QString("2:1:8=5 1:1:8=1"));
    QCOMPARE(blame(merged, "i.y"), QString("1:1:14=2"));
    QCOMPARE(blame(merged, "i.z"), QString("3:1:8=7"));
    QCOMPARE(blame(merged, "i"), QString("3:1:1={} 2:1:1={} 1:2:4=\"${n}\""));
    // An override goes through the reference instead.
    const MergedConfig through({file("1", "n: {x: 1}\ni: ${n}\n"), overrides("o", {"i.x=3"})});
    QCOMPARE(yaml(through.tree()), QString("n:\n  x: 3\ni: \"${n}\"\n"));
    QCOMPARE(blame(through, "n.x"), QString("o:1 (i.x)=3 1:1:8=1"));
  }

  void errors_say_where() {
    VERIFY_THROWS(ConfigError, MergedConfig({file("a.yaml", "x: {y: [1]}\n"), file("b.yaml", "x:\n  y: {z: 1}\n")}),
                  "b.yaml:2:3 (x.y)", "dict cannot be laid on a list");
    VERIFY_THROWS(ConfigError, MergedConfig({file("a.yaml", "x: 1\n"), overrides("set", {"x=2", "y=[1"})}), "set:2",
                  "\n  y=[1\n    ^");
    VERIFY_THROWS(ConfigError, MergedConfig({file("a.yaml", "just text\n")}), "a.yaml:1:1", "keys and values");
  }

  void bases_are_laid_under_the_file() {
    QVERIFY(QDir(folder_.path()).mkpath("cfgs/train"));
    write("cfgs/base.yaml", "a: 1\nb: 1\nc: {x: 1}\n");
    write("cfgs/train/other.yaml", "a: 2\nb: 2\nd: 2\n");
    // One beside the file, one from a folder above, as when the program runs there.
    write("cfgs/train/own.yaml", "_base_: [other.yaml, cfgs/base.yaml]\na: 9\nc: {y: 9}\n");
    const std::vector<ConfigLayer> layers = layers_of("cfgs/train/own.yaml");
    QCOMPARE(layers.size(), std::size_t{3});
    QCOMPARE(layers[0].name, path("cfgs/base.yaml"));
    QCOMPARE(layers[1].name, path("cfgs/train/other.yaml"));
    QVERIFY(layers[1].kind == ConfigLayer::Kind::base && layers[2].kind == ConfigLayer::Kind::file);
    const MergedConfig merged(layers);
    QCOMPARE(yaml(merged.tree()), QString("a: 9\nb: 2\nc:\n  x: 1\n  y: 9\nd: 2\n"));
    QCOMPARE(blame(merged, "b"),
             QString::fromStdString(path("cfgs/train/other.yaml") + ":2:4=2 " + path("cfgs/base.yaml") + ":2:4=1"));
    // From the working folder first.
    const QString before = QDir::currentPath();
    QVERIFY(QDir::setCurrent(folder_.path()));
    write("other.yaml", "from: here\n");
    const std::vector<ConfigLayer> here = layers_of("cfgs/train/own.yaml");
    QVERIFY(QDir::setCurrent(before));
    QCOMPARE(here[1].name, std::string("other.yaml"));
    QCOMPARE(here[0].name, std::string("cfgs/base.yaml"));
    write("text.yaml", "_base_: cfgs/base.yaml\nb: 0\n");
    QCOMPARE(merged_text(layers_of("text.yaml")), QString("a: 1\nb: 0\nc:\n  x: 1\n"));
  }

  void bases_that_cannot_be_had() {
    write("a.yaml", "x: 1\n_base_: [b.yaml]\n");
    write("b.yaml", "_base_: a.yaml\n");
    VERIFY_THROWS(ConfigError, layers_of("a.yaml"), "a.yaml -> b.yaml -> a.yaml", path("b.yaml") + ":1:9");
    write("self.yaml", "_base_: [self.yaml]\n");
    VERIFY_THROWS(ConfigError, layers_of("self.yaml"), "self.yaml -> self.yaml");
    write("lost.yaml", "x: 1\n_base_:\n  - gone.yaml\n");
    VERIFY_THROWS(ConfigError, layers_of("lost.yaml"), path("lost.yaml") + ":3:5", "no such file: gone.yaml",
                  "folders above");
    write("number.yaml", "_base_: [1]\n");
    VERIFY_THROWS(ConfigError, layers_of("number.yaml"), "takes paths, not the number 1");
  }

  // Many trees of files with scalars, lists and references between the dicts: the layers give what is made by loading
  // each base whole and merging it, and the topmost source is the value in force.
  void bases_as_the_dialect_merges_them() {
    std::mt19937 random(7);
    const auto pick = [&](int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); };
    const char* values[] = {"1", "2", "null", "{x: 1}", "{y: {z: 2}}", "{x: {z: 3}, y: 4}", "???", "${c}"};
    for (int round = 0; round < 300; ++round) {
      std::map<std::string, std::string> files;
      for (int i = 0; i < 5; ++i) {
        std::string text;
        for (const char* key : {"a", "b", "c"})
          if (pick(3)) text += std::string(key) + ": " + values[pick(key[0] == 'c' ? 7 : 8)] + "\n";
        std::string bases;
        for (int base = i + 1; base < 5; ++base)
          if (pick(2)) bases += "  - '" + std::to_string(base) + "'\n";
        files[std::to_string(i)] = text + (bases.empty() ? "" : "_base_:\n" + bases);
      }
      const std::function<ConfigNode(const std::string&)> whole = [&](const std::string& name) {
        ConfigNode tree = load_yaml_text(files[name], name);
        if (tree.is_null()) tree = ConfigNode(ConfigNode::Dict{});
        if (const ConfigNode* bases = tree.find("_base_")) {
          const ConfigNode::List names = bases->items();
          for (const ConfigNode& base : names) tree = merge_configs(whole(base.as_string()), {tree});
          tree.erase("_base_");
        }
        return tree;
      };
      const auto load = [&](const ConfigNode& name, const std::string&) {
        return HcpFile{name.as_string(), tree_of(files[name.as_string()], name.as_string())};
      };
      const MergedConfig merged(hcp_layers({"0", tree_of(files["0"], "0")}, load, false));
      ConfigNode tree = merged.tree();
      if (tree.is_dict()) tree.erase("_base_");
      QCOMPARE(yaml(tree), yaml(whole("0")));
      for (const char* key : {"a", "b", "c", "a.x", "a.y.z", "b.x", "b.y.z", "c.x", "c.y.z"}) {
        const auto found = find_path(tree, key);
        if (!found) continue;
        const ConfigNode* node = node_at(tree, *found);
        const auto sources = merged.blame(*found);
        QVERIFY2(!sources.empty(), key);
        if (node->is_scalar()) {
          QCOMPARE(yaml(sources[0].value), yaml(*node));
          QCOMPARE(QString::fromStdString(sources[0].place.text()), QString::fromStdString(node->place().text()));
        }
      }
    }
  }

  void ten_thousand_leaves_are_quick() {
    std::string nested, flat, reversed;
    for (int i = 0; i < 100; ++i) {
      nested += "section_" + std::to_string(i) + ":\n";
      for (int k = 0; k < 100; ++k) nested += "  key_" + std::to_string(k) + ": " + std::to_string(i * k) + "\n";
    }
    for (int i = 0; i < 10000; ++i) {
      flat += "key_" + std::to_string(i) + ": 1\n";
      reversed += "key_" + std::to_string(20000 - i) + ": 2\n";
    }
    for (const auto& [below, above] : {std::pair(nested, nested), std::pair(flat, reversed)}) {
      const std::vector<ConfigLayer> layers{file("1", below), file("2", above), overrides("o", {"a.b=1"})};
      QElapsedTimer timer;
      timer.start();
      const MergedConfig merged(layers);
      const auto merge_ms = timer.elapsed();
      QVERIFY2(merge_ms < 200, std::to_string(merge_ms).c_str());  // 2 and 12 ms; looking up key by key: half a second
      timer.restart();
      for (int i = 0; i < 1000; ++i) QVERIFY(!merged.blame({"a", "b"}).empty());
      QVERIFY2(timer.elapsed() < 500, std::to_string(timer.elapsed()).c_str());
    }
  }
};

QTEST_APPLESS_MAIN(TestLayers)
#include "tst_layers.moc"
