#include "pipelines/run_request.h"

#include <QtTest>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "support/errors.h"

using namespace attnscope;
namespace fs = std::filesystem;

class TestRunRequest : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  std::string at(const std::string& name) const { return folder_.filePath(QString::fromStdString(name)).toStdString(); }
  std::string config() const { return at("run.yaml"); }

  RunRequest parse(const std::string& text, const std::vector<std::string>& overrides = {}) const {
    return parse_run_request(text, config(), overrides);
  }

  static constexpr const char* generate = "model: {path: model}\nprompt: a cat\n";
  static constexpr const char* inspect =
      "mode: inspect\nmodel: {path: model}\ninput: {video: a.mp4}\nsource_prompt: a red circle\n";

 private Q_SLOTS:
  void initTestCase() {
    fs::create_directories(at("model"));
    fs::create_directories(at("pictures"));
    std::ofstream{at("a.mp4")};
    std::ofstream{at("a.png")};
  }

  void defaults() {
    const RunRequest request = parse(generate);
    QCOMPARE(request.mode, RunMode::generate);
    QCOMPARE(request.model.path, at("model"));
    QCOMPARE(request.model.dtype, std::string("float32"));
    QCOMPARE(request.model.device, std::string("auto"));
    QCOMPARE(request.input.kind, InputKind::none);
    QCOMPARE(request.prompt, std::string("a cat"));
    QCOMPARE(request.num_inference_steps, 30);
    QCOMPARE(request.guidance_scale, 7.5);
    QCOMPARE(request.seed, uint64_t{0});
    QVERIFY(request.scheduler.is_null());
    QVERIFY(request.capture.enabled);
    QVERIFY(!request.capture.steps);
    QCOMPARE(request.heatmaps.recipe, std::string("daam"));
    QVERIFY(request.exports.png && request.exports.video && !request.exports.png16 && !request.exports.npz);
    QCOMPARE(request.config_text, std::string(generate));
  }

  void every_key() {
    const RunRequest request = parse(R"(
mode: edit
model: {path: model, dtype: bfloat16, device: "cuda:1"}
input: {video: a.mp4, start_frame: 2, frame_stride: 3, num_frames: 4, height: 96, width: 128, fit: pad}
prompt: a yellow star
source_prompt: a red circle
negative_prompt: blurry
scheduler: {type: DDIM, steps_offset: 1, beta_schedule: linear}
num_inference_steps: 12
guidance_scale: 3
strength: 0.5
eta: 0.25
seed: 18446744073709551615
attention:
  processors: {"*attn1*": fused, "mid_block*": default}
  capture: {layers: ["up*attn2*"], steps: [2, 11], heads: true, words: [star]}
heatmaps: {words: [star, yellow], recipe: p2p16, colormap: turbo, alpha: 1, range: frame}
export: {png: false, png16: true, video: false, npz: true}
)");
    QCOMPARE(request.mode, RunMode::edit);
    QCOMPARE(request.model.dtype, std::string("bfloat16"));
    QCOMPARE(request.model.device, std::string("cuda:1"));
    QCOMPARE(request.input.kind, InputKind::video);
    QCOMPARE(request.input.path, at("a.mp4"));
    QCOMPARE(request.input.start_frame, 2);
    QCOMPARE(request.input.frame_stride, 3);
    QCOMPARE(request.input.num_frames, 4);
    QCOMPARE(request.input.height, 96);
    QCOMPARE(request.input.width, 128);
    QCOMPARE(request.input.fit, Fit::pad);
    QCOMPARE(request.negative_prompt, std::string("blurry"));
    QVERIFY(request.scheduler ==
            nlohmann::json({{"type", "DDIMScheduler"}, {"steps_offset", 1}, {"beta_schedule", "linear"}}));
    QCOMPARE(request.num_inference_steps, 12);
    QCOMPARE(request.guidance_scale, 3.0);
    QCOMPARE(request.strength, 0.5);
    QCOMPARE(request.eta, 0.25);
    QCOMPARE(request.seed, ~uint64_t{0});
    QCOMPARE(request.processors.size(), std::size_t{2});
    QCOMPARE(request.processors[0].first, std::string("*attn1*"));
    QCOMPARE(request.processors[1].second, std::string("default"));
    QVERIFY((request.capture.layers == std::vector<std::string>{"up*attn2*"}));
    QVERIFY((*request.capture.steps == std::array<int, 2>{2, 11}));
    QVERIFY(request.capture.heads);
    QVERIFY((request.capture.words == std::vector<std::string>{"star"}));
    QVERIFY((request.heatmaps.words == std::vector<std::string>{"star", "yellow"}));
    QCOMPARE(request.heatmaps.range, MapRange::frame);
    QCOMPARE(request.heatmaps.alpha, 1.0);
    QVERIFY(!request.exports.png && request.exports.png16 && !request.exports.video && request.exports.npz);

    // Written out in full, it is the same request.
    const std::string resolved = resolved_config(request);
    const RunRequest again = parse_run_request(resolved, "/elsewhere/run.yaml");
    QCOMPARE(resolved_config(again), resolved);
    QCOMPARE(again.seed, request.seed);
    QCOMPARE(again.input.path, request.input.path);
    QVERIFY(again.scheduler == request.scheduler);
    QVERIFY(again.processors == request.processors);
    QVERIFY(again.capture.steps == request.capture.steps);
  }

  void defaults_written_out_load_again() {
    for (const std::string text :
         {generate, inspect,
          "model: {path: model}\nprompt: \"no: 1\"\noutput_size: 64\nattention: {capture: false}\n"}) {
      const RunRequest request = parse(text);
      const RunRequest again = parse(resolved_config(request));
      QCOMPARE(resolved_config(again), resolved_config(request));
      QCOMPARE(again.prompt, request.prompt);
      QCOMPARE(again.output_width, request.output_width);
      QCOMPARE(again.capture.enabled, request.capture.enabled);
    }
  }

  void overrides_and_references() {
    const RunRequest request = parse(std::string(generate) + "negative_prompt: not ${prompt}\n",
                                     {"seed=7", "prompt=two dogs", "heatmaps.alpha=0.1"});
    QCOMPARE(request.seed, uint64_t{7});
    QCOMPARE(request.prompt, std::string("two dogs"));
    QCOMPARE(request.negative_prompt, std::string("not two dogs"));
    QCOMPARE(request.heatmaps.alpha, 0.1);
    QCOMPARE(parse(inspect, {"mode=generate", "input=null", "prompt=x"}).mode, RunMode::generate);
  }

  void output_size() {
    QCOMPARE(parse(std::string(generate) + "output_size: 64\n").output_width, 64);
    const RunRequest request = parse(std::string(generate) + "output_size: [64, 96]\n");
    QCOMPARE(request.output_height, 64);
    QCOMPARE(request.output_width, 96);
    VERIFY_THROWS(ConfigError, parse(std::string(generate) + "output_size: [1, 2, 3]\n"), "run.yaml:3", "output_size");
    VERIFY_THROWS(ConfigError, parse(std::string(generate) + "output_size: [64, 96, 32]\n"), "run.yaml:3",
                  "[height, width]");
    VERIFY_THROWS(ConfigError, parse(std::string(generate) + "output_size: wide\n"), "run.yaml:3", "output_size");
  }

  // The config's folder first, then the working folder.
  void paths() {
    fs::create_directories(at("cwd/model"));
    std::ofstream{at("cwd/only_here.png")};
    fs::create_directories(at("sub"));
    const fs::path before = fs::current_path();
    fs::current_path(at("cwd"));
    const RunRequest request =
        parse("mode: inspect\nmodel: {path: ./model}\ninput: {image: only_here.png}\nsource_prompt: x\n");
    const RunRequest up = parse_run_request("prompt: x\nmodel: {path: ../model}\n", at("sub/run.yaml"));
    fs::current_path(before);
    QCOMPARE(request.model.path, at("model"));
    QVERIFY(fs::equivalent(request.input.path, at("cwd/only_here.png")));
    QVERIFY(fs::path(request.input.path).is_absolute());
    QCOMPARE(up.model.path, at("model"));
    QCOMPARE(parse("prompt: x\nmodel: {path: " + at("model") + "}\n").model.path, at("model"));
    VERIFY_THROWS(ConfigError, parse("prompt: x\nmodel: {path: nowhere}\n"), "run.yaml:2", "model.path", at("nowhere"),
                  fs::absolute("nowhere").string(), "relative to the config's folder");
    VERIFY_THROWS(ConfigError, parse("prompt: x\nmodel: {path: /no/such/model}\n"),
                  "no such file or folder: /no/such/model");
    VERIFY_THROWS(ConfigError, parse("prompt: x\nmodel: {path: \"\"}\n"), "model.path", "not empty");
  }

  void bad_values_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("parts");
    const QString base = generate, input = inspect;
    const auto row = [](const char* name, const QString& text, const QStringList& parts) {
      QTest::newRow(name) << text << parts;
    };
    row("unknown key", base + "promt: x\n", {"run.yaml:3", "promt", "prompt"});
    row("unknown nested key", base + "heatmaps: {alhpa: 1}\n", {"run.yaml:3", "heatmaps.alhpa", "alpha"});
    row("a typo beats what it makes missing", "model: {path: model}\npormpt: x\n", {"run.yaml:2", "pormpt"});
    row("unknown key of attention", base + "attention: {captures: true}\n", {"attention.captures", "capture"});
    row("mode", base + "mode: inspekt\n", {"run.yaml:3", "mode", "inspect"});
    row("steps of text", base + "num_inference_steps: many\n", {"run.yaml:3", "num_inference_steps", "whole number"});
    row("steps of a fraction", base + "num_inference_steps: 2.5\n", {"num_inference_steps", "whole number"});
    row("no steps", base + "num_inference_steps: 0\n", {"num_inference_steps", "1"});
    row("guidance below 0", base + "guidance_scale: -1\n", {"guidance_scale"});
    row("guidance nan", base + "guidance_scale: .nan\n", {"guidance_scale"});
    row("strength 0", input + "strength: 0\n", {"run.yaml:5", "strength", "over 0"});
    row("strength over 1", input + "strength: 1.5\n", {"strength", "1"});
    row("eta", base + "eta: 2\n", {"eta", "from 0 to 1"});
    row("seed", base + "seed: now\n", {"run.yaml:3", "seed"});
    row("dtype", "prompt: x\nmodel: {path: model, dtype: float8}\n", {"run.yaml:2", "model.dtype", "bfloat16"});
    row("device", "prompt: x\nmodel: {path: model, device: gpu}\n", {"run.yaml:2", "model.device", "cuda:N"});
    row("no model", "prompt: x\n", {"model.path", "required"});
    row("model is text", "prompt: x\nmodel: here\n", {"run.yaml:2", "model", "dict"});
    row("the root is a list", "- a\n", {"run.yaml:1"});
    row("alpha", base + "heatmaps: {alpha: 1.01}\n", {"run.yaml:3", "heatmaps.alpha", "from 0 to 1"});
    row("recipe", base + "heatmaps: {recipe: damm}\n", {"heatmaps.recipe", "daam"});
    row("colormap", base + "heatmaps: {colormap: jet}\n", {"heatmaps.colormap", "viridis"});
    row("range", base + "heatmaps: {range: all}\n", {"heatmaps.range", "shared"});
    row("export", base + "export: {png: 1}\n", {"export.png", "true or false"});
    row("processor", base + "attention:\n  processors:\n    \"*\": flash\n", {"run.yaml:5", "default, fused", "flash"});
    row("processors as text", base + "attention: {processors: fused}\n", {"attention.processors", "dict of patterns"});
    row("capture", base + "attention: {capture: all}\n", {"attention.capture", "true, false"});
    row("capture steps", base + "attention: {capture: {steps: [1, 2, 3]}}\n",
        {"attention.capture.steps", "[first, last]"});
    row("capture steps backwards", base + "attention: {capture: {steps: [3, 1]}}\n",
        {"attention.capture.steps", "after the last"});
    row("capture steps too late", base + "attention: {capture: {steps: [0, 30]}}\n",
        {"attention.capture.steps", "num_inference_steps (30)"});
    row("scheduler", base + "scheduler: PNDM\n", {"run.yaml:3", "scheduler", "PNDM", "DDIMScheduler"});
    row("scheduler field", base + "scheduler: {type: DDIM, beta_scheduel: linear}\n",
        {"scheduler.beta_scheduel", "beta_schedule"});
    row("scheduler as list", base + "scheduler: [DDIM]\n", {"scheduler", "class name or a dict"});
    row("two inputs", input + "prompt: x\n", {});  // control: not an error
    row("both video and image",
        "mode: inspect\nmodel: {path: model}\nsource_prompt: x\ninput: {video: a.mp4, image: a.png}\n",
        {"run.yaml:4", "one of video, image and frames"});
    row("an input of nothing", "mode: inspect\nmodel: {path: model}\nsource_prompt: x\ninput: {num_frames: 3}\n",
        {"input", "nothing to read"});
    row("missing video", "mode: inspect\nmodel: {path: model}\nsource_prompt: x\ninput: {video: b.mp4}\n",
        {"run.yaml:4", "input.video", "b.mp4"});
    row("stride 0", "mode: inspect\nmodel: {path: model}\nsource_prompt: x\ninput: {video: a.mp4, frame_stride: 0}\n",
        {"input.frame_stride"});
    row("height 3", "mode: inspect\nmodel: {path: model}\nsource_prompt: x\ninput: {video: a.mp4, height: 3}\n",
        {"input.height", "8 pixels"});
    row("fit", "mode: inspect\nmodel: {path: model}\nsource_prompt: x\ninput: {video: a.mp4, fit: corp}\n",
        {"input.fit", "crop"});
    row("generate without prompt", "model: {path: model}\n", {"prompt", "mode generate"});
    row("generate with blanks", "model: {path: model}\nprompt: \"  \\n\"\n", {"run.yaml:2", "prompt", "not empty"});
    row("generate with an input", base + "input: {video: a.mp4}\n", {"run.yaml:3", "input", "reads no input"});
    row("inspect without input", "mode: inspect\nmodel: {path: model}\nsource_prompt: x\n", {"input", "mode inspect"});
    row("inspect without source_prompt", "mode: inspect\nmodel: {path: model}\ninput: {video: a.mp4}\nprompt: x\n",
        {"source_prompt", "mode inspect", "what the input shows"});
    row("reconstruct without source_prompt", "mode: reconstruct\nmodel: {path: model}\ninput: {video: a.mp4}\n",
        {"source_prompt", "mode reconstruct"});
    row("edit without prompt", "mode: edit\nmodel: {path: model}\ninput: {video: a.mp4}\nsource_prompt: x\n",
        {"prompt", "mode edit"});
    row("edit without source_prompt", "mode: edit\nmodel: {path: model}\ninput: {video: a.mp4}\nprompt: x\n",
        {"source_prompt", "mode edit"});
    row("output_size with an input", input + "output_size: 64\n", {"run.yaml:5", "output_size", "input.height"});
    row("num_images with an input", input + "num_images: 2\n", {"run.yaml:5", "num_images", "input.num_frames"});
    row("num_images 0", base + "num_images: 0\n", {"num_images"});
    row("not yaml", "model: {path: model\n", {"run.yaml"});
  }

  void bad_values() {
    QFETCH(QString, text);
    QFETCH(QStringList, parts);
    std::string message;
    try {
      parse(text.toStdString());
    } catch (const ConfigError& error) {
      message = error.what();
      QCOMPARE(error.exit_code(), 3);
    }
    if (parts.isEmpty()) {
      QCOMPARE(message, std::string());
      return;
    }
    QVERIFY2(!message.empty(), "no ConfigError");
    for (const QString& part : parts) QVERIFY2(message.find(part.toStdString()) != std::string::npos, message.c_str());
  }

  void bad_overrides_and_files() {
    VERIFY_THROWS(ConfigError, parse(generate, {"sed=3"}), "sed", "seed");
    VERIFY_THROWS(ConfigError, parse(generate, {"heatmaps.alpha=7"}), "heatmaps.alpha");
    VERIFY_THROWS(ConfigError, load_run_request(at("none.yaml")), "none.yaml");
    VERIFY_THROWS(ConfigError, load_run_request(at("model")), "model");
    std::ofstream(at("saved.yaml")) << generate;
    QCOMPARE(load_run_request(at("saved.yaml"), {"seed=2"}).seed, uint64_t{2});
    QCOMPARE(load_run_request(at("saved.yaml")).config_text, std::string(generate));
  }

  void the_shipped_configs_load() {
    const std::string demo = std::string(ATTNSCOPE_SOURCE_DIR) + "/configs/demo.yaml";
    const std::string resources = std::string(ATTNSCOPE_SOURCE_DIR) + "/resources/demo/";
    const RunRequest request = load_run_request(demo);
    QCOMPARE(request.mode, RunMode::inspect);
    QCOMPARE(request.source_prompt, std::string("a red circle and a blue square on a gray background"));
    QVERIFY(fs::equivalent(request.model.path, resources + "model"));
    QVERIFY(fs::equivalent(request.input.path, resources + "video.mp4"));
    QCOMPARE(request.input.num_frames, 16);
  }
};

QTEST_APPLESS_MAIN(TestRunRequest)
#include "tst_run_request.moc"
