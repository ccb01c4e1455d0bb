#include <ATen/ATen.h>

#include <QtTest>

#include "attention/capture.h"
#include "attention/processor_rules.h"
#include "io/json_file.h"
#include "models/unet_2d_condition.h"
#include "support/errors.h"

using namespace attnscope;

namespace {

std::shared_ptr<UNet2DConditionModel> make_unet() {
  const std::string file = std::string(ATTNSCOPE_GOLDEN_DIR) + "/unet_sd15/config.json";
  auto unet = std::make_shared<UNet2DConditionModel>(UNetConfig::from_json(read_json_file(file), file));
  unet->init_random(1);
  return unet;
}

std::vector<std::string> cross_keys(UNet2DConditionModel& unet) {
  std::vector<std::string> keys;
  for (const auto& [key, attention] : nn::attention_layers(unet))
    if (attention->is_cross_attention()) keys.push_back(key);
  return keys;
}

}  // namespace

class TestProcessorRules : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void patterns() {
    const std::string key = "down_blocks.0.attentions.1.transformer_blocks.0.attn2.processor";
    QVERIFY(matches_key("*attn2*", key));
    QVERIFY(matches_key("down_blocks.*.attn2", key));
    QVERIFY(matches_key("down_blocks.[01].*", key));
    QVERIFY(!matches_key("down_blocks.*.attn1", key));
    QVERIFY(!matches_key("attn2", key));
    VERIFY_THROWS(ConfigError, matching_keys({"*attn2*", "*attn3*"}, {key}, "attention.capture.layers"), "*attn3*",
                  "attention.capture.layers", key);
  }

  void laterRulesWinAndErrorsChangeNothing() {
    const auto unet = make_unet();
    const auto before = nn::attn_processors(*unet);
    VERIFY_THROWS(ConfigError, apply_processor_rules(*unet, {{"*", "default"}, {"*attn2", "fuesd"}}), "fuesd",
                  "Did you mean fused");
    VERIFY_THROWS(ConfigError, apply_processor_rules(*unet, {{"*", "default"}, {"nothing", "fused"}}), "nothing");
    QVERIFY(nn::attn_processors(*unet) == before);
    apply_processor_rules(*unet, {{"*", "fused"}, {"mid_block.*.attn2", "default"}});
    for (const auto& [key, processor] : nn::attn_processors(*unet))
      QCOMPARE(processor_name(*processor), std::string(matches_key("mid_block.*.attn2", key) ? "default" : "fused"));
  }

  void captureRestoresProcessorsOnEveryExit() {
    const auto unet = make_unet();
    const auto before = nn::attn_processors(*unet);
    CapturePlan plan;
    plan.layers = cross_keys(*unet);
    plan.frames = 1;
    plan.token_count = 7;
    plan.latent_height = plan.latent_width = 8;
    for (int i = 0; i < 100; ++i) {
      try {
        const CrossCapture capture(*unet, plan);
        QVERIFY(nn::attn_processors(*unet) != before);
        throw Error("on purpose");
      } catch (const Error&) {
      }
    }
    QVERIFY(nn::attn_processors(*unet) == before);
    plan.layers.push_back(nn::attention_layers(*unet)[0].first);  // an attn1
    VERIFY_THROWS(Error, CrossCapture(*unet, plan), "cross-attention", plan.layers.back());
    QVERIFY(nn::attn_processors(*unet) == before);
  }

  void gridsOfOddSizes() {
    QCOMPARE(layer_grid(9 * 13, 9, 13), (std::array<int, 2>{9, 13}));
    QCOMPARE(layer_grid(5 * 7, 9, 13), (std::array<int, 2>{5, 7}));
    QCOMPARE(layer_grid(3 * 4, 9, 13), (std::array<int, 2>{3, 4}));
    VERIFY_THROWS(ShapeError, layer_grid(50, 9, 13), "50 queries", "9 x 13");
    QCOMPARE(block_level("down_blocks.2.attentions.0", 4), 2);
    QCOMPARE(block_level("up_blocks.1.attentions.0", 4), 2);
    QCOMPARE(block_level("mid_block.attentions.0", 4), 3);
  }
};

QTEST_APPLESS_MAIN(TestProcessorRules)
#include "tst_processor_rules.moc"
