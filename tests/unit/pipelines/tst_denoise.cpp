#include <ATen/ATen.h>

#include <QtTest>
#include <nlohmann/json.hpp>

#include "io/json_file.h"
#include "pipelines/denoise.h"
#include "pipelines/images.h"
#include "schedulers/random.h"
#include "support/golden.h"

using namespace attnscope;
using attnscope::testing::Golden;

namespace {

std::vector<std::string> texts(const nlohmann::json& value) {
  if (value.is_string()) return {value.get<std::string>()};
  return value.is_array() ? value.get<std::vector<std::string>>() : std::vector<std::string>{""};
}

at::Tensor encode(StableDiffusion& model, const std::vector<std::string>& prompts) {
  std::vector<Encoding> encodings;
  for (const std::string& prompt : prompts) encodings.push_back(model.tokenizer->encode(prompt));
  return encode_prompts(model, encodings);
}

}  // namespace

// The whole of diffusers' StableDiffusionPipeline, from the prompt and the seed to the picture.
class TestDenoise : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void equalsStableDiffusionPipeline_data() {
    QTest::addColumn<int>("index");
    const nlohmann::json runs = read_json_file(std::string(ATTNSCOPE_GOLDEN_DIR) + "/pipeline/runs.json");
    for (std::size_t i = 0; i < runs.size(); ++i)
      QTest::newRow(runs[i]["id"].get<std::string>().c_str()) << static_cast<int>(i);
  }

  void equalsStableDiffusionPipeline() {
    QFETCH(int, index);
    const nlohmann::json run =
        read_json_file(std::string(ATTNSCOPE_GOLDEN_DIR) + "/pipeline/runs.json")[static_cast<std::size_t>(index)];
    const Golden golden("pipeline");
    const std::string id = run["id"].get<std::string>() + "/expect/";
    StableDiffusion model = load_stable_diffusion(golden.folder() + "/model", {});

    nlohmann::json overrides = nlohmann::json::object();
    if (run.contains("prediction_type")) overrides["prediction_type"] = run["prediction_type"];
    const std::string type = run.value("scheduler", std::string(model.scheduler->class_name()));
    const auto scheduler = make_scheduler(converted_config(model.scheduler->config(), type, overrides, "test"), "test");
    scheduler->set_timesteps(run["num_inference_steps"].get<int64_t>());

    const auto prompts = texts(run["prompt"]);
    const int64_t per_prompt = run.value("num_images_per_prompt", 1);
    const at::Tensor positive = encode(model, prompts).repeat_interleave(per_prompt, 0);
    at::Tensor negative = encode(model, texts(run.value("negative_prompt", nlohmann::json())));
    const int64_t frames = positive.size(0);
    const std::vector<int64_t> sizes{frames, 4, run["height"].get<int64_t>() / 4, run["width"].get<int64_t>() / 4};
    at::Tensor noise;
    at::Generator generator;
    if (run.contains("seeds")) {
      std::vector<at::Tensor> parts;
      for (const auto& seed : run["seeds"])
        parts.push_back(
            randn_tensor({1, sizes[1], sizes[2], sizes[3]}, cpu_generator(seed.get<uint64_t>()), at::kFloat, at::kCPU));
      noise = at::cat(parts);
    } else {
      generator = cpu_generator(run["seed"].get<uint64_t>());
      noise = randn_tensor(sizes, generator, at::kFloat, at::kCPU);
    }
    COMPARE_TENSORS(noise, golden[id + "initial"], 0);
    DenoiseOptions options{run["guidance_scale"].get<double>(), run.value("eta", 0.0), 0, generator};
    const at::Tensor latents =
        denoise(model, *scheduler, noise * scheduler->init_noise_sigma(), positive, negative, options, {}, {});
    COMPARE_TENSORS(latents, golden[id + "latents"], 1e-5);
    const at::Tensor decoded = decode_latents(model, latents);
    COMPARE_TENSORS(decoded, golden[id + "decoded"], 1e-5);
    const std::vector<Image> pictures = tensor_to_images(decoded);
    const at::Tensor expected = golden[id + "image"];  // [B, H, W, 3] uint8
    QCOMPARE(static_cast<int64_t>(pictures.size()), expected.size(0));
    int off = 0;
    for (std::size_t i = 0; i < pictures.size(); ++i) {
      const at::Tensor want = expected[static_cast<int64_t>(i)].contiguous();
      QCOMPARE(static_cast<int64_t>(pictures[i].rgb.size()), want.numel());
      for (std::size_t p = 0; p < pictures[i].rgb.size(); ++p) {
        const int difference = std::abs(pictures[i].rgb[p] - want.data_ptr<uint8_t>()[p]);
        QVERIFY(difference <= 1);  // a value on the edge of rounding may fall to the other side
        off += difference;
      }
    }
    QVERIFY2(off <= 2, std::to_string(off).c_str());
  }

  void firstStepAsDiffusers() {
    QCOMPARE(first_step(50, 1.0), std::size_t{0});
    QCOMPARE(first_step(50, 0.8), std::size_t{10});
    QCOMPARE(first_step(30, 0.33), std::size_t{21});
    QCOMPARE(first_step(10, 0.05), std::size_t{10});
  }

  void imagesSurviveTheRoundTrip() {
    Image image{5, 3, {}};
    for (int i = 0; i < 45; ++i) image.rgb.push_back(static_cast<uint8_t>(i * 5));
    const auto back = tensor_to_images(images_to_tensor({image, image}));
    QCOMPARE(back.size(), std::size_t{2});
    QCOMPARE(back[1].rgb, image.rgb);
    QCOMPARE(back[1].width, 5);
  }
};

QTEST_APPLESS_MAIN(TestDenoise)
#include "tst_denoise.moc"
