#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include <c10/core/Device.h>
#include <c10/core/ScalarType.h>

#include "models/autoencoder_kl.h"
#include "models/clip_text_model.h"
#include "models/clip_tokenizer.h"
#include "models/unet_2d_condition.h"
#include "schedulers/scheduler.h"

namespace attnscope {

struct LoadOptions {
  c10::Device device = c10::Device(c10::kCPU);
  c10::ScalarType dtype = c10::ScalarType::Float;
  std::string variant;        // "fp16" reads diffusion_pytorch_model.fp16.safetensors
  bool check_finite = false;  // refuse NaN and infinity in weights
};

// A pipeline as diffusers saves it: model_index.json and a folder a component.
class DiffusersFolder {
 public:
  // Throws LoadError: not there, no model_index.json, or one that is not a pipeline's.
  explicit DiffusersFolder(const std::string& path);

  const std::string& path() const { return path_; }
  const std::string& class_name() const { return class_name_; }  // "StableDiffusionPipeline"
  bool has(const std::string& component) const;                  // named and not null
  // The class of a component ("UNet2DConditionModel"); its folder. Throw LoadError when there is no such component.
  std::string component_class(const std::string& component) const;
  std::string component_path(const std::string& component) const;
  const nlohmann::json& index() const { return index_; }

 private:
  std::string path_, class_name_;
  nlohmann::json index_;
};

// The folder of `component` below a pipeline folder, or `path` itself when it is the component's own folder.
std::string resolve_component(const std::string& path, const std::string& component);

// One component from its folder. Throw LoadError naming the file and field or tensor.
std::shared_ptr<UNet2DConditionModel> load_unet(const std::string& folder, const LoadOptions& options);
std::shared_ptr<AutoencoderKL> load_vae(const std::string& folder, const LoadOptions& options);
std::shared_ptr<CLIPTextEncoder> load_text_encoder(const std::string& folder, const LoadOptions& options);
std::unique_ptr<Scheduler> load_scheduler(const std::string& folder);

// The parts of a StableDiffusionPipeline.
struct StableDiffusion {
  std::string path, class_name;
  std::string hash;  // of the UNet's weights and config, for telling models apart
  c10::Device device = c10::Device(c10::kCPU);
  c10::ScalarType dtype = c10::ScalarType::Float;
  std::shared_ptr<UNet2DConditionModel> unet;
  std::shared_ptr<AutoencoderKL> vae;
  std::shared_ptr<CLIPTextEncoder> text_encoder;
  std::shared_ptr<ClipTokenizer> tokenizer;
  std::unique_ptr<Scheduler> scheduler;
};

// Loads all parts; `loading` is told each component's name first. The VAE stays fp32 when its config forces that and
// `dtype` is float16. Throws LoadError for a pipeline class that is not supported.
StableDiffusion load_stable_diffusion(const std::string& path, const LoadOptions& options,
                                      const std::function<void(const std::string&)>& loading = {});

}  // namespace attnscope
