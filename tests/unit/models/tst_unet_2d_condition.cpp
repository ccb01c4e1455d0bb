#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <QtTest>
#include <nlohmann/json.hpp>

#include "io/json_file.h"
#include "models/unet_2d_condition.h"
#include "support/errors.h"
#include "support/golden.h"
#include "support/weights.h"

using namespace attnscope;
using attnscope::testing::Golden;

namespace {

std::shared_ptr<UNet2DConditionModel> load(const std::string& name) {
  const std::string folder = std::string(ATTNSCOPE_GOLDEN_DIR) + "/" + name;
  const std::string config = folder + "/config.json";
  auto unet = std::make_shared<UNet2DConditionModel>(UNetConfig::from_json(read_json_file(config), config));
  testing::fill(*unet, *SafetensorsFile::open(folder + "/diffusion_pytorch_model.safetensors"));
  return unet;
}

UNetInput input_of(const Golden& golden) {
  UNetInput input{golden["sample"], golden["timestep"], golden["encoder_hidden_states"]};
  if (golden.contains("text_embeds")) input.text_embeds = golden["text_embeds"];
  if (golden.contains("time_ids")) input.time_ids = golden["time_ids"];
  for (int i = 0; golden.contains("down_block_additional_residuals." + std::to_string(i)); ++i)
    input.down_block_additional_residuals.push_back(golden["down_block_additional_residuals." + std::to_string(i)]);
  if (golden.contains("mid_block_additional_residual"))
    input.mid_block_additional_residual = golden["mid_block_additional_residual"];
  return input;
}

UNetConfig config_with(const nlohmann::json& changes) {
  nlohmann::json json = read_json_file(std::string(ATTNSCOPE_GOLDEN_DIR) + "/unet_sd15/config.json");
  json.merge_patch(changes);
  for (const auto& [key, value] : changes.items())
    if (value.is_null()) json[key] = nullptr;  // merge_patch removes, here a present null is meant
  return UNetConfig::from_json(json, "config.json");
}

}  // namespace

class TestUNet : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void equalsDiffusers_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("file");
    const std::pair<const char*, std::vector<const char*>> cases[] = {
        {"unet_sd15", {"io", "io_tb", "io_fraction", "io_9x13", "io_10x14", "io_residuals"}},
        {"unet_sd2", {"io", "io_residuals"}},
        {"unet_sdxl", {"io", "io_7x5"}},
        {"unet_inpaint", {"io"}},
        {"unet_nomid", {"io"}},
        {"unet_fields", {"io"}}};
    for (const auto& [name, files] : cases)
      for (const char* file : files)
        QTest::addRow("%s %s", name, file) << QString(name) << QString(file) + QStringLiteral(".safetensors");
  }

  void equalsDiffusers() {
    QFETCH(QString, name);
    QFETCH(QString, file);
    const c10::NoGradGuard no_grad;
    const auto unet = load(name.toStdString());
    const Golden golden(name.toStdString(), file.toStdString());
    const at::Tensor plain = (*unet)(input_of(golden));
    COMPARE_TENSORS(plain, golden.expected("sample"), 1e-5);

    // The probabilities of every layer, and not one bit of the output changed by taking them.
    std::map<std::string, at::Tensor> taken;
    for (auto& [key, attention] : nn::attention_layers(*unet)) {
      attention->processor.set(std::make_shared<nn::CaptureAttnProcessor>(
          attention->processor.pointer(),
          [&taken, key = key](const nn::Attention&, const at::Tensor& probabilities) { taken[key] = probabilities; }));
    }
    QVERIFY(at::equal(plain, (*unet)(input_of(golden))));
    std::size_t compared = 0;
    for (const std::string& key : golden.file().keys()) {
      const std::string prefix = "expect/attn/";
      if (key.rfind(prefix, 0) != 0) continue;
      QVERIFY2(taken.count(key.substr(prefix.size())), key.c_str());
      COMPARE_TENSORS(taken[key.substr(prefix.size())], golden[key], 1e-5);
      ++compared;
    }
    QVERIFY(compared > 0 || file != QStringLiteral("io.safetensors"));
    QCOMPARE(taken.size(), nn::attention_layers(*unet).size());
  }

  void namesAndOrder_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"unet_sd15", "unet_sd2", "unet_sdxl", "unet_nomid"}) QTest::newRow(name) << QString(name);
  }

  void namesAndOrder() {
    QFETCH(QString, name);
    const auto unet = load(name.toStdString());
    const nlohmann::json keys =
        read_json_file(std::string(ATTNSCOPE_GOLDEN_DIR) + "/" + name.toStdString() + "/keys.json");
    std::vector<std::string> processors;
    for (const auto& [key, processor] : nn::attn_processors(*unet)) processors.push_back(key);
    QCOMPARE(nlohmann::json(processors), keys["attn_processors"]);
    nlohmann::json modules = nlohmann::json::array();
    for (const auto& [path, module] : unet->named_modules())
      modules.push_back({path, std::string(module->class_name())});
    QCOMPARE(QByteArray(modules.dump().c_str()), QByteArray(keys["named_modules"].dump().c_str()));
    nlohmann::json parameters = nlohmann::json::array();
    for (const auto& [path, parameter] : unet->named_parameters()) parameters.push_back({path, parameter->sizes()});
    QCOMPARE(QByteArray(parameters.dump().c_str()), QByteArray(keys["named_parameters"].dump().c_str()));
  }

  void realSizes_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("count");
    QTest::newRow("SD 1.5") << QStringLiteral("sd15") << 32;
    QTest::newRow("SD 2.1") << QStringLiteral("sd21") << 32;
    QTest::newRow("SDXL") << QStringLiteral("sdxl") << 140;
  }

  void realSizes() {
    QFETCH(QString, name);
    QFETCH(int, count);
    const std::string base = std::string(ATTNSCOPE_GOLDEN_DIR) + "/attn_keys/" + name.toStdString();
    // Parameters have no storage until loaded, so a full-size model costs nothing here.
    UNet2DConditionModel unet(UNetConfig::from_json(read_json_file(base + "_config.json"), base + "_config.json"));
    const nlohmann::json expected = read_json_file(base + ".json");
    const auto layers = nn::attention_layers(unet);
    QCOMPARE(static_cast<int>(layers.size()), count);
    QCOMPARE(expected.size(), layers.size());
    for (std::size_t i = 0; i < layers.size(); ++i) {
      const auto& [key, attention] = layers[i];
      QCOMPARE(key, expected[i]["key"].get<std::string>());
      QCOMPARE(attention->config().heads, expected[i]["heads"].get<int64_t>());
      QCOMPARE(attention->config().query_dim, expected[i]["width"].get<int64_t>());
      const auto& cross = expected[i]["cross_dim"];
      QCOMPARE(attention->config().cross_attention_dim, cross.is_null() ? 0 : cross.get<int64_t>());
    }
  }

  void gradientsReachTheInput() {
    const auto unet = load("unet_sd15");
    const Golden golden("unet_sd15");
    UNetInput input = input_of(golden);
    input.sample = input.sample.clone().set_requires_grad(true);
    (*unet)(input).square().sum().backward();
    QVERIFY(input.sample.grad().defined());
    QVERIFY(input.sample.grad().abs().sum().item<double>() > 0);
  }

  void refusesUnsupportedFields() {
    VERIFY_THROWS(LoadError, config_with({{"class_embed_type", "timestep"}}), "class_embed_type", "timestep",
                  "not supported");
    VERIFY_THROWS(LoadError, config_with({{"dual_cross_attention", true}}), "dual_cross_attention");
    VERIFY_THROWS(LoadError, config_with({{"resnet_time_scale_shift", "scale_shift"}}), "resnet_time_scale_shift");
    VERIFY_THROWS(LoadError, config_with({{"num_attention_heads", 8}}), "num_attention_heads");
    VERIFY_THROWS(LoadError, config_with({{"mid_block_type", "UNetMidBlock2DSimpleCrossAttn"}}), "mid_block_type");
    VERIFY_THROWS(LoadError, config_with({{"addition_embed_type", "image"}}), "addition_embed_type", "text_time");
    VERIFY_THROWS(LoadError, config_with({{"encoder_hid_dim_type", "text_proj"}}), "encoder_hid_dim_type");
    VERIFY_THROWS(LoadError, config_with({{"down_block_types", {"AttnDownBlock2D"}}}), "AttnDownBlock2D",
                  "CrossAttnDownBlock2D");
    VERIFY_THROWS(LoadError, config_with({{"attention_head_dim", {2, 2}}}), "attention_head_dim", "blocks");
    VERIFY_THROWS(LoadError, config_with({{"norm_num_groups", "8"}}), "norm_num_groups", "integer");
    VERIFY_THROWS(LoadError, config_with({{"attention_head_dim", 7}}), "heads");
    QVERIFY(!config_with({{"mid_block_type", nullptr}}).has_mid_block);
  }

  void namesTheInputThatDoesNotFit() {
    const c10::NoGradGuard no_grad;
    const auto unet = load("unet_sd15");
    const Golden golden("unet_sd15");
    UNetInput input = input_of(golden);
    input.sample = at::zeros({2, 9, 16, 16});
    VERIFY_THROWS(ShapeError, (*unet)(input), "sample", "[2, 9, 16, 16]");
    input = input_of(golden);
    input.encoder_hidden_states = at::zeros({2, 7, 5});
    VERIFY_THROWS(ShapeError, (*unet)(input), "encoder_hidden_states");
    input = input_of(golden);
    input.mid_block_additional_residual = at::zeros({1});
    VERIFY_THROWS(ShapeError, (*unet)(input), "go together");
  }
};

QTEST_APPLESS_MAIN(TestUNet)
#include "tst_unet_2d_condition.moc"
