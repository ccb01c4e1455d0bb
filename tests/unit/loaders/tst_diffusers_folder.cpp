#include <ATen/ATen.h>

#include <QtTest>
#include <filesystem>
#include <fstream>

#include "loaders/diffusers_folder.h"
#include "support/errors.h"
#include "support/golden.h"

using namespace attnscope;
namespace fs = std::filesystem;

class TestDiffusersFolder : public QObject {
  Q_OBJECT

  QTemporaryDir dir_;
  const std::string pipeline_ = std::string(ATTNSCOPE_GOLDEN_DIR) + "/pipeline/model";

  std::string copy(const std::string& name) {
    const std::string to = dir_.path().toStdString() + "/" + name;
    fs::copy(pipeline_, to, fs::copy_options::recursive);
    return to;
  }

 private Q_SLOTS:
  void loadsAllParts() {
    std::vector<std::string> told;
    const StableDiffusion model =
        load_stable_diffusion(pipeline_, {}, [&](const std::string& name) { told.push_back(name); });
    QCOMPARE(told, (std::vector<std::string>{"tokenizer", "scheduler", "text_encoder", "vae", "unet"}));
    QVERIFY(model.unet && model.vae && model.text_encoder && model.tokenizer && model.scheduler);
    QCOMPARE(model.hash.size(), std::size_t{16});
    QCOMPARE(load_stable_diffusion(pipeline_, {}).hash, model.hash);
  }

  void wrongFolders() {
    VERIFY_THROWS(LoadError, DiffusersFolder(pipeline_ + "/none"), "no such folder", "none");
    VERIFY_THROWS(LoadError, DiffusersFolder(pipeline_ + "/model_index.json"), "file");
    VERIFY_THROWS(LoadError, DiffusersFolder(pipeline_ + "/unet"), "model_index.json", "save_pretrained");
    VERIFY_THROWS(LoadError, load_unet(pipeline_ + "/vae", {}), "AutoencoderKL", "UNet2DConditionModel");
    VERIFY_THROWS(LoadError, load_unet(pipeline_ + "/none", {}), "no such folder");
    QCOMPARE(resolve_component(pipeline_, "unet"), pipeline_ + "/unet");
    QCOMPARE(resolve_component(pipeline_ + "/unet", "unet"), pipeline_ + "/unet");
    VERIFY_THROWS(LoadError, resolve_component(pipeline_, "text_encoder_2"), "text_encoder_2");
  }

  void otherPipelinesAreRefusedByName() {
    const std::string folder = copy("flux");
    std::ofstream(folder + "/model_index.json") << R"({"_class_name": "FluxPipeline"})";
    VERIFY_THROWS(LoadError, load_stable_diffusion(folder, {}), "FluxPipeline", "StableDiffusionPipeline");
    std::ofstream(folder + "/model_index.json") << "{]";
    VERIFY_THROWS(LoadError, load_stable_diffusion(folder, {}), "model_index.json");
  }

  void damagedWeightsAreNamed() {
    const std::string folder = copy("damaged");
    const std::string weights = folder + "/unet/diffusion_pytorch_model.safetensors";
    fs::resize_file(weights, fs::file_size(weights) - 10);
    VERIFY_THROWS(LoadError, load_stable_diffusion(folder, {}), "diffusion_pytorch_model.safetensors");
    fs::remove(weights);
    VERIFY_THROWS(LoadError, load_stable_diffusion(folder, {}), "diffusion_pytorch_model");
  }

  void notANumberIsNamed() {
    const std::string folder = copy("nan");
    const std::string weights = folder + "/unet/diffusion_pytorch_model.safetensors";
    NamedTensors tensors;
    for (const auto& [key, tensor] : SafetensorsFile::open(weights)->tensors())
      tensors.emplace_back(key, tensor.clone());
    tensors[3].second.view({-1})[0] = NAN;
    save_safetensors(weights, tensors);
    LoadOptions options;
    options.check_finite = true;
    VERIFY_THROWS(LoadError, load_stable_diffusion(folder, options), tensors[3].first);
  }

  void variantsAndPickles() {
    // Each of these folders holds the same kind of component in another kind of file, with its own expectation.
    for (const auto& [name, variant] :
         {std::pair{"files_fp16", "fp16"}, std::pair{"files_fp16_sharded", "fp16"}, std::pair{"files_sharded", ""},
          std::pair{"files_bin", ""}, std::pair{"files_bf16", ""}}) {
      LoadOptions options;
      options.variant = variant;
      const auto unet = load_unet(std::string(ATTNSCOPE_GOLDEN_DIR) + "/" + name, options);
      QCOMPARE(unet->dtype(), at::kFloat);
      QVERIFY(unet->parameter_bytes() > 0);
    }
    VERIFY_THROWS(LoadError, load_unet(std::string(ATTNSCOPE_GOLDEN_DIR) + "/files_fp32", {.variant = "fp16"}), "fp16");
  }
};

QTEST_GUILESS_MAIN(TestDiffusersFolder)
#include "tst_diffusers_folder.moc"
