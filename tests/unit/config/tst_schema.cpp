#include "config/schema.h"

#include <QtTest>
#include <chrono>
#include <filesystem>
#include <functional>
#include <set>

#include "config/path.h"
#include "config/yaml_loader.h"
#include "support/errors.h"
#include "support/shared_data.h"

using namespace attnscope;
using Level = ConfigFinding::Level;
using Type = SchemaEntry::Type;

class TestSchema : public QObject {
  Q_OBJECT

  // "e 3:5 (a.b) message | hint", "w …" for a warning.
  static std::string told(const ConfigFinding& finding) {
    return std::string(finding.level == Level::error ? "e " : "w ") + finding.place.text() + " " + finding.message +
           (finding.hint.empty() ? "" : " | " + finding.hint);
  }

  static void walk(const SchemaEntry& entry, const std::string& path,
                   const std::function<void(const SchemaEntry&, const std::string&)>& visit) {
    visit(entry, path);
    for (const SchemaEntry& member : entry.members) walk(member, path + "." + member.name, visit);
    for (const SchemaEntry& item : entry.items) walk(item, path + "[]", visit);
  }

 private Q_SLOTS:
  void initTestCase() {
    try {
      QVERIFY(!ConfigSchema::all().empty());
    } catch (const ConfigError& error) {
      QFAIL(error.what());
    }
  }

  void files_data() {
    QTest::addColumn<QString>("name");
    for (const ConfigSchema& schema : ConfigSchema::all())
      QTest::newRow(schema.name().c_str()) << QString::fromStdString(schema.name());
    QVERIFY(ConfigSchema::all().size() >= 2);
    QCOMPARE(ConfigSchema::all().front().name(), std::string("run"));
  }

  // Every entry says what it is for, no key stands twice, and defaults are values that the check lets pass.
  void files() {
    QFETCH(QString, name);
    const ConfigSchema* schema = ConfigSchema::named(name.toStdString());
    QVERIFY(schema && !schema->title().empty() && !schema->help().empty());
    std::string wrong;
    walk(schema->root(), schema->name(), [&](const SchemaEntry& entry, const std::string& path) {
      const bool item = path.ends_with("[]");
      if (entry.help.empty() && !item) wrong += path + " has no help\n";
      if (!entry.help.empty() && entry.help.back() != '.') wrong += path + ": help does not end with a full stop\n";
      if (entry.type == Type::choice && entry.choices.empty()) wrong += path + " has no choices\n";
      if (entry.range.low > entry.range.high) wrong += path + " has an empty range\n";
      std::set<std::string> names;
      for (const SchemaEntry& member : entry.members)
        if (!names.insert(member.name).second) wrong += path + "." + member.name + " stands twice\n";
    });
    QVERIFY2(wrong.empty(), wrong.c_str());
    for (const ConfigFinding& finding : schema->check(defaults_of(schema->root())))
      if (finding.message != "is required") wrong += finding.place.key + ": its default " + finding.message + "\n";
    QVERIFY2(wrong.empty(), wrong.c_str());
  }

  void entries_are_found() {
    const ConfigSchema* schema = ConfigSchema::named("run");
    const auto name = [&](const ConfigPath& path) {
      const SchemaEntry* entry = schema->find(path);
      return entry ? entry->name + ":" + type_text(entry->type) : "none";
    };
    QCOMPARE(schema->find({}), &schema->root());
    QCOMPARE(name({"model", "path"}), std::string("path:a path"));
    QCOMPARE(name({"attention", "capture", "layers", index_key(3)}), std::string(":text"));
    QCOMPARE(name({"attention", "processors", "*attn1*"}), std::string("*:one of several"));
    QCOMPARE(name({"model", "pth"}), std::string("none"));
    QCOMPARE(name({"model", "path", "x"}), std::string("none"));
    QVERIFY(!ConfigSchema::named("nothing"));
    schema = ConfigSchema::named("fatezero");
    const ConfigPath prompt{"editing_config", "p2p_config", ConfigKey::integer("0")};
    const auto below = [&](ConfigPath rest) {
      rest.insert(rest.begin(), prompt.begin(), prompt.end());
      return name(rest);
    };
    QCOMPARE(below({"eq_params", "values", index_key(1)}), std::string(":a number"));
    QCOMPARE(below({"cross_replace_steps", "default_"}), std::string("default_:a number"));
    QCOMPARE(below({"cross_replace_steps", "cat"}), std::string("*:a number"));
    QCOMPARE(below({"blend_words", index_key(0), index_key(0)}), std::string("none"));
  }

  void texts() {
    const ConfigSchema* schema = ConfigSchema::named("run");
    QCOMPARE(schema->find({"seed"})->expected(), std::string("a whole number from -2^63 to 2^64 - 1"));
    QCOMPARE(schema->find({"output_size"})->expected(),
             std::string("a list of whole numbers from 8 to 8192 (pixels), or a whole number from 8 to 8192 (pixels)"));
    QCOMPARE(schema->find({"heatmaps", "words"})->expected(), std::string("a list of texts, or text"));
    QCOMPARE(schema->find({"attention", "capture"})->expected(), std::string("a dict, or true or false"));
    QCOMPARE(schema->find({"heatmaps", "alpha"})->summary(),
             std::string("How strongly the colours cover the frame. 0 shows the frame alone, 1 the map alone.\n"
                         "A number from 0 to 1.\nDefault: 0.6"));
    QCOMPARE(schema->find({"model", "dtype"})->expected(), std::string("one of float32, bfloat16, float16"));
    QVERIFY(schema->find({"model", "path"})->summary().ends_with("\nA path, required."));
    QCOMPARE(value_text(load_yaml_text("{a: [1, x, '2', null], b: {}}", "c")),
             std::string("{a: [1, x, \"2\", null], b: {}}"));
  }

  void findings_data() {
    QTest::addColumn<QString>("schema");
    QTest::addColumn<QByteArray>("yaml");
    QTest::addColumn<QByteArray>("found");
    const auto row = [](const char* schema, const char* yaml, const char* found) {
      QTest::newRow(yaml) << schema << QByteArray(yaml) << QByteArray(found);
    };
    row("run", "model: {path: x}\nprompt: 7\nseed: 18446744073709551615\nscheduler: DDIMScheduler", "");
    row("run", "model: {path: x, dtype: }\nattention: {capture: {words: red, steps: [0, 3]}}", "");
    row("run", "model: {path: x}\noutput_size: 64\nattention: {capture: false}\neta: ${x}\nnum_images: ???", "");
    row("run", "model: {pth: x}",
        "e c:1:14 (model.pth) unknown key pth | Did you mean 'path'?\n"
        "e c:1:1 (model.path) is required | It must be a path.\n");
    row("run", "prompt: x", "e c:1:1 (model.path) is required | It must be a path.\n");
    row("run", "model:\nprompt: x", "e c:1:1 (model.path) is required | It must be a path.\n");
    row("run", "model: {path: x, dtype: floot32}",
        "e c:1:25 (model.dtype) must be one of float32, bfloat16, float16, not \"floot32\" | Did you mean float32?\n");
    row("run", "model: {path: x}\nnum_inference_steps: '30'",
        "e c:2:22 (num_inference_steps) must be a whole number from 1 to 10000 (steps), not text \"30\" | Write the "
        "number without quotes.\n");
    row("run", "model: {path: x}\nnum_inference_steps: many",
        "e c:2:22 (num_inference_steps) must be a whole number from 1 to 10000 (steps), not text \"many\"\n");
    row("run", "model: {path: x}\nexport: {png: 'true'}",
        "e c:2:15 (export.png) must be true or false, not text \"true\" | Write it without quotes.\n");
    row("run", "model: {path: x}\nnum_inference_steps: 0",
        "e c:2:22 (num_inference_steps) must be a whole number from 1 to 10000 (steps), not the number 0\n");
    row("run", "model: {path: x}\nnum_images: 2.0",
        "e c:2:13 (num_images) must be a whole number from 1 to 10000 (pictures), not the number 2.0\n");
    row("run", "model: {path: x}\nstrength: .nan",
        "e c:2:11 (strength) must be a number from 0 to 1, not the number .nan\n");
    row("run", "model: {path: x}\nprompt: None",
        "w c:2:9 (prompt) \"None\" is text here, not null | Write null where nothing is meant.\n");
    row("run", "model: {path: x}\neta: None",
        "e c:2:6 (eta) \"None\" is text here, not null | Write null where nothing is meant.\n");
    row("run", "model: {path: x}\nprompt: {a: b}",
        "e c:2:1 (prompt) must be text, not a dict of 1 | Put text that holds \": \" in quotes.\n");
    row("run", "model: {path: x}\noutput_size: [64, 4]",
        "e c:2:19 (output_size[1]) must be a whole number from 8 to 8192 (pixels), not the number 4\n");
    row("run", "model: {path: x}\nattention: {processors: {'*': fusd}}",
        "e c:2:31 (attention.processors.*) must be one of default, fused, not \"fusd\" | Did you mean fused?\n");
    row("fatezero",
        "pretrained_model_path: x\nediting_config: {editing_prompts: [], p2p_config: {0: {cross_replace_steps: "
        "0.5, self_replace_steps: [0, 1]}, 1: {cross_replace_steps: {default_: 0.8, cat: 2}, bend_th: [2, 2]}}}",
        "e c:2:157 (editing_config.p2p_config.1.cross_replace_steps.cat) must be a number from 0 to 1, or a list, not "
        "the "
        "number 2\n"
        "w c:2:161 (editing_config.p2p_config.1.bend_th) unknown key bend_th | Did you mean 'blend_th'?\n");
    row("hcp-train", "_base_: b.yaml\ndata: {d: {bucket: {target_area: ---, num_bucket: 0}}}\nunet:\nmy_variable: 7",
        "e c:1:9 (_base_) must be a list of paths, not text \"b.yaml\"\n"
        "e c:2:51 (data.d.bucket.num_bucket) must be a whole number of at least 1 (shapes), not the number 0\n");
    const char* tune = "pretrained_model_path: x\noutput_dir: x\ntrain_data: {video_path: x, prompt: x}\n";
    QTest::newRow("foreign")
        << "tune-a-video"
        << QByteArray(tune) +
               "validation_data: {prompts: [1]}\nmixed_precision: no\nlearning_rat: 1\n"
               "train_batch_size:\nmax_train_steps: None\n"
        << QByteArray(
               "w c:4:29 (validation_data.prompts[0]) should be text, not the number 1 | Put it in "
               "quotes if text is meant.\n"
               "w c:5:18 (mixed_precision) should be one of no, fp16, bf16, not the boolean no | "
               "Put it in quotes if text is meant.\n"
               "w c:6:15 (learning_rat) unknown key learning_rat | Did you mean 'learning_rate'?\n"
               "e c:7:1 (train_batch_size) must be a whole number of at least 1 (videos), not null\n"
               "w c:8:18 (max_train_steps) \"None\" is text here, not null | Write null where "
               "nothing is meant.\n");
  }

  void findings() {
    QFETCH(QString, schema);
    QFETCH(QByteArray, yaml);
    QFETCH(QByteArray, found);
    std::string text;
    for (const ConfigFinding& finding :
         ConfigSchema::named(schema.toStdString())->check(load_yaml_text(yaml.toStdString(), "c")))
      text += told(finding) + "\n";
    QCOMPARE(QByteArray::fromStdString(text), found);
  }

  // Each file of the five programs gets its schema, files of others get none; none has an error. (The 25th does not
  // load.)
  void real_files_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("schema");
    QTest::addColumn<QStringList>("warnings");
    const auto row = [](const char* file, const char* schema, const QStringList& warnings = {}) {
      QTest::newRow(file) << file << schema << warnings;
    };
    row("AnimateDiff__1_2_animate_FilmVelvia", "");
    row("AnimateDiff__3_1_sparsectrl_i2v", "");
    row("AnimateDiff__training-v1", "");
    row("BasicSR__train_ESRGAN_x4", "");
    row("ControlNet__cldm_v21", "");
    row("FateZero__CLIP-bench_clean_prompt", "fatezero-clip");
    row("FateZero__attribute-bus_gpu", "fatezero");
    row("FateZero__teaser-jeep_watercolor", "fatezero");
    row("HCP-Diffusion2__base_dataset", "hcp-train");
    row("HCP-Diffusion2__lora_anime_character", "hcp-train");
    row("HCP-Diffusion2__workflow-text2img_lora", "hcp-workflow");
    row("HCP-Diffusion__DreamArtist++", "hcp-train");
    row("HCP-Diffusion__text2img", "hcp-infer");
    row("HCP-Diffusion__train_base", "hcp-train");
    row("HCP-Diffusion__tuning_base", "hcp-train");
    row("LOVECon__style-girl", "lovecon", {"(editing_config.dilation_kernel) \"None\" is text here, not null"});
    row("Moore-AnimateAnyone__animation", "");
    row("TokenFlow__config_pnp", "tokenflow");
    row("TokenFlow__config_sdedit", "tokenflow");
    row("Tune-A-Video__car-turn", "tune-a-video");
    row("diffusion_policy__task-transport_lowdim", "");
    row("diffusion_policy__train_unet_hybrid_workspace", "");
    row("generative-models__imagenet-f8_cond", "");
    row("latent-diffusion__lsun_churches-ldm-kl-8", "");
  }

  void real_files() {
    QFETCH(QString, file);
    QFETCH(QString, schema);
    QFETCH(QStringList, warnings);
    const std::string folder = real_configs_folder() + "/";
    if (!std::filesystem::exists(folder)) QSKIP("no real configs here");
    const ConfigNode root = load_yaml_file(folder + file.toStdString() + ".yaml");
    const ConfigSchema* found = ConfigSchema::of(root);
    QCOMPARE(found ? QString::fromStdString(found->name()) : QString(), schema);
    if (!found) return;
    QStringList texts;
    for (const ConfigFinding& finding : found->check(root)) {
      QVERIFY2(finding.level == Level::warning, told(finding).c_str());
      texts << QString::fromStdString("(" + finding.place.key + ") " + finding.message);
    }
    QVERIFY2(texts == warnings, qPrintable(texts.join(QLatin1Char('\n'))));
  }

  void our_configs() {
    for (const auto& file : std::filesystem::directory_iterator(ATTNSCOPE_SOURCE_DIR "/configs")) {
      const ConfigNode root = load_yaml_file(file.path().string());
      QCOMPARE(ConfigSchema::of(root), ConfigSchema::named("run"));
      for (const ConfigFinding& finding : ConfigSchema::named("run")->check(root)) QFAIL(told(finding).c_str());
    }
    QVERIFY(!ConfigSchema::of(load_yaml_text("", "c")));
    QVERIFY(!ConfigSchema::of(load_yaml_text("[1]", "c")));
    QVERIFY(!ConfigSchema::of(load_yaml_text("7", "c")));
  }

  // What a schema file may not say.
  void bad_schema_files() {
    const std::string head = "name: x\ntitle: X\n";
    const auto parse = [&](const std::string& keys) { return ConfigSchema::parse(head + keys, "s"); };
    VERIFY_THROWS(ConfigError, parse("keys: {a: {typ: text}}"), "s:3:", "type", "is missing");
    VERIFY_THROWS(ConfigError, parse("keys: {a: {type: txt}}"), "s:3:", "Did you mean text?");
    VERIFY_THROWS(ConfigError, parse("keys: {a: {type: text, hlp: x}}"), "unknown key hlp", "Did you mean help?");
    VERIFY_THROWS(ConfigError, parse("keys: {a: {type: text, range: [1]}}"), "must be [lowest, highest]");
    VERIFY_THROWS(ConfigError, parse("keys: {a: {type: text, also: [dct]}}"), "unknown type dct");
  }

  // A tree of 10 000 leaves is checked within a few milliseconds.
  void speed() {
    ConfigNode::Dict processors;
    for (int i = 0; i < 10000; ++i) processors.emplace_back("block." + std::to_string(i), ConfigNode("fused"));
    const ConfigNode root = ConfigNode::Dict{{"model", ConfigNode::Dict{{"path", ConfigNode("x")}}},
                                             {"attention", ConfigNode::Dict{{"processors", processors}}}};
    const ConfigSchema* schema = ConfigSchema::named("run");
    QVERIFY(schema->check(root).empty());
    ConfigNode::Dict unknown = root.members();
    for (int i = 0; i < 10000; ++i) unknown.emplace_back("unknown_key_" + std::to_string(i), ConfigNode(i));
    const auto start = std::chrono::steady_clock::now();
    QVERIFY(schema->check(root).empty());
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    qInfo("10 000 leaves: %.2f ms", took.count());
    QVERIFY2(took.count() < 20, "ten times what it takes on a slow machine");
    const ConfigNode many(unknown);
    const auto again = std::chrono::steady_clock::now();
    QCOMPARE(ConfigSchema::of(many), schema);
    QCOMPARE(schema->check(many).size(), std::size_t{10000});
    const std::chrono::duration<double, std::milli> took_more = std::chrono::steady_clock::now() - again;
    qInfo("10 000 findings: %.2f ms", took_more.count());
    QVERIFY2(took_more.count() < 200, "ten times what it takes on a slow machine");
  }

 private:
  static ConfigNode defaults_of(const SchemaEntry& entry) {
    ConfigNode::Dict values;
    for (const SchemaEntry& member : entry.members) {
      if (member.name == "*") continue;
      if (!member.members.empty())
        values.emplace_back(member.name, defaults_of(member));
      else if (member.default_value)
        values.emplace_back(member.name, *member.default_value);
    }
    return values;
  }
};

QTEST_APPLESS_MAIN(TestSchema)
#include "tst_schema.moc"
