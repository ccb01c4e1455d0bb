#include "loaders/weights.h"

#include <ATen/ATen.h>

#include <QtTest>
#include <limits>

#include "io/atomic_file.h"
#include "io/json_file.h"
#include "loaders/vae_names.h"
#include "nn/layers.h"
#include "support/errors.h"
#include "support/golden.h"

using namespace attnscope;

namespace {

class Toy final : public nn::Module {
 public:
  static constexpr const char* kInterface = "Toy";
  std::string_view class_name() const override { return "Toy"; }
  nn::Slot<nn::UnaryModule> linear{*this, "linear", std::make_shared<nn::Linear>(3, 2)};
  nn::Slot<nn::UnaryModule> conv{*this, "conv", std::make_shared<nn::Conv2d>(2, 4, 1, 1, 0, false)};

  const at::Tensor& operator[](const std::string& name) {
    for (auto& [path, parameter] : named_parameters())
      if (path == name) return parameter->tensor();
    throw Error("no such parameter", name);
  }
};

NamedTensors toy_tensors() {
  return {{"linear.weight", at::arange(6, at::kFloat).view({2, 3})},
          {"linear.bias", at::tensor({-1.f, 1.f})},
          {"conv.weight", at::arange(8, at::kFloat).view({4, 2, 1, 1}) / 8}};
}

NamedTensors changed(const std::string& key, const at::Tensor& tensor) {
  NamedTensors tensors = toy_tensors();
  for (auto& [name, value] : tensors)
    if (name == key) value = tensor;
  return tensors;
}

}  // namespace

class TestWeights : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  std::string path(const std::string& name) const { return (folder_.path().toStdString() + "/") + name; }
  static std::string golden(const std::string& name) { return std::string(ATTNSCOPE_GOLDEN_DIR) + "/" + name; }

  // A fresh folder with a toy's weights under this name.
  std::string folder_with(const std::string& file, const NamedTensors& tensors = toy_tensors()) const {
    static int count = 0;
    const QString name = QStringLiteral("f%1").arg(++count);
    if (!QDir(folder_.path()).mkdir(name)) return {};
    const std::string folder = path(name.toStdString());
    save_safetensors(folder + "/" + file, tensors);
    return folder;
  }

 private Q_SLOTS:
  void parameters_are_views_of_the_file() {
    const TensorSource source = TensorSource::open(folder_with("model.safetensors"));
    Toy toy;
    load_weights(toy, source);
    COMPARE_TENSORS(toy["linear.weight"], toy_tensors()[0].second, 0);
    QCOMPARE(toy["linear.weight"].const_data_ptr(), source.tensor("linear.weight").const_data_ptr());
    COMPARE_TENSORS((*toy.linear)(at::ones({1, 3})), at::tensor({2.f, 13.f}).unsqueeze(0), 1e-6);
  }

  void parameters_outlive_the_source() {
    Toy toy;
    load_weights(toy, TensorSource::open(folder_with("model.safetensors")), {.dtype = at::kFloat});
    COMPARE_TENSORS(toy["conv.weight"], toy_tensors()[2].second, 0);
  }

  void converts() {
    const std::string folder = folder_with("model.safetensors");
    Toy toy;
    load_weights(toy, TensorSource::open(folder), {.dtype = at::kBFloat16});
    QVERIFY(toy["linear.weight"].scalar_type() == at::kBFloat16);
    COMPARE_TENSORS(toy["linear.weight"], toy_tensors()[0].second, 0);  // small whole numbers are exact
    NamedTensors float8 = toy_tensors();
    for (auto& [name, tensor] : float8) tensor = tensor.to(at::kFloat8_e4m3fn);
    load_weights(toy, TensorSource::from(float8, "t"));
    QVERIFY(toy["linear.weight"].scalar_type() == at::kFloat);
    COMPARE_TENSORS(toy["linear.weight"], toy_tensors()[0].second, 0);
  }

  void transposed_views_become_plain() {
    Toy toy;
    load_weights(toy, TensorSource::from(changed("linear.weight", at::arange(6, at::kFloat).view({3, 2}).t()), "t"));
    QVERIFY(toy["linear.weight"].is_contiguous());
    COMPARE_TENSORS(toy["linear.weight"], at::tensor({0.f, 2.f, 4.f, 1.f, 3.f, 5.f}).view({2, 3}), 0);
  }

  void all_that_does_not_fit_is_reported_at_once() {
    NamedTensors tensors = toy_tensors();
    tensors[0].second = at::zeros({3, 2});
    tensors[1] = {"linear.biass", at::zeros({2})};
    Toy toy;
    VERIFY_THROWS(LoadError, load_weights(toy, TensorSource::from(tensors, "weights.safetensors")),
                  "weights.safetensors", "do not fit the Toy", "1 missing (linear.bias)",
                  "1 that the model does not have (linear.biass)",
                  "1 of the wrong shape (linear.weight [3, 2] instead of [2, 3])");
    QVERIFY(!toy["conv.weight"].defined());
    NamedTensors many = toy_tensors();
    for (int i = 0; i < 20; ++i) many.emplace_back("extra." + std::to_string(i), at::zeros({1}));
    VERIFY_THROWS(LoadError, load_weights(toy, TensorSource::from(many, "t")),
                  "20 that the model does not have (extra.0,", "…");
    VERIFY_THROWS(LoadError,
                  load_weights(toy, TensorSource::from(changed("linear.bias", at::zeros({2}, at::kChar)), "t")),
                  "1 that are not floating point (linear.bias is Char)");
  }

  void some_tensors_may_be_left_over() {
    NamedTensors tensors = toy_tensors();
    tensors.emplace_back("text_model.embeddings.position_ids", at::arange(3));
    tensors.emplace_back("ema.decay", at::zeros({1}));
    Toy toy;
    VERIFY_THROWS(LoadError, load_weights(toy, TensorSource::from(tensors, "t")),
                  "1 that the model does not have (ema.decay)");
    load_weights(toy, TensorSource::from(tensors, "t"),
                 {.ignore = [](const std::string& key) { return key == "ema.decay"; }});
  }

  void renames() {
    NamedTensors tensors = toy_tensors();
    for (auto& [name, tensor] : tensors) name = "model." + name;
    tensors.emplace_back("other", at::zeros({1}));
    Toy toy;
    const auto strip = [](const std::string& key) { return key == "other" ? std::string() : key.substr(6); };
    load_weights(toy, TensorSource::from(tensors, "t"), {.rename = strip});
    COMPARE_TENSORS(toy["linear.bias"], toy_tensors()[1].second, 0);
    tensors.emplace_back("again!linear.bias", at::zeros({2}));
    VERIFY_THROWS(LoadError, load_weights(toy, TensorSource::from(tensors, "t"), {.rename = strip}),
                  "1 given twice (linear.bias from model.linear.bias and again!linear.bias)");
  }

  void old_vae_names() {
    QCOMPARE(modern_vae_name("decoder.mid_block.attentions.0.query.weight"),
             std::string("decoder.mid_block.attentions.0.to_q.weight"));
    QCOMPARE(modern_vae_name("decoder.mid_block.attentions.0.proj_attn.bias"),
             std::string("decoder.mid_block.attentions.0.to_out.0.bias"));
    for (const char* same :
         {"encoder.mid_block.attentions.0.group_norm.weight", "encoder.conv_in.weight", "query", "key.weight"})
      QCOMPARE(modern_vae_name(same), std::string(same));
    // With the old names changed, the old files have the names and values of the new one.
    const TensorSource wanted = TensorSource::open(golden("vae_small"));
    for (const char* name : {"vae_oldkeys", "vae_oldkeys_conv"}) {
      const TensorSource old = TensorSource::open(golden(name));
      QCOMPARE(old.keys().size(), wanted.keys().size());
      for (const std::string& key : old.keys()) {
        const at::Tensor expected = wanted.tensor(modern_vae_name(key));
        COMPARE_TENSORS(old.tensor(key).view(expected.sizes()), expected, 0);
      }
    }
  }

  void squeezes_only_when_asked() {
    const NamedTensors tensors = changed("linear.weight", at::arange(6, at::kFloat).view({2, 3, 1, 1}));
    Toy toy;
    VERIFY_THROWS(LoadError, load_weights(toy, TensorSource::from(tensors, "t")), "[2, 3, 1, 1] instead of [2, 3]");
    load_weights(toy, TensorSource::from(tensors, "t"), {.squeeze_1x1 = true});
    COMPARE_TENSORS(toy["linear.weight"], toy_tensors()[0].second, 0);
  }

  void values_must_be_finite() {
    Toy toy;
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
      const TensorSource source =
          TensorSource::from(changed("linear.bias", at::tensor({1.f, float(bad)})), "w.safetensors");
      VERIFY_THROWS(LoadError, load_weights(toy, source, {.check_finite = true}), "w.safetensors [linear.bias]",
                    "holds NaN or infinity");
    }
    const TensorSource large = TensorSource::from(changed("linear.bias", at::tensor({1.f, 1e6f})), "w");
    VERIFY_THROWS(LoadError, load_weights(toy, large, {.dtype = at::kHalf, .check_finite = true}), "w [linear.bias]",
                  "too large for Half", "bfloat16");
    // The sum overflows though each value is finite.
    load_weights(toy, TensorSource::from(changed("linear.bias", at::full({2}, 3e38f)), "w"), {.check_finite = true});
    QVERIFY(all_finite(at::full({1000}, 60000., at::kHalf)));
    QVERIFY(!all_finite(at::tensor({INFINITY, -INFINITY})));
    QVERIFY(!all_finite(at::full({3}, NAN).to(at::kFloat8_e5m2)));
  }

  void finds_every_kind_of_file() {
    const TensorSource wanted = TensorSource::open(golden("files_fp32"));
    QCOMPARE(wanted.files().size(), std::size_t{1});
    for (const char* name : {"files_sharded", "files_bin", "files_bin_views", "files_two_variants"}) {
      const TensorSource source = TensorSource::open(golden(name));
      QCOMPARE(source.keys().size(), wanted.keys().size());
      QCOMPARE(source.bytes(), wanted.bytes());
      for (const std::string& key : wanted.keys()) COMPARE_TENSORS(source.tensor(key), wanted.tensor(key), 0);
    }
    QCOMPARE(TensorSource::open(golden("files_sharded")).files().size(), std::size_t{3});
    for (const char* name : {"files_fp16", "files_fp16_sharded", "files_two_variants"}) {
      const TensorSource half = TensorSource::open(golden(name), "fp16");
      QCOMPARE(half.keys().size(), wanted.keys().size());
      QVERIFY(half.info("conv_in.weight").dtype == at::kHalf);
      for (const std::string& key : wanted.keys())
        COMPARE_TENSORS(half.tensor(key), wanted.tensor(key).to(at::kHalf), 0);
    }
    QVERIFY(TensorSource::open(golden("files_text_sharded")).keys().size() > 10);
    QVERIFY(TensorSource::open(golden("files_text_bin")).contains("text_model.embeddings.position_ids"));
  }

  void safetensors_come_before_pickles() {
    const std::string folder = folder_with("diffusion_pytorch_model.safetensors");
    write_file_atomic(folder + "/diffusion_pytorch_model.bin", "not read");
    QCOMPARE(TensorSource::open(folder).keys().size(), std::size_t{3});
  }

  void nothing_found() {
    const std::string folder = folder_with("model.safetensors");
    VERIFY_THROWS(LoadError, TensorSource::open(folder, "fp16"), folder, "holds no weights of the variant fp16",
                  "diffusion_pytorch_model.fp16.safetensors", "Without a variant there is model.safetensors.");
    QVERIFY(TensorSource::exists(folder) && !TensorSource::exists(folder, "fp16"));
    VERIFY_THROWS(LoadError, TensorSource::open(folder_.path().toStdString()), "holds no weights",
                  "diffusion_pytorch_model.safetensors", "pytorch_model.bin");
    VERIFY_THROWS(LoadError, TensorSource::open(path("none")), "no such folder");
    VERIFY_THROWS(LoadError, TensorSource::open(folder + "/model.safetensors"), "is a file, not a model folder");
    VERIFY_THROWS(LoadError, TensorSource::open(folder, "../x"), "is not a variant");
  }

  void bad_indexes() {
    const std::string folder = folder_with("a.safetensors");
    const std::string index = folder + "/model.safetensors.index.json";
    const auto map = [&](const nlohmann::ordered_json& value) { write_json_file(index, {{"weight_map", value}}); };
    map({{"linear.bias", "a.safetensors"}});
    QCOMPARE(TensorSource::open(folder).keys().size(), std::size_t{3});
    map({{"linear.bias", "b.safetensors"}});
    VERIFY_THROWS(LoadError, TensorSource::open(folder), index, "the shard b.safetensors is missing");
    map({{"linear.bia", "a.safetensors"}});
    VERIFY_THROWS(LoadError, TensorSource::open(folder), index + " [linear.bia]",
                  "a.safetensors does not hold this tensor");
    map({{"linear.bias", "../a.safetensors"}});
    VERIFY_THROWS(LoadError, TensorSource::open(folder), "must be a file name");
    map({{"linear.bias", 3}});
    VERIFY_THROWS(LoadError, TensorSource::open(folder), "must be a file name, not 3");
    map(nlohmann::ordered_json::object());
    VERIFY_THROWS(LoadError, TensorSource::open(folder), "no weight_map");
    write_file_atomic(index, "[]");
    VERIFY_THROWS(LoadError, TensorSource::open(folder), "no weight_map");
    save_safetensors(folder + "/b.safetensors", {{"linear.bias", at::zeros({2})}});
    map({{"linear.bias", "a.safetensors"}, {"linear.weight", "b.safetensors"}});
    VERIFY_THROWS(LoadError, TensorSource::open(folder), "b.safetensors [linear.bias]", "also in", "a.safetensors");
  }
};

QTEST_APPLESS_MAIN(TestWeights)
#include "tst_weights.moc"
