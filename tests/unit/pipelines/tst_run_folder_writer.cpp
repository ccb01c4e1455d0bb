#include "pipelines/run_folder_writer.h"

#include <sys/resource.h>

#include <ATen/ATen.h>

#include <QtTest>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <opencv2/imgcodecs.hpp>

#include "base/error.h"
#include "config/yaml_loader.h"
#include "io/json_file.h"
#include "io/mapped_file.h"
#include "io/safetensors.h"
#include "support/errors.h"
#include "video/frame_reader.h"

using namespace attnscope;
namespace fs = std::filesystem;

class TestRunFolderWriter : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  std::string run_;

  static RunRequest request() {
    RunRequest request;
    request.config_name = "demo.yaml";
    request.config_text = "# as given\r\nmode:   inspect\n";
    request.mode = RunMode::inspect;
    request.model.path = "/models/tiny";
    request.input.kind = InputKind::video;
    request.input.path = "/videos/a.mp4";
    request.source_prompt = "a cat, a hat";
    request.seed = ~uint64_t{0};
    return request;
  }

  static std::vector<Image> frames(int count) {
    std::vector<Image> list;
    for (int i = 0; i < count; ++i)
      list.push_back({16, 12, std::vector<uint8_t>(16 * 12 * 3, static_cast<uint8_t>(40 + 10 * i))});
    return list;
  }

  static std::vector<HeatMap> heat(const std::vector<float>& maxima) {
    std::vector<HeatMap> maps;
    for (float top : maxima) maps.push_back({4, 3, {0, 0, 0, top, 0, 0, 0, 0, 0, 0, 0, 0}});
    return maps;
  }

  static std::vector<RunWord> words() {
    return {{"a", {1}, {}}, {"cat", {2}, {}}, {"a", {4}, {}}, {"hat", {5, 6}, {}}};
  }

  static void fill(RunFolderWriter& writer) {
    writer.set_words("a cat, a hat", {"<start>", "a", "cat", ",", "a", "ha", "t", "<end>"}, words());
    writer.manifest()["frames"]["count"] = 2;
  }

  bool has(const std::string& name) const { return fs::exists(fs::path(run_) / name); }
  RunStatus status() const { return RunFolder::open(run_).status(); }

 private Q_SLOTS:
  void init() {
    run_ = folder_.filePath("deep/er/run").toStdString();
    fs::remove_all(folder_.filePath("deep").toStdString());
  }

  void incomplete_from_the_first_moment_and_complete_last() {
    RunFolderWriter writer(run_, request());
    QCOMPARE(status(), RunStatus::incomplete);
    fill(writer);
    writer.write_source_frames(frames(2));
    writer.save();
    QCOMPARE(status(), RunStatus::incomplete);
    QCOMPARE(RunFolder::open(run_).words().size(), std::size_t{4});
    writer.finish(RunStatus::complete);
    QCOMPARE(status(), RunStatus::complete);
  }

  void a_failed_and_a_cancelled_run() {
    {
      RunFolderWriter writer(run_, request());
      writer.finish(RunStatus::failed, "out of memory");
    }
    QCOMPARE(status(), RunStatus::failed);
    QCOMPARE(RunFolder::open(run_).error(), std::string("out of memory"));
    RunFolderWriter(run_, request()).finish(RunStatus::cancelled);
    QCOMPARE(status(), RunStatus::cancelled);
    QCOMPARE(RunFolder::open(run_).error(), std::string());
  }

  void configs_and_the_request_in_the_manifest() {
    RunFolderWriter(run_, request()).finish(RunStatus::complete);
    QCOMPARE(read_file(run_files::config(run_)), std::string("# as given\r\nmode:   inspect\n"));
    const ConfigNode resolved = load_yaml_file(run_files::resolved_config(run_));
    QCOMPARE(resolved.find("source_prompt")->as_string(), std::string("a cat, a hat"));
    QCOMPARE(resolved.select("input.video")->as_string(), std::string("/videos/a.mp4"));
    const nlohmann::ordered_json manifest = RunFolder::open(run_).manifest();
    QCOMPARE(manifest.at("format").get<int>(), 1);
    QCOMPARE(manifest.at("mode").get<std::string>(), std::string("inspect"));
    QCOMPARE(manifest.at("seed").get<uint64_t>(), ~uint64_t{0});
    QCOMPARE(manifest.at("model").at("path").get<std::string>(), std::string("/models/tiny"));
    QCOMPARE(manifest.at("frames").at("source").get<std::string>(), std::string("/videos/a.mp4"));
    QCOMPARE(manifest.at("heatmaps").at("recipe").get<std::string>(), std::string("daam"));
    QVERIFY(manifest.at("versions").contains("attnscope"));
    QVERIFY(QDateTime::fromString(QString::fromStdString(manifest.at("created")), Qt::ISODate).isValid());
  }

  // docs/run-folder.md is what other programs are written against.
  void every_key_is_documented() {
    const std::string docs = read_file(std::string(ATTNSCOPE_SOURCE_DIR) + "/docs/run-folder.md");
    RunFolderWriter writer(run_, request());
    for (const auto& [key, value] : writer.manifest().items()) {
      QVERIFY2(docs.find("`" + key + "`") != std::string::npos, key.c_str());
      if (!value.is_object()) continue;
      for (const auto& [inner, ignored] : value.items())
        QVERIFY2(docs.find("`" + inner + "`") != std::string::npos, inner.c_str());
    }
    const nlohmann::ordered_json layer = to_json(RunLayer{});
    for (const auto& [key, value] : layer.items())
      QVERIFY2(docs.find("`" + key + "`") != std::string::npos, key.c_str());
  }

  void frames_latents_and_maps_read_back() {
    RunFolderWriter writer(run_, request());
    fill(writer);
    writer.write_source_frames(frames(2));
    writer.write_output_frames(frames(2), 12);
    const at::Tensor initial = at::rand({2, 4, 3, 4}), last = at::rand({2, 4, 3, 4});
    writer.write_latents(initial, last);
    CrossMaps maps;
    maps.latent_height = 6;
    maps.latent_width = 8;
    maps.layers = {{"up_blocks.0.attn2.processor", at::rand({2, 8, 3, 4})},
                   {"down_blocks.0.attn2.processor", at::rand({2, 8, 6, 8})}};
    writer.write_maps(maps);
    writer.set_layers({{"up_blocks.0.attn2.processor", "up", "AttnProcessor", 3, 4, 2, 8, 64, 5, true}});
    writer.add_warning("watch out");
    writer.finish(RunStatus::complete);

    const RunFolder run = RunFolder::open(run_);
    QCOMPARE(run.source_frame(1).rgb, frames(2)[1].rgb);
    QCOMPARE(run.output_frame(0).rgb, frames(1)[0].rgb);
    QCOMPARE(read_video(run_files::output_video(run_), {}).fps, 12.0);
    const auto latents = SafetensorsFile::open(run_files::latents(run_));
    QVERIFY(at::equal(latents->tensor("initial"), initial));
    QVERIFY(at::equal(latents->tensor("final"), last));
    const CrossMaps back = run.maps();
    QCOMPARE(back.latent_width, 8);
    QCOMPARE(back.layers.size(), std::size_t{2});
    QCOMPARE(back.layers[0].key, maps.layers[0].key);
    QVERIFY(at::equal(back.layers[1].maps, maps.layers[1].maps));
    QCOMPARE(run.layers().at(0).calls, int64_t{5});
    QCOMPARE(run.warnings().at(0), std::string("watch out"));
  }

  void undefined_latents_are_left_out() {
    RunFolderWriter writer(run_, request());
    writer.write_latents({}, {});
    QVERIFY(!has("latents.safetensors"));
    writer.write_latents({}, at::zeros({1, 4, 2, 2}));
    QVERIFY(!SafetensorsFile::open(run_files::latents(run_))->contains("initial"));
  }

  void heatmaps_of_a_repeated_word() {
    RunFolderWriter writer(run_, request());
    fill(writer);
    writer.write_heatmaps(words()[2], heat({0.25f, 0.5f}), frames(2), 0);
    writer.finish(RunStatus::complete);
    QVERIFY(!has("heatmaps/a"));
    QVERIFY(has("heatmaps/a#2/0000.png"));
    QVERIFY(has("heatmaps/a#2/0001.png"));
    QVERIFY(has("heatmaps/a#2.mp4"));
    QVERIFY(!has("heatmaps/a#2.npz"));
    QVERIFY(!has("heatmaps/a#2/values"));
    const RunFolder run = RunFolder::open(run_);
    QCOMPARE(run.words()[0].folder, std::string());
    QCOMPARE(run.words()[2].folder, std::string("a#2"));
    const auto& top = run.manifest().at("heatmaps").at("max").at("a#2");  // shared range
    QCOMPARE(top.size(), std::size_t{2});
    QCOMPARE(top[0].get<float>(), 0.5f);
    QCOMPARE(top[1].get<float>(), 0.5f);
    const Image picture = read_picture(run_ + "/heatmaps/a#2/0001.png");
    QCOMPARE(picture.width, 16);
    QCOMPARE(int{picture.rgb[(11 * 16 + 0) * 3]}, 50);  // no attention: the frame itself
    QVERIFY(picture.rgb[(2 * 16 + 14) * 3 + 1] != 50);  // the peak is in the top right
  }

  void what_export_asks_for() {
    RunRequest bare = request();
    bare.exports = {.png = false, .png16 = true, .video = false, .npz = true};
    bare.heatmaps.range = MapRange::frame;
    RunFolderWriter writer(run_, bare);
    fill(writer);
    writer.write_output_frames(frames(2), 8);
    writer.write_heatmaps(words()[3], heat({0.25f, 0.5f}), frames(2), 8);
    QVERIFY(!has("output.mp4"));
    QVERIFY(has("frames/output/0001.png"));
    QVERIFY(!has("heatmaps/hat/0000.png"));
    QVERIFY(!has("heatmaps/hat.mp4"));
    QVERIFY(has("heatmaps/hat.npz"));
    const cv::Mat values = cv::imread(run_ + "/heatmaps/hat/values/0000.png", cv::IMREAD_UNCHANGED);
    QCOMPARE(values.type(), CV_16UC1);
    QCOMPARE(values.cols, 4);
    QCOMPARE(values.rows, 3);
    QCOMPARE(int{values.at<uint16_t>(0, 3)}, 65535);  // each frame on its own scale
    QCOMPARE(int{values.at<uint16_t>(2, 0)}, 0);
    QCOMPARE(writer.manifest()["heatmaps"]["max"]["hat"][0].get<float>(), 0.25f);
  }

  void one_frame_makes_no_video() {
    RunFolderWriter writer(run_, request());
    fill(writer);
    writer.write_output_frames(frames(1), 8);
    writer.write_heatmaps(words()[1], heat({1}), frames(1), 8);
    QVERIFY(!has("output.mp4"));
    QVERIFY(!has("heatmaps/cat.mp4"));
    QVERIFY(has("heatmaps/cat/0000.png"));
  }

  void bad_heatmaps() {
    RunFolderWriter writer(run_, request());
    fill(writer);
    VERIFY_THROWS(Error, writer.write_heatmaps({"dog", {1}, {}}, heat({1}), frames(1), 8), "dog");
    VERIFY_THROWS(Error, writer.write_heatmaps({"cat", {3}, {}}, heat({1}), frames(1), 8), "cat");
    VERIFY_THROWS(ShapeError, writer.write_heatmaps(words()[1], heat({1}), frames(2), 8), "1 heat maps", "2 frames");
  }

  void an_earlier_run_is_replaced_and_nothing_else() {
    {
      RunFolderWriter writer(run_, request());
      fill(writer);
      writer.write_output_frames(frames(2), 8);
      writer.write_heatmaps(words()[1], heat({1, 1}), frames(2), 8);
      writer.write_latents(at::zeros({1}), {});
      writer.finish(RunStatus::complete);
    }
    std::ofstream(run_ + "/notes.txt") << "mine";
    const RunFolderWriter writer(run_, request());
    QCOMPARE(status(), RunStatus::incomplete);
    for (const char* name : {"frames", "heatmaps", "output.mp4", "latents.safetensors"}) QVERIFY2(!has(name), name);
    QVERIFY(has("notes.txt"));
    QVERIFY(has("config.yaml"));
    QVERIFY(RunFolder::open(run_).words().empty());
  }

  void folders_that_are_refused() {
    fs::create_directories(run_);
    std::ofstream(run_ + "/thesis.tex") << "years of work";
    VERIFY_THROWS(WriteError, RunFolderWriter(run_, request()), run_, "not empty", "holds no earlier run");
    QVERIFY(has("thesis.tex") && !has("manifest.json"));
    write_json_file(run_ + "/manifest.json", {{"name", "an app"}});
    VERIFY_THROWS(WriteError, RunFolderWriter(run_, request()), "holds no earlier run");
    VERIFY_THROWS(WriteError, RunFolderWriter(run_ + "/thesis.tex", request()), "is a file");
    VERIFY_THROWS(WriteError, RunFolderWriter(run_ + "/thesis.tex/below", request()), "cannot be made");
    VERIFY_THROWS(WriteError, RunFolderWriter("/proc/no_such_place", request()), "/proc/no_such_place",
                  "cannot be made");
  }

  void an_empty_folder_is_taken() {
    fs::create_directories(run_);
    RunFolderWriter(run_, request()).finish(RunStatus::complete);
    QCOMPARE(status(), RunStatus::complete);
  }

  // A limit on file sizes stands for a full disk.
  void a_full_disk_leaves_the_folder_marked() {
    RunFolderWriter writer(run_, request());
    fill(writer);
    writer.save();
    ::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    ::getrlimit(RLIMIT_FSIZE, &before);
    const rlimit small{20000, before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
    std::string message;
    try {
      writer.write_latents(at::rand({16, 4, 32, 32}), {});
    } catch (const WriteError& error) {
      message = error.what();
    }
    ::setrlimit(RLIMIT_FSIZE, &before);
    QVERIFY2(message.find("latents.safetensors") != std::string::npos, message.c_str());
    QVERIFY(!has("latents.safetensors"));
    QCOMPARE(status(), RunStatus::incomplete);
    writer.finish(RunStatus::failed, message);
    QCOMPARE(status(), RunStatus::failed);
  }
};

QTEST_APPLESS_MAIN(TestRunFolderWriter)
#include "tst_run_folder_writer.moc"
