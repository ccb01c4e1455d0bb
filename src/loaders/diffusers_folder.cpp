#include "loaders/diffusers_folder.h"

#include <ATen/ATen.h>

#include <filesystem>

#include "base/error.h"
#include "io/content_hash.h"
#include "io/json_file.h"
#include "loaders/tensor_source.h"
#include "loaders/vae_names.h"
#include "loaders/weights.h"
#include "schedulers/scheduler_config.h"

namespace attnscope {
namespace {

namespace fs = std::filesystem;

WeightOptions weight_options(const LoadOptions& options) {
  WeightOptions result;
  result.device = options.device;
  result.dtype = options.dtype;
  result.check_finite = options.check_finite;
  return result;
}

void check_class(const nlohmann::json& config, const std::string& file, const char* expected) {
  const auto found = config.find("_class_name");
  if (found == config.end() || *found == expected) return;
  throw LoadError("this is a " + found->dump() + ", a " + expected + " is needed", file, "_class_name");
}

std::string config_file(const std::string& folder) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored))
    throw LoadError("no such folder", folder, {}, "A component is a folder with config.json and weights.");
  return folder + "/config.json";
}

std::string weights_hash(const std::string& folder, const LoadOptions& options) {
  const TensorSource source = TensorSource::open(folder, options.variant);
  uint64_t hash = 0;
  for (const std::string& key : source.keys()) {
    const at::Tensor tensor = source.tensor(key).contiguous();
    hash = content_hash(key.data(), key.size(), hash);
    hash = content_hash(tensor.data_ptr(), tensor.nbytes(), hash);
  }
  return hash_text(hash);
}

}  // namespace

DiffusersFolder::DiffusersFolder(const std::string& path) : path_(path) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) throw LoadError("no such folder", path);
  if (!fs::is_directory(path, ignored))
    throw LoadError("this is a file, a model is a folder", path, {},
                    "Give the folder that save_pretrained wrote (it holds model_index.json).");
  const std::string file = path + "/model_index.json";
  if (!fs::exists(file, ignored))
    throw LoadError("no model_index.json in this folder", path, {},
                    "Give the folder that diffusers' save_pretrained wrote for the whole pipeline.");
  index_ = read_json_file(file);
  if (!index_.is_object() || !index_.contains("_class_name") || !index_["_class_name"].is_string())
    throw LoadError("does not name a pipeline class", file, "_class_name");
  class_name_ = index_["_class_name"].get<std::string>();
}

bool DiffusersFolder::has(const std::string& component) const {
  const auto entry = index_.find(component);
  return entry != index_.end() && entry->is_array() && entry->size() == 2 && (*entry)[1].is_string();
}

std::string DiffusersFolder::component_class(const std::string& component) const {
  if (!has(component)) throw LoadError("this pipeline has no " + component, path_ + "/model_index.json", component);
  return index_[component][1].get<std::string>();
}

std::string DiffusersFolder::component_path(const std::string& component) const {
  component_class(component);
  return path_ + "/" + component;
}

std::string resolve_component(const std::string& path, const std::string& component) {
  std::error_code ignored;
  if (fs::exists(path + "/model_index.json", ignored)) return DiffusersFolder(path).component_path(component);
  if (!fs::is_directory(path, ignored))
    throw LoadError(fs::exists(path, ignored) ? "this is a file, a model is a folder" : "no such folder", path);
  return path;
}

std::shared_ptr<UNet2DConditionModel> load_unet(const std::string& folder, const LoadOptions& options) {
  const std::string file = config_file(folder);
  const nlohmann::json config = read_json_file(file);
  check_class(config, file, "UNet2DConditionModel");
  auto unet = std::make_shared<UNet2DConditionModel>(UNetConfig::from_json(config, file));
  load_weights(*unet, TensorSource::open(folder, options.variant), weight_options(options));
  return unet;
}

std::shared_ptr<AutoencoderKL> load_vae(const std::string& folder, const LoadOptions& options) {
  const std::string file = config_file(folder);
  const nlohmann::json config = read_json_file(file);
  check_class(config, file, "AutoencoderKL");
  auto vae = std::make_shared<AutoencoderKL>(VaeConfig::from_json(config, file));
  WeightOptions weights = weight_options(options);
  weights.rename = modern_vae_name;
  weights.squeeze_1x1 = true;
  load_weights(*vae, TensorSource::open(folder, options.variant), weights);
  return vae;
}

std::shared_ptr<CLIPTextEncoder> load_text_encoder(const std::string& folder, const LoadOptions& options) {
  const std::string file = config_file(folder);
  const nlohmann::json config = read_json_file(file);
  const auto& names = config.contains("architectures") ? config["architectures"] : nlohmann::json();
  const std::string class_name =
      names.is_array() && names.size() == 1 && names[0].is_string() ? names[0].get<std::string>() : "CLIPTextModel";
  auto encoder = make_clip_text_encoder(class_name, ClipTextConfig::from_json(config, file), file);
  WeightOptions weights = weight_options(options);
  const bool projection = class_name == "CLIPTextModelWithProjection";
  weights.rename = [projection](const std::string& key) { return clip_text_parameter_name(key, projection); };
  load_weights(*encoder, TensorSource::open(folder, options.variant), weights);
  return encoder;
}

std::unique_ptr<Scheduler> load_scheduler(const std::string& folder) {
  // Saved DPM configs hold a bare -Infinity, which plain JSON reading refuses.
  return make_scheduler(read_scheduler_config(folder), folder + "/scheduler_config.json");
}

StableDiffusion load_stable_diffusion(const std::string& path, const LoadOptions& options,
                                      const std::function<void(const std::string&)>& loading) {
  const DiffusersFolder folder(path);
  if (folder.class_name() != "StableDiffusionPipeline") {
    throw LoadError("pipeline class " + folder.class_name() + " is not supported", path + "/model_index.json",
                    "_class_name", "Supported: StableDiffusionPipeline.");
  }
  const auto begin = [&](const char* component) {
    if (loading) loading(component);
    return folder.component_path(component);
  };
  StableDiffusion model;
  model.path = path;
  model.class_name = folder.class_name();
  model.device = options.device;
  model.dtype = options.dtype;
  model.tokenizer = std::make_shared<ClipTokenizer>(begin("tokenizer"));
  model.scheduler = load_scheduler(begin("scheduler"));
  model.text_encoder = load_text_encoder(begin("text_encoder"), options);
  LoadOptions vae_options = options;
  const std::string vae_folder = begin("vae");
  const nlohmann::json vae_config = read_json_file(vae_folder + "/config.json");
  // Activations of such VAEs overflow float16's range.
  if (options.dtype == at::kHalf && vae_config.value("force_upcast", true)) vae_options.dtype = at::kFloat;
  model.vae = load_vae(vae_folder, vae_options);
  const std::string unet_folder = begin("unet");
  model.unet = load_unet(unet_folder, options);
  if (model.unet->config().in_channels != model.vae->config().latent_channels) {
    throw LoadError("the UNet takes " + std::to_string(model.unet->config().in_channels) + " channels, the VAE gives " +
                        std::to_string(model.vae->config().latent_channels),
                    unet_folder + "/config.json", "in_channels",
                    "Inpainting UNets cannot run on their own yet; eval works on them.");
  }
  if (model.unet->config().text_time)
    throw LoadError("this UNet needs SDXL's added conditions, which a StableDiffusionPipeline does not give",
                    unet_folder + "/config.json", "addition_embed_type");
  model.hash = weights_hash(unet_folder, options);
  return model;
}

}  // namespace attnscope
