#include <QtTest>
#include <filesystem>
#include <optional>
#include <random>
#include <set>
#include <sstream>

#include "config/editable_config.h"
#include "config/errors.h"
#include "config/yaml_loader.h"
#include "support/odd_values.h"
#include "support/shared_data.h"

using namespace attnscope;

namespace {

// The lines that are comments, without their indentation.
std::multiset<std::string> comment_lines(const std::string& bytes) {
  std::multiset<std::string> out;
  std::istringstream in(bytes.starts_with("\xEF\xBB\xBF") ? bytes.substr(3) : bytes);
  for (std::string line; std::getline(in, line);) {
    if (line.ends_with('\r')) line.pop_back();
    const auto at = line.find_first_not_of(" \t");
    if (at != std::string::npos && line[at] == '#') out.insert(line.substr(at));
  }
  return out;
}

// Edits of all kinds at random places, and a tree that is changed alike to compare with.
class RandomEdits {
 public:
  RandomEdits(EditableConfig& config, bool compares) : config_(config), compares_(compares) {}

  BytePatches edit() {
    const ConfigNode before = config_.root();
    const auto lines = comment_lines(config_.bytes());
    wanted_ = before;
    keeps_comments_ = true;
    problem_.clear();
    BytePatches patches = change();
    if (compares_ && !(config_.root() == wanted_)) problem_ = "another tree";
    const auto after = comment_lines(config_.bytes());
    if (keeps_comments_ && !std::includes(after.begin(), after.end(), lines.begin(), lines.end()))
      problem_ = "a comment is gone";
    return patches;
  }

  const std::string& what() const { return what_; }
  const std::string& problem() const { return problem_; }

 private:
  std::size_t pick(std::size_t count) { return random_() % count; }

  static void collect(const ConfigNode& node, ConfigPath& path, std::vector<ConfigPath>& out) {
    out.push_back(path);
    const auto below = [&](const ConfigKey& key, const ConfigNode& child) {
      path.push_back(key);
      collect(child, path, out);
      path.pop_back();
    };
    if (node.is_dict())
      for (const auto& [key, value] : node.members()) below(key, value);
    if (node.is_list())
      for (std::size_t i = 0; i < node.items().size(); ++i) below(index_key(i), node.items()[i]);
  }

  ConfigNode value() {
    static const std::vector<ConfigNode> kValues = [] {
      std::vector<ConfigNode> values = odd_values();
      values.emplace_back(ConfigNode::Dict{});
      return values;
    }();
    return kValues[pick(kValues.size())];
  }

  ConfigKey key() { return "new" + std::to_string(pick(1000)); }

  static void put(ConfigNode& container, std::size_t index, const ConfigKey& key, ConfigNode value) {
    const auto at = static_cast<std::ptrdiff_t>(index);
    if (container.is_list()) {
      container.items().insert(container.items().begin() + at, std::move(value));
    } else {
      container.members().insert(container.members().begin() + at, {key, std::move(value)});
    }
  }

  static void drop(ConfigNode& container, const ConfigKey& key) {
    if (container.is_list()) {
      container.items().erase(container.items().begin() + static_cast<std::ptrdiff_t>(*index_of(key)));
    } else {
      container.erase(key);
    }
  }

  static std::size_t index_in(const ConfigNode& container, const ConfigKey& key) {
    if (container.is_list()) return *index_of(key);
    std::size_t i = 0;
    while (!(container.members()[i].first == key)) ++i;
    return i;
  }

  static std::size_t count(const ConfigNode& container) {
    return container.is_list() ? container.items().size() : container.members().size();
  }

  BytePatches change() {
    std::vector<ConfigPath> paths, containers;
    ConfigPath root;
    collect(wanted_, root, paths);
    for (const ConfigPath& path : paths)
      if (!node_at(wanted_, path)->is_scalar()) containers.push_back(path);
    const ConfigPath path = paths.size() > 1 ? paths[1 + pick(paths.size() - 1)] : ConfigPath();
    const ConfigPath parent = path.empty() ? path : ConfigPath(path.begin(), path.end() - 1);
    const ConfigPath container = containers[pick(containers.size())];
    ConfigNode& in_parent = *node_at(wanted_, parent);
    ConfigNode& in_container = *node_at(wanted_, container);
    const ConfigNode old = *node_at(wanted_, path);
    const auto name = [&](const ConfigPath& path) { return path_text(config_.root(), path); };
    const auto kind = path.empty() ? 1 : pick(8);
    if (kind == 0) {
      const ConfigNode wanted = value();
      what_ = "set " + name(path) + " to " + describe(wanted);
      keeps_comments_ = old.is_scalar();
      *node_at(wanted_, path) = wanted;
      try {
        return config_.set(path, wanted);
      } catch (const ConfigKindError& error) {
        if (std::string(error.what()).find("is written in line") == std::string::npos) throw;
      }
      BytePatches patches = config_.override_beside(path, wanted);
      if (!(*node_at(config_.root(), path) == wanted)) problem_ = "another value";
      return patches;
    }
    if (kind == 1) {
      const ConfigNode wanted = value();
      const std::size_t index = pick(count(in_container) + 1);
      const ConfigKey added = key();
      what_ = "insert " + added.text() + ": " + describe(wanted) + " at " + std::to_string(index) + " of " +
              name(container);
      put(in_container, index, added, wanted);
      return config_.insert(container, index, added, wanted);
    }
    if (kind == 2) {
      what_ = "remove " + name(path);
      keeps_comments_ = old.is_scalar();
      drop(in_parent, path.back());
      return config_.remove({path});
    }
    if (kind == 3 && in_parent.is_dict()) {
      const ConfigKey renamed = key();
      what_ = "rename " + name(path) + " to " + renamed.text();
      in_parent.members()[index_in(in_parent, path.back())].first = renamed;
      return config_.rename(path, renamed);
    }
    if (kind == 4) {
      const ConfigKey copied = key();
      what_ = "duplicate " + name(path);
      put(in_parent, index_in(in_parent, path.back()) + 1, copied, old);
      return config_.duplicate(path, copied);
    }
    if (kind == 5) {
      const std::vector<std::string> lines{"", "one", "one\ntwo", " three", "# four"};
      const EditableConfig::Comments comments{lines[pick(5)], pick(2) == 0 ? "" : "behind"};
      what_ = "comment " + name(path);
      keeps_comments_ = false;
      BytePatches patches = config_.set_comments(path, comments);
      if (!(config_.comments(path) == comments)) problem_ = "other comments";
      return patches;
    }
    // Half of the moves stay in their container, others go to one that takes it.
    const ConfigPath target = kind == 6 ? parent : container;
    const ConfigNode& in_target = *node_at(wanted_, target);
    std::size_t index = pick(count(in_target) + 1);
    what_ = "move " + name(path) + " to " + std::to_string(index) + " of " + name(target);
    const std::size_t place = index;
    const bool possible =
        !starts_with(target, path) &&
        (target == parent || (in_target.is_dict() ? in_parent.is_dict() && !in_target.find_key(path.back()) : true));
    if (!possible) return config_.set(path, old);
    if (starts_with(parent, target)) {
      if (parent == target && index > index_in(in_parent, path.back())) --index;
      drop(in_parent, path.back());
      put(*node_at(wanted_, target), index, path.back(), old);
    } else {
      put(*node_at(wanted_, target), index, path.back(), old);
      drop(*node_at(wanted_, parent), path.back());
    }
    return config_.move(path, target, place);
  }

  EditableConfig& config_;
  bool compares_;
  std::mt19937 random_{11};
  ConfigNode wanted_;
  bool keeps_comments_ = true;
  std::string what_, problem_;
};

}  // namespace

class TestRandomEdits : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  // Any edits leave what they must and can be undone.
  void random_edits_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("most_refused");
    const auto row = [](const char* name, const std::string& text, int most_refused = 40) {
      QTest::newRow(name) << QByteArray::fromStdString(text) << most_refused;
    };
    row("odd",
        "%YAML 1.1\n--- # d\n? a\n: 1\n? \"b\"\n: - x\n  -\n  - - y # yy\n    - |+\n     t\n\n  # z\nc: >-\n  x # "
        "text\n\n\n'd' :\n- !!str 1\n-\n  e: ~\n  f: \"two\n    lines\"\n# g\nh: plain\n  goes on # h\n...\n",
        100);
    row("explicit keys", "? a\n: 1\n? b\n: - x\n  - y: 1\n    z: 2\n? c\n# d\n", 199);
    row("texts",
        "a: |\n  one # one\n\n  two\n\n# c\nb: >+\n  x\n\n\nc:\n  - |2\n     x\n  - 'y\n\n    z # z'\n  -\n  - \"q\" # "
        "qq\nd: !!str\ne: &f\ng: *f\n");
    row("brackets",
        "{a: [x, # x\n  y, {b: 1 }], # c\n # d\n e: {}, f, 'g': [\n# h\n], i: [[1,2],[ 3 ]], j: {k: v,\n  l: w}, }");
    row("JSON",
        "{\r\n    \"a\": [1, 2, {\"b\": null}],\r\n    \"c\": {\r\n        \"d\": true,\r\n        \"e\": []\r\n    "
        "},\r\n    \"f\": \"g\"\r\n}");
    row("anchors",
        "base: &b\n  x: &x 1\n  y: [&z {w: 1}, *x]\nl: &l [1, 2]\na:\n  <<: *b\n  x: 2\nc: {<<: [*b, *z], d: *l}\ne: "
        "*b\nf:\n- *z\n- <<: *z\n  v: 1\n",
        120);
    row("no end",
        "\xEF\xBB\xBF"
        "a: # c\r\n- 1\r\n-  - 2\r\n   - b: 3\r\n     c: 4\r\nd:\r\n  e: 5");
    row("demo.yaml", read_config_file(ATTNSCOPE_SOURCE_DIR "/configs/demo.yaml"));
    const std::string folder = real_configs_folder();
    if (!std::filesystem::exists(folder)) return;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      // One has anchors and aliases: what would move an anchor behind its alias is refused, among others.
      row(entry.path().filename().c_str(), read_config_file(entry.path().string()),
          entry.path().filename().string().starts_with("diffusion_policy__task") ? 100 : 40);
  }

  void random_edits() {
    QFETCH(QByteArray, text);
    QFETCH(int, most_refused);
    const std::string original = text.toStdString();
    std::optional<EditableConfig> config;
    try {
      config.emplace(original, "t");
    } catch (const ConfigError&) {
      QSKIP("does not load");
    }
    const bool anchors = original.find('&') != std::string::npos;
    RandomEdits random(*config, !anchors);
    std::vector<BytePatches> undo;
    int refused = 0;
    for (int i = 0; i < 200; ++i) {
      const std::string before = config->bytes();
      try {
        const BytePatches patches = random.edit();
        QCOMPARE(apply_patches(before, patches), config->bytes());
        undo.push_back(inverse(patches));
      } catch (const ConfigKindError& error) {
        if (error.kind() != "EditRefused") qInfo("%s", before.c_str());
        QCOMPARE(error.kind(), std::string("EditRefused"));
        QCOMPARE(config->bytes(), before);
        if (std::getenv("ATTNSCOPE_SHOW_REFUSED")) qInfo("%s: %s", random.what().c_str(), error.what());
        ++refused;
      }
      QVERIFY2(random.problem().empty(),
               (random.what() + ": " + random.problem() + "\n" + before + "\n----\n" + config->bytes()).c_str());
    }
    QVERIFY2(refused <= most_refused, qPrintable(QString("%1 of 200 refused").arg(refused)));
    for (; !undo.empty(); undo.pop_back()) config->apply(undo.back());
    QCOMPARE(config->bytes(), original);
  }
};

QTEST_APPLESS_MAIN(TestRandomEdits)
#include "tst_random_edits.moc"
