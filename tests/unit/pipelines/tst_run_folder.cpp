#include "pipelines/run_folder.h"

#include <ATen/ATen.h>

#include <QtTest>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "io/json_file.h"
#include "io/safetensors.h"
#include "support/errors.h"
#include "video/frame_writer.h"

using namespace attnscope;
namespace fs = std::filesystem;

// Folders as docs/run-folder.md describes them, made by hand: the reader must not depend on the writer.
class TestRunFolder : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  std::string run_;

  static constexpr const char* key_ = "up_blocks.1.attentions.0.transformer_blocks.0.attn2.processor";

  static nlohmann::ordered_json manifest() {
    return nlohmann::ordered_json::parse(R"({
      "format": 1, "status": "complete", "error": null, "future_key": {"a": 1},
      "maps_prompt": "a kätzchen", "tokens": ["<start>", "a", "kätz", "chen", "<end>"],
      "words": [{"text": "a", "tokens": [1]}, {"text": "kätzchen", "tokens": [2, 3], "folder": "kätzchen"}],
      "frames": {"count": 2, "width": 8, "height": 6, "fps": 12.5, "source": "a.mp4"},
      "layers": [{"key": "up_blocks.1.attentions.0.transformer_blocks.0.attn2.processor", "place": "up",
                  "processor": "AttnProcessor", "height": 3, "width": 4, "heads": 2, "head_dim": 8, "cross_dim": 64,
                  "calls": 20, "captured": true}],
      "warnings": ["slow"]})");
  }

  void write(const nlohmann::ordered_json& value) const { write_json_file(run_files::manifest(run_), value); }
  RunFolder open() const { return RunFolder::open(run_); }

  // `value` as the manifest's member at `pointer`.
  void change(const std::string& pointer, const nlohmann::ordered_json& value) const {
    nlohmann::ordered_json changed = manifest();
    changed[nlohmann::ordered_json::json_pointer(pointer)] = value;
    write(changed);
  }

  void save_maps(const at::Tensor& maps, const std::map<std::string, std::string>& metadata = {
                                             {"latent_height", "6"}, {"latent_width", "8"}}) const {
    save_safetensors(run_files::maps(run_), {{key_, maps}}, metadata);
  }

 private Q_SLOTS:
  void init() {
    run_ = folder_.filePath("run").toStdString();
    fs::remove_all(run_);
    fs::create_directories(run_ + "/frames/source");
    write(manifest());
  }

  void what_the_manifest_says() {
    const RunFolder run = open();
    QCOMPARE(run.path(), run_);
    QCOMPARE(run.status(), RunStatus::complete);
    QCOMPARE(run.error(), std::string());
    QCOMPARE(run.prompt(), std::string("a kätzchen"));
    QCOMPARE(run.tokens().size(), std::size_t{5});
    QCOMPARE(run.tokens()[2], std::string("kätz"));
    QCOMPARE(run.words().size(), std::size_t{2});
    QVERIFY((run.words()[1].tokens == std::vector<int>{2, 3}));
    QCOMPARE(run.words()[1].folder, std::string("kätzchen"));
    QCOMPARE(run.words()[0].folder, std::string());
    QCOMPARE(run.frames(), 2);
    QCOMPARE(run.fps(), 12.5);
    QCOMPARE(run.layers().size(), std::size_t{1});
    const RunLayer& layer = run.layers()[0];
    QCOMPARE(layer.key, std::string(key_));
    QCOMPARE(layer.place, std::string("up"));
    QCOMPARE(layer.height, 3);
    QCOMPARE(layer.width, 4);
    QCOMPARE(layer.cross_dim, 64);
    QCOMPARE(layer.calls, int64_t{20});
    QVERIFY(layer.captured);
    QCOMPARE(run.warnings().at(0), std::string("slow"));
    QCOMPARE(run.manifest().at("future_key").at("a").get<int>(), 1);
  }

  void layers_and_words_survive_json() {
    const RunLayer layer{"mid_block.attentions.0.transformer_blocks.0.attn1.processor",
                         "mid",
                         "AttnProcessor2_0",
                         2,
                         3,
                         4,
                         5,
                         0,
                         6,
                         false};
    nlohmann::ordered_json changed = manifest();
    changed["layers"] = {to_json(layer)};
    changed["words"] = {to_json(RunWord{"x", {1, 4}, "x#2"})};
    write(changed);
    const RunLayer back = open().layers().at(0);
    QVERIFY(to_json(back) == to_json(layer));
    QVERIFY(to_json(open().words().at(0)) == to_json(RunWord{"x", {1, 4}, "x#2"}));
  }

  void every_status() {
    for (RunStatus status : {RunStatus::complete, RunStatus::cancelled, RunStatus::failed, RunStatus::incomplete}) {
      change("/status", to_string(status));
      QCOMPARE(open().status(), status);
    }
    change("/error", "out of paint");
    QCOMPARE(open().error(), std::string("out of paint"));
  }

  void frames() {
    QVERIFY(!open().has_source_frames());
    QVERIFY(!open().has_output_frames());
    Image image{8, 6, std::vector<uint8_t>(8 * 6 * 3, 50)};
    image.rgb[0] = 200;
    write_png(run_files::source_frame(run_, 0), image);
    QVERIFY(open().has_source_frames());
    QCOMPARE(open().source_frame(0).rgb, image.rgb);
    VERIFY_THROWS(LoadError, open().source_frame(1), "frames/source/0001.png", "not found");
    VERIFY_THROWS(LoadError, open().source_frame(2), "2 frames", "no frame 2");
    VERIFY_THROWS(LoadError, open().source_frame(-1), "no frame -1");
    VERIFY_THROWS(LoadError, open().output_frame(0), "frames/output/0000.png", "not found");
    std::ofstream(run_files::source_frame(run_, 1)) << "damaged";
    VERIFY_THROWS(LoadError, open().source_frame(1), "frames/source/0001.png", "not a picture");
  }

  void maps() {
    QVERIFY(!open().has_maps());
    VERIFY_THROWS(LoadError, open().maps(), "maps.safetensors");
    const at::Tensor stored = at::rand({2, 5, 3, 4});
    save_maps(stored);
    QVERIFY(open().has_maps());
    const CrossMaps maps = open().maps();
    QCOMPARE(maps.latent_height, 6);
    QCOMPARE(maps.latent_width, 8);
    QCOMPARE(maps.frames(), 2);
    QCOMPARE(maps.tokens(), 5);
    QCOMPARE(maps.layers.at(0).key, std::string(key_));
    QVERIFY(at::equal(maps.layers[0].maps, stored));
  }

  void layers_keep_the_order_they_were_written_in() {
    const std::vector<std::string> keys = {"up_blocks.0", "down_blocks.1", "down_blocks.0", "mid_block"};
    NamedTensors tensors;
    for (const std::string& key : keys) tensors.emplace_back(key, at::ones({2, 5, 1, 1}));
    save_safetensors(run_files::maps(run_), tensors, {{"latent_height", "6"}, {"latent_width", "8"}});
    std::vector<std::string> read;
    for (const LayerMaps& layer : open().maps().layers) read.push_back(layer.key);
    QVERIFY(read == keys);
  }

  void maps_that_do_not_fit() {
    save_maps(at::rand({3, 5, 3, 4}));
    VERIFY_THROWS(LoadError, open().maps(), "maps.safetensors", key_, "3 frames", "says 2");
    save_maps(at::rand({2, 5, 12}));
    VERIFY_THROWS(LoadError, open().maps(), key_, "[frames, tokens, h, w]");
    save_maps(at::rand({2, 5, 3, 4}).to(at::kHalf));
    VERIFY_THROWS(LoadError, open().maps(), key_, "float32");
    save_maps(at::rand({2, 5, 0, 4}));
    VERIFY_THROWS(LoadError, open().maps(), key_, "empty");
    save_maps(at::rand({2, 5, 3, 4}), {{"latent_height", "6"}});
    VERIFY_THROWS(LoadError, open().maps(), "latent_width", "over 0");
    save_maps(at::rand({2, 5, 3, 4}), {{"latent_height", "tall"}, {"latent_width", "8"}});
    VERIFY_THROWS(LoadError, open().maps(), "latent_height", "over 0");
    save_safetensors(run_files::maps(run_), {{"a", at::rand({2, 5, 3, 4})}, {"b", at::rand({2, 6, 3, 4})}},
                     {{"latent_height", "6"}, {"latent_width", "8"}});
    VERIFY_THROWS(LoadError, open().maps(), "[b]", "6 tokens");
    std::ofstream(run_files::maps(run_)) << "cut";
    VERIFY_THROWS(LoadError, open().maps(), "maps.safetensors");
  }

  void folders_that_are_no_runs() {
    VERIFY_THROWS(LoadError, RunFolder::open(run_ + "/none"), "none", "not found");
    VERIFY_THROWS(LoadError, RunFolder::open(run_files::manifest(run_)), "is a file");
    VERIFY_THROWS(LoadError, RunFolder::open(run_ + "/frames"), "holds no manifest.json");
    write({{"name", "an app"}, {"format", 1}});
    VERIFY_THROWS(LoadError, open(), "manifest.json", "not the manifest of a run");
    write(nlohmann::ordered_json::array());
    VERIFY_THROWS(LoadError, open(), "not the manifest of a run");
    std::ofstream(run_files::manifest(run_)) << "{\"format\": 1,";
    VERIFY_THROWS(LoadError, open(), "manifest.json", "JSON");
  }

  void newer_versions_are_refused() {
    change("/format", 2);
    VERIFY_THROWS(LoadError, open(), "newer version", "format 2", "reads 1");
    change("/format", 0);
    VERIFY_THROWS(LoadError, open(), "[format]");
  }

  void fields_of_the_wrong_type_are_named() {
    const std::vector<std::array<std::string, 3>> cases = {
        {"/status", "\"done\"", "[status]"},
        {"/status", "3", "[status]"},
        {"/format", "\"one\"", "[format]"},
        {"/maps_prompt", "7", "[maps_prompt]"},
        {"/tokens", "\"a b\"", "[tokens]"},
        {"/tokens/1", "{}", "[tokens[1]]"},
        {"/words/1", "\"cat\"", "[words[1]]"},
        {"/words/1/text", "5", "[words[1].text]"},
        {"/words/1/tokens/0", "-1", "[words[1].tokens[0]]"},
        {"/words/1/tokens/0", "1.5", "[words[1].tokens[0]]"},
        {"/words/1/tokens/0", "99999999999", "[words[1].tokens[0]]"},
        {"/words/1/folder", "\"../../etc\"", "[words[1].folder]"},
        {"/words/1/folder", "\"..\"", "[words[1].folder]"},
        {"/layers/0/key", "null", "[layers[0].key]"},
        {"/layers/0/captured", "1", "[layers[0].captured]"},
        {"/layers/0/heads", "-2", "[layers[0].heads]"},
        {"/frames", "2", "[frames]"},
        {"/frames/count", "\"two\"", "[frames.count]"},
        {"/frames/fps", "\"fast\"", "[frames.fps]"},
        {"/warnings", "{}", "[warnings]"},
    };
    for (const auto& [pointer, value, place] : cases) {
      change(pointer, nlohmann::ordered_json::parse(value));
      VERIFY_THROWS(LoadError, open(), "manifest.json " + place);
    }
  }

  void missing_lists_are_empty() {
    write({{"format", 1}, {"status", "incomplete"}});
    const RunFolder run = open();
    QCOMPARE(run.status(), RunStatus::incomplete);
    QCOMPARE(run.frames(), 0);
    QVERIFY(run.words().empty() && run.tokens().empty() && run.layers().empty() && run.prompt().empty());
  }

  void word_folder_names() {
    QCOMPARE(word_folder_name("cat", {}), std::string("cat"));
    QCOMPARE(word_folder_name("a", {"a"}), std::string("a#2"));
    QCOMPARE(word_folder_name("a", {"a", "a#2"}), std::string("a#3"));
    QCOMPARE(word_folder_name("A", {"a"}), std::string("A#2"));
    QCOMPARE(word_folder_name("猫", {}), std::string("猫"));
    QCOMPARE(word_folder_name("and/or", {}), std::string("and_or"));
    QCOMPARE(word_folder_name("..", {}), std::string("__"));
    QCOMPARE(word_folder_name(".hidden", {}), std::string("_hidden"));
    QCOMPARE(word_folder_name("end.", {}), std::string("end_"));
    QCOMPARE(word_folder_name("", {}), std::string("_"));
    QCOMPARE(word_folder_name("a\nb\x7f", {}), std::string("a_b_"));
    QCOMPARE(word_folder_name("?", {"_"}), std::string("_#2"));
    // The video of "a" is a.mp4, so the word "a.mp4" cannot have that folder, nor the other way round.
    QCOMPARE(word_folder_name("a.mp4", {"a"}), std::string("a.mp4#2"));
    QCOMPARE(word_folder_name("a", {"a.npz"}), std::string("a#2"));
    std::string longest;
    for (int i = 0; i < 100; ++i) longest += "語";
    const std::string cut = word_folder_name(longest, {});
    QCOMPARE(cut.size(), std::size_t{78});  // whole characters only
    QVERIFY(longest.rfind(cut, 0) == 0);
  }
};

QTEST_APPLESS_MAIN(TestRunFolder)
#include "tst_run_folder.moc"
