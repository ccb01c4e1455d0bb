#include <QtTest>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <regex>
#include <set>

#include "attention/recipes.h"
#include "base/error.h"
#include "config/schema.h"
#include "config/yaml_loader.h"
#include "pipelines/request_names.h"
#include "pipelines/run_request.h"
#include "schedulers/scheduler.h"
#include "support/errors.h"
#include "video/color_map.h"

using namespace attnscope;

// The run schema says what parse_run_request takes: the same keys, defaults, choices and ranges.
class TestRunSchema : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  const ConfigSchema& schema_ = *ConfigSchema::named("run");

  static constexpr const char* generate = "model: {path: .}\nprompt: a cat\n";
  static constexpr const char* inspect =
      "mode: inspect\nmodel: {path: .}\ninput: {image: a.png}\nsource_prompt: a cat\n"
      "attention: {capture: {}}\n";

  RunRequest parse(const std::string& text, const std::vector<std::string>& overrides = {}) const {
    return parse_run_request(text, folder_.filePath("run.yaml").toStdString(), overrides);
  }

  // What it says about an override, "" for nothing.
  std::string refusal(const std::string& override_text) const {
    const bool of_generate = override_text.starts_with("output_size") || override_text.starts_with("num_images");
    try {
      parse(of_generate ? generate : inspect, {override_text});
    } catch (const ConfigError& error) {
      return error.what();
    }
    return {};
  }

  void walk(const std::function<void(const SchemaEntry&, const std::string&)>& visit) const {
    const std::function<void(const SchemaEntry&, const std::string&)> down = [&](const SchemaEntry& entry,
                                                                                 const std::string& path) {
      visit(entry, path);
      for (const SchemaEntry& member : entry.members) down(member, join_key(path, member.name));
    };
    down(schema_.root(), "");
  }

  // "Known here: a, b" of the message for a key that no one knows.
  std::vector<std::string> known_to_the_reader(const std::string& dict) const {
    const std::string text = refusal(join_key(dict, std::string(40, 'z')) + "=1");
    std::vector<std::string> names;
    std::smatch match;
    if (!std::regex_search(text, match, std::regex("Known here: (.*)\\."))) return names;
    const QStringList list = QString::fromStdString(match[1].str()).split(", ");
    for (const QString& name : list) names.push_back(name.toStdString());
    std::sort(names.begin(), names.end());
    return names;
  }

  const SchemaEntry& entry(const ConfigPath& path) const { return *schema_.find(path); }

 private Q_SLOTS:
  void initTestCase() { std::ofstream{folder_.filePath("a.png").toStdString()}; }

  void keys() {
    int dicts = 0;
    walk([&](const SchemaEntry& entry, const std::string& path) {
      if (entry.type != SchemaEntry::Type::dict || path == "scheduler" || path == "attention.processors") return;
      std::vector<std::string> names;
      for (const SchemaEntry& member : entry.members) names.push_back(member.name);
      std::sort(names.begin(), names.end());
      QVERIFY2(names == known_to_the_reader(path), path.c_str());
      ++dicts;
    });
    QCOMPARE(dicts, 7);  // the root, model, input, attention, capture, heatmaps, export
  }

  void scheduler_keys() {
    std::set<std::string> known{"type"}, named;
    for (const std::string& name : scheduler_names())
      for (const std::string& field : scheduler_fields(name)) known.insert(field);
    for (const SchemaEntry& member : entry({"scheduler"}).members) named.insert(member.name);
    QVERIFY(named == known);
  }

  void defaults() {
    const ConfigNode of_generate = load_yaml_text(resolved_config(parse(generate)), "resolved");
    const ConfigNode of_inspect = load_yaml_text(resolved_config(parse(inspect)), "resolved");
    int compared = 0;
    walk([&](const SchemaEntry& entry, const std::string& path) {
      if (entry.type == SchemaEntry::Type::dict && !entry.members.empty() && path != "attention.processors") return;
      const ConfigNode* value = path.starts_with("input") ? of_inspect.select(path) : of_generate.select(path);
      static const std::set<std::string> given{"model.path", "prompt", "input.image"};
      if (!value || given.count(path)) return;
      QVERIFY2(entry.default_value, (path + " has no default but " + value_text(*value)).c_str());
      QVERIFY2(*entry.default_value == *value, (path + " is " + value_text(*value)).c_str());
      ++compared;
    });
    QVERIFY(compared >= 30);
    QCOMPARE(parse(generate).prompt, std::string("a cat"));
    QCOMPARE(*entry({"prompt"}).default_value, ConfigNode(RunRequest().prompt));
    QCOMPARE(*entry({"attention", "capture"}).default_value, ConfigNode(CaptureOptions().enabled));
  }

  void allowed_words() {
    using namespace request_names;
    QCOMPARE(entry({"mode"}).choices, (std::vector<std::string>{"generate", "inspect", "reconstruct", "edit"}));
    QCOMPARE(entry({"mode"}).choices, all(modes));
    QCOMPARE(entry({"model", "dtype"}).choices, dtypes);
    QCOMPARE(entry({"input", "fit"}).choices, all(fits));
    QCOMPARE(entry({"heatmaps", "range"}).choices, all(ranges));
    QCOMPARE(entry({"heatmaps", "colormap"}).choices, color_map_names());
    QCOMPARE(entry({"attention", "processors", "*"}).choices, processors);
    std::vector<std::string> recipe_names;
    for (const Recipe& recipe : recipes()) recipe_names.push_back(recipe.name);
    QCOMPARE(entry({"heatmaps", "recipe"}).choices, recipe_names);
    std::vector<std::string> schedulers;
    for (const std::string& name : scheduler_names()) schedulers.push_back(name.substr(0, name.rfind("Scheduler")));
    for (const std::string& name : scheduler_names()) schedulers.push_back(name);
    QCOMPARE(entry({"scheduler"}).choices, schedulers);
    QCOMPARE(entry({"scheduler", "type"}).choices, schedulers);
    for (const std::string& name : schedulers) QCOMPARE(refusal("scheduler=" + name), std::string());
  }

  // Both ends are taken and what lies beyond is not, here and there.
  void number_ranges() {
    int ends = 0;
    walk([&](const SchemaEntry& entry, const std::string& path) {
      if (path.starts_with("scheduler.")) return;
      const bool whole = entry.takes(SchemaEntry::Type::integer);
      if (!whole && !entry.takes(SchemaEntry::Type::number)) return;
      if (path == "seed") return;  // beyond what a double tells
      const auto text = [&](double value) {
        return path + "=" + QString::number(value, 'f', whole ? 0 : 1).toStdString();
      };
      const double step = whole ? 1 : 0.5;
      if (path != "strength") QVERIFY2(refusal(text(entry.range.low)).empty(), path.c_str());  // over 0
      QVERIFY2(refusal(text(entry.range.high)).empty(), (path + refusal(text(entry.range.high))).c_str());
      QVERIFY2(!refusal(text(entry.range.low - step)).empty(), path.c_str());
      QVERIFY2(!refusal(text(entry.range.high + step)).empty(), path.c_str());
      ends += 2;
    });
    QVERIFY(ends >= 20);
    for (const char* seed : {"-9223372036854775808", "18446744073709551615"}) {
      QCOMPARE(refusal(std::string("seed=") + seed), std::string());
      QVERIFY(schema_.check(load_yaml_text(generate + std::string("seed: ") + seed, "c")).empty());
    }
  }

  // Whatever the run refuses by type the check refuses as well, and the other way round.
  void types_data() {
    QTest::addColumn<QString>("change");
    for (const char* change : {"mode=7",
                               "mode=edi",
                               "model=x",
                               "model.path=7",
                               "model.dtype=null",
                               "model.vae_tiling=1",
                               "input.height=1.5",
                               "input.fit=yes",
                               "source_prompt=no",
                               "source_prompt=[a]",
                               "num_inference_steps='30'",
                               "guidance_scale=12",
                               "guidance_scale=abc",
                               "eta=null",
                               "seed=1.5",
                               "seed=-1",
                               "attention.capture=false",
                               "attention.capture=7",
                               "attention.capture.layers=x",
                               "attention.capture.layers=[1, true]",
                               "attention.capture.layers=[null]",
                               "attention.capture.layers={a: 1}",
                               "attention.capture.steps=[0, 1]",
                               "attention.capture.steps=[a, b]",
                               "attention.processors={'*': fused}",
                               "attention.processors=fused",
                               "attention.processors={'*': fast}",
                               "heatmaps.words=[]",
                               "heatmaps.alpha=true",
                               "export.png=no",
                               "export.png='no'",
                               "scheduler=DDIM",
                               "scheduler=DDI",
                               "scheduler={type: DDIM, steps_offset: 1}",
                               "scheduler={type: DDIM, step_offset: 1}",
                               "scheduler=7",
                               "export=null",
                               "exprt.png=true"})
      QTest::newRow(change) << change;
  }

  void types() {
    QFETCH(QString, change);
    const std::string text = change.toStdString();
    const std::string key = text.substr(0, text.find('=')), value = text.substr(text.find('=') + 1);
    ConfigNode root = load_yaml_text(inspect, "c");
    ConfigNode* node = &root;
    for (const std::string& step : split_key(key)) {
      if (!node->find(step)) node->set(step, ConfigNode());
      node = node->find(step);
    }
    *node = load_yaml_text(value, "c");
    std::string found;
    for (const ConfigFinding& finding : schema_.check(root)) found += finding.place.text() + " " + finding.message;
    const std::string refused = refusal(text);
    // A path may be refused for not being there.
    const bool runs = refused.empty() || refused.find("no such file") != std::string::npos;
    QVERIFY2(found.empty() == runs, ("check: " + found + "\nrun: " + refused).c_str());
  }
};

QTEST_APPLESS_MAIN(TestRunSchema)
#include "tst_run_schema.moc"
