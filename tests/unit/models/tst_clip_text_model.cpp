#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <QtTest>
#include <nlohmann/json.hpp>

#include "base/cancel.h"
#include "io/json_file.h"
#include "models/clip_text_model.h"
#include "support/errors.h"
#include "support/golden.h"
#include "support/weights.h"

using namespace attnscope;
using attnscope::testing::Golden;
using nlohmann::json;

namespace {

std::shared_ptr<CLIPTextEncoder> load(const std::string& name) {
  const std::string folder = std::string(ATTNSCOPE_GOLDEN_DIR) + "/" + name;
  const json config = read_json_file(folder + "/config.json");
  auto model = make_clip_text_encoder(config["architectures"][0], ClipTextConfig::from_json(config, folder), folder);
  const bool projects = model->class_name() == "CLIPTextModelWithProjection";
  const auto weights = SafetensorsFile::open(folder + "/model.safetensors");
  std::map<std::string, at::Tensor> tensors;
  for (const std::string& key : weights->keys())
    if (const std::string parameter = clip_text_parameter_name(key, projects); !parameter.empty())
      tensors[parameter] = weights->tensor(key);
  for (auto& [path, parameter] : model->named_parameters()) {
    parameter->set(tensors.at(path));
    tensors.erase(path);
  }
  if (!tensors.empty()) throw std::runtime_error("surplus tensor " + tensors.begin()->first);
  return model;
}

std::shared_ptr<CLIPTextModel> small_model() {
  ClipTextConfig config;
  config.vocab_size = 20, config.hidden_size = 16, config.intermediate_size = 32, config.num_hidden_layers = 2;
  config.num_attention_heads = 2, config.max_position_embeddings = 8, config.eos_token_id = 19;
  auto model = std::make_shared<CLIPTextModel>(config);
  model->init_random(1);
  return model;
}

at::Tensor ids_of(const std::vector<std::vector<int64_t>>& rows) {
  std::vector<at::Tensor> tensors;
  for (const auto& row : rows) tensors.push_back(at::tensor(row, at::kLong));
  return at::stack(tensors);
}

const at::Tensor none;

}  // namespace

class TestClipTextModel : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void equalsTransformers_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("file");
    for (const char* name : {"text_clip_l", "text_classic_keys", "text_sd2", "text_projection"}) {
      QTest::newRow(name) << name << "io.safetensors";
      if (std::string(name) != "text_classic_keys") QTest::addRow("%s short", name) << name << "io_short.safetensors";
    }
  }

  void equalsTransformers() {
    QFETCH(QString, name);
    QFETCH(QString, file);
    const c10::NoGradGuard no_grad;
    const auto model = load(name.toStdString());
    const Golden golden(name.toStdString(), file.toStdString());
    const ClipTextOutput output = (*model)(golden["input_ids"], none);
    COMPARE_TENSORS(output.last_hidden_state, golden.expected("last_hidden_state"), 1e-5);
    if (golden.contains("expect/text_embeds"))
      COMPARE_TENSORS(output.text_embeds, golden.expected("text_embeds"), 1e-5);
    else
      COMPARE_TENSORS(output.pooler_output, golden.expected("pooler_output"), 1e-5);
    QCOMPARE(output.text_embeds.defined(), golden.contains("expect/text_embeds"));
    for (std::size_t i = 0; i < output.hidden_states.size(); ++i)
      COMPARE_TENSORS(output.hidden_states[i], golden.expected("hidden_states." + std::to_string(i)), 1e-5);
    QVERIFY(!golden.contains("expect/hidden_states." + std::to_string(output.hidden_states.size())));
  }

  // A mask of ones goes the way of explicit masks and must change nothing.
  void maskOfOnesIsNoMask() {
    const c10::NoGradGuard no_grad;
    const auto model = load("text_sd2");
    const Golden golden("text_sd2");
    const at::Tensor ids = golden["input_ids"];
    COMPARE_TENSORS((*model)(ids, at::ones_like(ids)).last_hidden_state, golden.expected("last_hidden_state"), 1e-5);
  }

  // Expected values from transformers 5.24 with the same mask.
  void maskEqualsTransformers() {
    const c10::NoGradGuard no_grad;
    const at::Tensor ids = Golden("text_sd2", "io_short.safetensors")["input_ids"];
    at::Tensor mask = at::ones_like(ids);
    mask[1][2] = 0, mask[0][5] = 0, mask[1].narrow(0, 8, 2) = 0;
    const at::Tensor last = (*load("text_sd2"))(ids, mask).last_hidden_state.select(1, 9).narrow(1, 0, 6);
    COMPARE_TENSORS(last[0], at::tensor({-0.217289, 0.57123, 1.337083, 0.051099, 0.662813, 0.596574}), 1e-5);
    COMPARE_TENSORS(last[1], at::tensor({-0.63839, -0.292584, 1.372633, 0.258095, 0.867104, 0.080162}), 1e-5);
  }

  // What is masked is not seen: a prompt with masked padding gives what the prompt alone gives.
  void maskHidesPadding() {
    const c10::NoGradGuard no_grad;
    const auto model = small_model();
    const at::Tensor ids = ids_of({{1, 5, 7, 9, 19}});
    const at::Tensor hidden = ids_of({{1, 5, 3, 9, 19}});
    at::Tensor mask = at::ones_like(ids);
    const at::Tensor without = (*model)(ids, mask).last_hidden_state;
    mask[0][2] = 0;
    COMPARE_TENSORS((*model)(ids, mask).last_hidden_state.narrow(1, 3, 2),
                    (*model)(hidden, mask).last_hidden_state.narrow(1, 3, 2), 1e-6);
    QVERIFY(!testing::compare((*model)(ids, mask).last_hidden_state, without, 1e-4).empty());
  }

  void laterTokensAreNotSeen() {
    const c10::NoGradGuard no_grad;
    const auto model = small_model();
    const at::Tensor a = (*model)(ids_of({{1, 5, 7, 9, 19}}), none).last_hidden_state;
    const at::Tensor b = (*model)(ids_of({{1, 5, 7, 3, 19}}), none).last_hidden_state;
    COMPARE_TENSORS(a.narrow(1, 0, 3), b.narrow(1, 0, 3), 1e-6);
    QVERIFY(!testing::compare(a, b, 1e-3).empty());
  }

  void pooledAtTheFirstEnd() {
    const c10::NoGradGuard no_grad;
    const auto model = small_model();
    const at::Tensor ids = ids_of({{1, 5, 19, 19, 19}, {1, 5, 6, 7, 8}});
    const ClipTextOutput output = (*model)(ids, none);
    QVERIFY(at::equal(output.pooler_output[0], output.last_hidden_state[0][2]));
    QVERIFY(at::equal(output.pooler_output[1], output.last_hidden_state[1][0]));  // no end: as in transformers
  }

  void modulesAreTransformers() {
    const auto model = load("text_projection");
    std::vector<std::string> names;
    for (const auto& [path, module] : model->named_modules())
      names.push_back(path + " " + std::string(module->class_name()));
    const std::vector<std::string> start(names.begin(), names.begin() + 19);
    const std::string layer = "text_model.encoder.layers.0";
    const std::vector<std::string> expected{" CLIPTextModelWithProjection",
                                            "text_model CLIPTextModel",
                                            "text_model.embeddings CLIPTextEmbeddings",
                                            "text_model.embeddings.token_embedding Embedding",
                                            "text_model.embeddings.position_embedding Embedding",
                                            "text_model.encoder CLIPEncoder",
                                            "text_model.encoder.layers ModuleList",
                                            layer + " CLIPEncoderLayer",
                                            layer + ".self_attn CLIPAttention",
                                            layer + ".self_attn.k_proj Linear",
                                            layer + ".self_attn.v_proj Linear",
                                            layer + ".self_attn.q_proj Linear",
                                            layer + ".self_attn.out_proj Linear",
                                            layer + ".layer_norm1 LayerNorm",
                                            layer + ".mlp CLIPMLP",
                                            layer + ".mlp.activation_fn GELUActivation",
                                            layer + ".mlp.fc1 Linear",
                                            layer + ".mlp.fc2 Linear",
                                            layer + ".layer_norm2 LayerNorm"};
    QCOMPARE(start, expected);
    QCOMPARE(names.back(), std::string("text_projection Linear"));
    QCOMPARE(names[names.size() - 2], std::string("text_model.final_layer_norm LayerNorm"));
    QVERIFY(load("text_clip_l")->find("encoder.layers.2.mlp.activation_fn") != nullptr);
  }

  void fileNamesOfBothGenerations() {
    QCOMPARE(clip_text_parameter_name("text_model.encoder.layers.0.mlp.fc1.weight", false),
             std::string("encoder.layers.0.mlp.fc1.weight"));
    QCOMPARE(clip_text_parameter_name("encoder.layers.0.mlp.fc1.weight", false),
             std::string("encoder.layers.0.mlp.fc1.weight"));
    QCOMPARE(clip_text_parameter_name("final_layer_norm.bias", true), std::string("text_model.final_layer_norm.bias"));
    QCOMPARE(clip_text_parameter_name("text_model.final_layer_norm.bias", true),
             std::string("text_model.final_layer_norm.bias"));
    QCOMPARE(clip_text_parameter_name("text_projection.weight", true), std::string("text_projection.weight"));
    QCOMPARE(clip_text_parameter_name("text_model.embeddings.position_ids", false), std::string());
    QCOMPARE(clip_text_parameter_name("vision_model.x", false), std::string("vision_model.x"));
  }

  void hooksSeeAndReplaceOutputs() {
    const c10::NoGradGuard no_grad;
    const auto model = small_model();
    const at::Tensor ids = ids_of({{1, 5, 19}});
    std::size_t results = 0, layers = 0;
    auto top = model->register_forward_hook([&](nn::Module&, const nn::Values&, const nn::Values& values) {
      results = values.size();
      nn::Values changed = values;
      changed[0] = at::zeros_like(values[0]);
      return std::optional(changed);
    });
    auto layer = model->at("encoder.layers.1")
                     .register_forward_hook([&](nn::Module&, const nn::Values& args, const nn::Values&) {
                       layers += args.size();
                       return std::nullopt;
                     });
    const ClipTextOutput output = (*model)(ids, none);
    QCOMPARE(results, std::size_t{6});  // last, pooled, no embeds, three states
    QCOMPARE(layers, std::size_t{2});
    QCOMPARE(output.last_hidden_state.abs().sum().item<double>(), 0.0);
    QVERIFY(!output.text_embeds.defined());
    QCOMPARE(output.hidden_states.size(), std::size_t{3});
    top.remove();
    QVERIFY((*model)(ids, none).last_hidden_state.abs().sum().item<double>() > 0);
  }

  void stopsWhenCancelled() {
    const auto model = small_model();
    const CancelToken token;
    const CancelScope scope(token);
    token.cancel();
    VERIFY_THROWS(RunCancelled, (*model)(ids_of({{1, 19}}), none), "cancelled");
  }

  void gradientsFlow() {
    const auto model = small_model();
    model->requires_grad(true);
    (*model)(ids_of({{1, 5, 19}}), none).pooler_output[0][0].backward();
    const auto parameters = model->named_parameters();
    QVERIFY(parameters.front().second->tensor().grad().abs().sum().item<double>() > 0);
  }

  void bfloat16IsNear() {
    const c10::NoGradGuard no_grad;
    const auto model = load("text_clip_l");
    model->to(std::nullopt, at::kBFloat16);
    const Golden golden("text_clip_l");
    const ClipTextOutput output = (*model)(golden["input_ids"], none);
    QVERIFY(output.last_hidden_state.scalar_type() == at::kBFloat16);
    COMPARE_TENSORS(output.last_hidden_state, golden.expected("last_hidden_state"), 0.05);
    QVERIFY(!(*model)(golden["input_ids"], at::ones_like(golden["input_ids"]))
                 .last_hidden_state.isnan()
                 .any()
                 .item<bool>());
  }

  void refusesBadInputs() {
    const auto model = small_model();
    VERIFY_THROWS(ShapeError, (*model)(at::zeros({1, 9}, at::kLong), none), "9 tokens", "for 8");
    VERIFY_THROWS(ShapeError, (*model)(at::zeros({4}, at::kLong), none), "input_ids", "[batch, tokens]");
    VERIFY_THROWS(ShapeError, (*model)(at::zeros({1, 0}, at::kLong), none), "input_ids");
    VERIFY_THROWS(ShapeError, (*model)(at::zeros({1, 4}), none), "input_ids", "whole numbers");
    VERIFY_THROWS(ShapeError, (*model)(at::zeros({1, 4}, at::kLong), at::ones({1, 3})), "attention_mask");
    VERIFY_THROWS(Error, (*model)(at::full({1, 4}, 20, at::kLong), none), "token id 20", "same model");
    VERIFY_THROWS(Error, (*model)(at::full({1, 4}, -1, at::kLong), none), "token id -1");
  }

  void refusesBadConfigs_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("field");
    QTest::newRow("activation") << R"({"hidden_act": "gelu_new"})"
                                << "hidden_act";
    QTest::newRow("heads") << R"({"hidden_size": 30, "num_attention_heads": 4})"
                           << "num_attention_heads";
    QTest::newRow("no heads") << R"({"num_attention_heads": 0})"
                              << "num_attention_heads";
    QTest::newRow("wrong type") << R"({"hidden_size": "512"})"
                                << "hidden_size";
    QTest::newRow("negative") << R"({"num_hidden_layers": -1})"
                              << "num_hidden_layers";
    QTest::newRow("huge") << R"({"vocab_size": 9999999999})"
                          << "vocab_size";
    QTest::newRow("eps") << R"({"layer_norm_eps": 0})"
                         << "layer_norm_eps";
    QTest::newRow("end list") << R"({"eos_token_id": [1, 2]})"
                              << "eos_token_id";
    QTest::newRow("other model") << R"({"model_type": "t5"})"
                                 << "model_type";
  }

  void refusesBadConfigs() {
    QFETCH(QString, text);
    QFETCH(QString, field);
    VERIFY_THROWS(LoadError, ClipTextConfig::from_json(json::parse(text.toStdString()), "dir/config.json"),
                  "dir/config.json", field.toStdString());
  }

  void configDefaultsAreTransformers() {
    const ClipTextConfig config =
        ClipTextConfig::from_json(json::parse(R"({"layer_norm_eps": null, "unknown": 1})"), "f");
    QCOMPARE(config.vocab_size, 49408);
    QCOMPARE(config.hidden_size, 512);
    QCOMPARE(config.num_hidden_layers, 12);
    QCOMPARE(config.num_attention_heads, 8);
    QCOMPARE(config.intermediate_size, 2048);
    QCOMPARE(config.max_position_embeddings, 77);
    QCOMPARE(config.projection_dim, 512);
    QCOMPARE(config.hidden_act, std::string("quick_gelu"));
    QCOMPARE(config.layer_norm_eps, 1e-5);
    QCOMPARE(config.eos_token_id, 49407);
    VERIFY_THROWS(LoadError, make_clip_text_encoder("T5EncoderModel", config, "model_index.json"), "T5EncoderModel",
                  "model_index.json");
  }
};

QTEST_APPLESS_MAIN(TestClipTextModel)
#include "tst_clip_text_model.moc"
