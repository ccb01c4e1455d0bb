#include <ATen/ATen.h>

#include <QtTest>
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "io/safetensors.h"
#include "loaders/diffusers_folder.h"
#include "pipelines/run.h"
#include "pipelines/run_folder.h"
#include "support/errors.h"
#include "support/golden.h"
#include "video/frame_writer.h"

using namespace attnscope;

namespace {

class Recorder final : public RunObserver {
 public:
  explicit Recorder(const CancelToken* cancel = nullptr, int cancel_at = 0) : cancel_(cancel), cancel_at_(cancel_at) {}
  void on_progress(const Progress& progress) override {
    stages.push_back(progress.stage);
    if (cancel_ && (progress.stage == "denoise" || progress.stage == "inspect") && progress.step == cancel_at_)
      cancel_->cancel();
  }
  void on_preview(int, int, const Image& image) override { previews.push_back(image); }
  void on_maps(const std::string& word, const std::vector<HeatMap>& maps) override {
    words.push_back(word), frames = maps.size();
  }
  void on_warning(const std::string& text) override { warnings.push_back(text); }
  void on_capture_bytes(int64_t value) override { bytes = value; }

  std::vector<std::string> stages, words, warnings;
  std::vector<Image> previews;
  std::size_t frames = 0;
  int64_t bytes = 0;

 private:
  const CancelToken* cancel_;
  int cancel_at_;
};

}  // namespace

class TestRun : public QObject {
  Q_OBJECT

  QTemporaryDir dir_;
  std::string path(const std::string& name) { return dir_.path().toStdString() + "/" + name; }

  RunRequest request(const std::string& body, const std::vector<std::string>& overrides = {}) {
    const std::string model = std::string(ATTNSCOPE_GOLDEN_DIR) + "/pipeline/model";
    return parse_run_request("model: {path: " + model + "}\nnum_inference_steps: 4\n" + body, path("config.yaml"),
                             overrides);
  }
  std::string generate_body() { return "prompt: a red circle\noutput_size: [32, 24]\nguidance_scale: 5\nseed: 3\n"; }

  at::Tensor latents(const std::string& run) {
    return SafetensorsFile::open(run + "/latents.safetensors")->tensor("final").clone();
  }

 private Q_SLOTS:
  void initTestCase() {
    std::filesystem::create_directories(path("frames"));
    for (int i = 0; i < 2; ++i) {
      Image image{24, 32, std::vector<uint8_t>(24 * 32 * 3, static_cast<uint8_t>(60 + 90 * i))};
      for (int x = 0; x < 3 * 24 * 10; ++x) image.rgb[static_cast<std::size_t>(x)] = static_cast<uint8_t>(200 - 50 * i);
      write_png(path("frames/" + std::to_string(i) + ".png"), image);
    }
  }

  void generateWritesACompleteFolder() {
    Recorder recorder;
    execute_run(request(generate_body()), path("generate"), recorder, CancelToken(), {1, {"circle"}});
    const RunFolder run = RunFolder::open(path("generate"));
    QVERIFY(run.status() == RunStatus::complete);
    QCOMPARE(run.prompt(), std::string("a red circle"));
    QCOMPARE(run.words().size(), std::size_t{3});
    QCOMPARE(run.output_frame(0).width, 24);
    QVERIFY(!run.has_source_frames());
    QVERIFY(std::filesystem::exists(path("generate/heatmaps/circle/0000.png")));
    const CrossMaps maps = run.maps();
    std::size_t captured = 0;
    for (const RunLayer& layer : run.layers()) {
      QCOMPARE(layer.calls, int64_t{4});
      captured += layer.captured;
    }
    QCOMPARE(maps.layers.size(), captured);
    int64_t bytes = 0;
    for (const LayerMaps& layer : maps.layers) {
      // Every query's probabilities sum to 1, and so do their means.
      COMPARE_TENSORS(layer.maps.sum(1), at::ones({1, layer.maps.size(2), layer.maps.size(3)}), 1e-5);
      bytes += static_cast<int64_t>(layer.maps.nbytes());
    }
    QCOMPARE(recorder.bytes, bytes);
    QCOMPARE(recorder.previews.size(), std::size_t{4});
    QCOMPARE(recorder.previews[0].width, 6);
    QCOMPARE(recorder.words.size(), std::size_t{4});
    QCOMPARE(recorder.frames, std::size_t{1});
  }

  void captureChangesNoBit() {
    Recorder recorder;
    execute_run(request(generate_body()), path("on"), recorder, CancelToken());
    execute_run(request(generate_body(), {"attention.capture=false"}), path("off"), recorder, CancelToken());
    execute_run(request(generate_body(), {"attention.capture.heads=true"}), path("heads"), recorder, CancelToken());
    QVERIFY(at::equal(latents(path("on")), latents(path("off"))));
    QVERIFY(at::equal(latents(path("on")), latents(path("heads"))));
    QVERIFY(!std::filesystem::exists(path("off/maps.safetensors")));
  }

  void capturedStepsAndWords() {
    Recorder recorder;
    execute_run(request(generate_body(), {"attention.capture.steps=[1,2]", "attention.capture.words=[circle]"}),
                path("some"), recorder, CancelToken());
    const RunFolder run = RunFolder::open(path("some"));
    QCOMPARE(run.manifest()["capture"]["steps"].get<int>(), 2);
    const auto word = run.words()[2];
    for (const LayerMaps& layer : run.maps().layers) {
      QVERIFY(layer.maps.select(1, word.tokens[0]).sum().item<double>() > 0);
      QCOMPARE(layer.maps.select(1, 0).sum().item<double>(), 0.0);
    }
    QVERIFY(std::filesystem::exists(path("some/heatmaps/circle")));
    QVERIFY(!std::filesystem::exists(path("some/heatmaps/red")));
  }

  void headsAndStepsAreKeptApart() {
    Recorder recorder;
    execute_run(request(generate_body(), {"attention.capture.heads=true", "attention.capture.step_buckets=3",
                                          "attention.capture.words=[circle]"}),
                path("apart"), recorder, CancelToken());
    const RunFolder run = RunFolder::open(path("apart"));
    QCOMPARE(run.manifest()["capture"]["step_buckets"].dump(), std::string("[[0,1],[2,2],[3,3]]"));
    const auto heads = SafetensorsFile::open(path("apart/maps_heads.safetensors")),
               steps = SafetensorsFile::open(path("apart/maps_steps.safetensors"));
    // A bucket holds what a run holds that captures its steps alone.
    execute_run(request(generate_body(), {"attention.capture.steps=[0,1]"}), path("first"), recorder, CancelToken());
    execute_run(request(generate_body(), {"attention.capture.steps=[3,3]"}), path("last"), recorder, CancelToken());
    const CrossMaps whole = run.maps(), first = RunFolder::open(path("first")).maps(),
                    last = RunFolder::open(path("last")).maps();
    const int token = run.words()[2].tokens[0];
    int64_t bytes = 0;
    for (std::size_t i = 0; i < whole.layers.size(); ++i) {
      const std::string& key = whole.layers[i].key;
      const at::Tensor by_head = heads->tensor(key), by_step = steps->tensor(key);
      COMPARE_TENSORS(by_head.mean(1), whole.layers[i].maps, 1e-6);
      COMPARE_TENSORS(by_step[0] * 0.5 + by_step[1] * 0.25 + by_step[2] * 0.25, whole.layers[i].maps, 1e-6);
      COMPARE_TENSORS(by_step[0].select(1, token), first.layers[i].maps.select(1, token), 1e-6);
      COMPARE_TENSORS(by_step[2].select(1, token), last.layers[i].maps.select(1, token), 1e-6);
      bytes += static_cast<int64_t>(by_head.select(2, token).nbytes()) * 3;
    }
    QCOMPARE(run.manifest()["capture"]["bytes"].get<int64_t>(), bytes);
    VERIFY_THROWS(ConfigError,
                  execute_run(request(generate_body(), {"attention.capture.step_buckets=5"}), path("many"), recorder,
                              CancelToken()),
                  "step_buckets", "5 buckets for 4");
  }

  // With a trained model, since random ones amplify rounding; without noise, since torch's own bfloat16 noise is
  // another one than its float32 noise in some versions and sizes.
  void bfloat16StaysNear() {
    Recorder recorder;
    const std::string config = ATTNSCOPE_SOURCE_DIR "/configs/demo.yaml";
    std::vector<std::string> overrides{"mode=reconstruct", "num_inference_steps=4", "input.num_frames=1"};
    execute_run(load_run_request(config, overrides), path("float32"), recorder, CancelToken());
    overrides.push_back("model.dtype=bfloat16");
    execute_run(load_run_request(config, overrides), path("bfloat16"), recorder, CancelToken());
    QVERIFY(latents(path("bfloat16")).scalar_type() == at::kFloat);
    QVERIFY(!at::equal(latents(path("bfloat16")), latents(path("float32"))));
    COMPARE_TENSORS(latents(path("bfloat16")), latents(path("float32")), 0.05);
    const CrossMaps coarse = RunFolder::open(path("bfloat16")).maps(), fine = RunFolder::open(path("float32")).maps();
    for (std::size_t i = 0; i < fine.layers.size(); ++i)
      COMPARE_TENSORS(coarse.layers[i].maps, fine.layers[i].maps, 0.05);
  }

  void inspectReadsWithoutGenerating() {
    Recorder recorder;
    execute_run(request("mode: inspect\nsource_prompt: a red circle\ninput: {frames: " + path("frames") + "}\n"),
                path("inspect"), recorder, CancelToken());
    const RunFolder run = RunFolder::open(path("inspect"));
    QVERIFY(run.has_source_frames());
    QVERIFY(!run.has_output_frames());
    QCOMPARE(run.frames(), 2);
    QCOMPARE(run.maps().frames(), 2);
  }

  void reconstructAndEditGoThroughInversion() {
    Recorder recorder;
    const std::string input =
        "source_prompt: a red circle\nguidance_scale: 1\ninput: {frames: " + path("frames") + "}\n";
    execute_run(request("mode: reconstruct\n" + input, {"num_inference_steps=40"}), path("reconstruct"), recorder,
                CancelToken());
    const auto file = SafetensorsFile::open(path("reconstruct/latents.safetensors"));
    QVERIFY(!at::equal(file->tensor("initial"), file->tensor("final")));
    execute_run(request("mode: edit\nprompt: a blue circle\nstrength: 0.5\n" + input), path("edit"), recorder,
                CancelToken());
    QCOMPARE(RunFolder::open(path("edit")).prompt(), std::string("a blue circle"));
    VERIFY_THROWS(ConfigError,
                  execute_run(request("mode: edit\nprompt: a blue circle\nscheduler: EulerDiscreteScheduler\n" + input),
                              path("euler"), recorder, CancelToken()),
                  "scheduler.type", "DDIM");
    QVERIFY(RunFolder::open(path("euler")).status() == RunStatus::failed);
  }

  void cancelKeepsWhatIsDone() {
    CancelToken cancel;
    Recorder recorder(&cancel, 2);
    VERIFY_THROWS(RunCancelled, execute_run(request(generate_body()), path("cancelled"), recorder, cancel),
                  "cancelled");
    const RunFolder run = RunFolder::open(path("cancelled"));
    QVERIFY(run.status() == RunStatus::cancelled);
    QVERIFY(run.has_maps());
    QVERIFY(std::filesystem::exists(path("cancelled/latents.safetensors")));
  }

  void outOfMemorySaysWhereAndHowMuch() {
    class Greedy final : public RunObserver {
      void on_progress(const Progress& progress) override {
        if (progress.stage == "denoise" && progress.step == 1) at::empty({int64_t{1} << 50}, at::kByte);
      }
    } greedy;
    VERIFY_THROWS(OutOfMemoryError, execute_run(request(generate_body()), path("greedy"), greedy, CancelToken()),
                  "denoise", "1048576.0 GiB", "output_size");
    QVERIFY(RunFolder::open(path("greedy")).status() == RunStatus::failed);
  }

  void badInputIsNamed() {
    Recorder recorder;
    VERIFY_THROWS(
        ConfigError,
        execute_run(request(generate_body(), {"heatmaps.words=[square]"}), path("bad"), recorder, CancelToken()),
        "square", "heatmaps.words");
    QVERIFY(std::find(recorder.stages.begin(), recorder.stages.end(), "denoise") ==
            recorder.stages.end());  // found out in time
    VERIFY_THROWS(ConfigError,
                  execute_run(request(generate_body(), {"attention.capture.layers=['*nothing*']"}), path("bad"),
                              recorder, CancelToken()),
                  "*nothing*", "attention.capture.layers");
    VERIFY_THROWS(ConfigError,
                  execute_run(request(generate_body(), {"output_size=[34,24]"}), path("bad"), recorder, CancelToken()),
                  "34", "output_size");
    VERIFY_THROWS(ConfigError,
                  execute_run(request(generate_body(), {"model.device=cuda:77"}), path("bad"), recorder, CancelToken()),
                  "cuda:77", "model.device");
    VERIFY_THROWS(ConfigError,
                  execute_run(request(generate_body(), {"model.dtype=float16", "model.device=cpu"}), path("bad"),
                              recorder, CancelToken()),
                  "float16", "model.dtype");
    std::ofstream(path("occupied")) << "a file";
    VERIFY_THROWS(Error, execute_run(request(generate_body()), path("occupied"), recorder, CancelToken()), "occupied");
  }
};

QTEST_GUILESS_MAIN(TestRun)
#include "tst_run.moc"
