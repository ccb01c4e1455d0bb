#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <QtTest>

#include "io/json_file.h"
#include "models/autoencoder_kl.h"
#include "support/errors.h"
#include "support/golden.h"
#include "support/weights.h"

using namespace attnscope;
using attnscope::testing::Golden;

namespace {

std::shared_ptr<AutoencoderKL> load(const std::string& name) {
  const std::string folder = std::string(ATTNSCOPE_GOLDEN_DIR) + "/" + name;
  const std::string config = folder + "/config.json";
  auto vae = std::make_shared<AutoencoderKL>(VaeConfig::from_json(read_json_file(config), config));
  testing::fill(*vae, *SafetensorsFile::open(folder + "/diffusion_pytorch_model.safetensors"));
  return vae;
}

}  // namespace

class TestAutoencoderKL : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void equalsDiffusers_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("file");
    QTest::newRow("mid attention") << QStringLiteral("vae_sd") << QStringLiteral("io.safetensors");
    QTest::newRow("not square") << QStringLiteral("vae_sd") << QStringLiteral("io_24x40.safetensors");
    QTest::newRow("odd size") << QStringLiteral("vae_sd") << QStringLiteral("io_21x30.safetensors");
    QTest::newRow("no attention, no quant convolutions")
        << QStringLiteral("vae_plain") << QStringLiteral("io.safetensors");
    QTest::newRow("small") << QStringLiteral("vae_small") << QStringLiteral("io.safetensors");
  }

  void equalsDiffusers() {
    QFETCH(QString, name);
    QFETCH(QString, file);
    const c10::NoGradGuard no_grad;
    const auto vae = load(name.toStdString());
    const Golden golden(name.toStdString(), file.toStdString());
    const LatentDistribution posterior = vae->encode(golden["sample"]);
    COMPARE_TENSORS(posterior.mean, golden.expected("mean"), 1e-5);
    COMPARE_TENSORS(posterior.logvar, golden.expected("logvar"), 1e-5);
    COMPARE_TENSORS(vae->decode(golden["latent"]), golden.expected("sample"), 1e-5);
  }

  void tilingEqualsDiffusers() {
    const c10::NoGradGuard no_grad;
    const auto vae = load("vae_tiled");
    vae->enable_tiling(true);
    for (const char* file : {"io_80x32.safetensors", "io_48x76.safetensors"}) {
      const Golden golden("vae_tiled", file);
      const LatentDistribution posterior = vae->encode(golden["sample"]);
      COMPARE_TENSORS(posterior.mean, golden.expected("mean"), 1e-5);
      COMPARE_TENSORS(posterior.logvar, golden.expected("logvar"), 1e-5);
      COMPARE_TENSORS(vae->decode(golden["latent"]), golden.expected("sample"), 1e-5);
    }
    // What fits into one tile is not touched.
    const at::Tensor small = at::randn({1, 3, 32, 32});
    const at::Tensor tiled = vae->encode(small).mean;
    vae->enable_tiling(false);
    QVERIFY(at::equal(tiled, vae->encode(small).mean));
  }

  void slicingByFrameGivesTheSame() {
    const c10::NoGradGuard no_grad;
    const auto vae = load("vae_sd");
    const at::Tensor images = at::randn({3, 3, 16, 24}).clamp(-1, 1);
    COMPARE_TENSORS(vae->encode(images, 2).mean, vae->encode(images).mean, 1e-5);
    const at::Tensor latents = at::randn({3, 4, 4, 6});
    COMPARE_TENSORS(vae->decode(latents, 1), vae->decode(latents), 1e-5);
  }

  void attentionKeys() {
    const auto vae = load("vae_sd");
    std::vector<std::string> keys;
    for (const auto& [key, processor] : nn::attn_processors(*vae)) keys.push_back(key);
    QCOMPARE(keys, (std::vector<std::string>{"encoder.mid_block.attentions.0.processor",
                                             "decoder.mid_block.attentions.0.processor"}));
  }

  void refusesUnsupportedFields() {
    const auto from = [](nlohmann::json json) { return VaeConfig::from_json(json, "vae/config.json"); };
    VERIFY_THROWS(LoadError, from({{"latents_mean", {0.0}}}), "latents_mean", "vae/config.json");
    VERIFY_THROWS(LoadError, from({{"down_block_types", {"AttnDownEncoderBlock2D"}}}), "AttnDownEncoderBlock2D");
    VERIFY_THROWS(LoadError,
                  from({{"block_out_channels", {64, 65}},
                        {"down_block_types", {"DownEncoderBlock2D", "DownEncoderBlock2D"}},
                        {"up_block_types", {"UpDecoderBlock2D", "UpDecoderBlock2D"}}}),
                  "norm_num_groups");
    VERIFY_THROWS(LoadError, from({{"block_out_channels", {64, 64}}}), "down_block_types");
  }

  void namesTheInputThatDoesNotFit() {
    const auto vae = load("vae_plain");
    VERIFY_THROWS(ShapeError, vae->encode(at::zeros({1, 4, 8, 8})), "images", "[1, 4, 8, 8]");
    VERIFY_THROWS(ShapeError, vae->decode(at::zeros({1, 3, 8, 8})), "latents");
  }
};

QTEST_APPLESS_MAIN(TestAutoencoderKL)
#include "tst_autoencoder_kl.moc"
