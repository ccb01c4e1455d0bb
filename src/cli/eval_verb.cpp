#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "base/error.h"
#include "cli/interrupt.h"
#include "cli/verbs.h"
#include "io/safetensors.h"
#include "loaders/diffusers_folder.h"
#include "nn/device.h"

namespace attnscope::cli {
namespace {

struct EvalOptions {
  std::string component, model, inputs, out, dtype = "float32", device = "auto", capture = "none", variant;
  int steps = 0;
};

// The inputs by name, moved to where the component computes. Reading marks them used, so that a misspelt one is
// noticed.
class Inputs {
 public:
  Inputs(const std::string& path, const LoadOptions& load) : file_(SafetensorsFile::open(path)), load_(load) {}

  at::Tensor need(const std::string& name) {
    if (!file_->contains(name)) throw LoadError("this component needs the input " + name, file_->path(), name);
    return find(name);
  }
  at::Tensor find(const std::string& name) {
    if (!file_->contains(name)) return {};
    used_.push_back(name);
    const at::Tensor tensor = file_->tensor(name).to(load_.device);
    return tensor.is_floating_point() && name != "timestep" ? tensor.to(load_.dtype) : tensor;
  }
  void refuse_unused() const {
    for (const std::string& key : file_->keys()) {
      if (key.rfind("expect/", 0) == 0 || std::find(used_.begin(), used_.end(), key) != used_.end()) continue;
      throw LoadError("this component does not take the input " + key, file_->path(), key);
    }
  }

 private:
  std::shared_ptr<SafetensorsFile> file_;
  const LoadOptions& load_;
  std::vector<std::string> used_;
};

NamedTensors eval_unet(const EvalOptions& options, const LoadOptions& load, Inputs& inputs) {
  UNetInput in{inputs.need("sample"), inputs.need("timestep"), inputs.need("encoder_hidden_states"),
               inputs.find("text_embeds"), inputs.find("time_ids")};
  for (int i = 0;; ++i) {
    const at::Tensor residual = inputs.find("down_block_additional_residuals." + std::to_string(i));
    if (!residual.defined()) break;
    in.down_block_additional_residuals.push_back(residual);
  }
  in.mid_block_additional_residual = inputs.find("mid_block_additional_residual");
  inputs.refuse_unused();
  const auto unet = load_unet(resolve_component(options.model, "unet"), load);
  NamedTensors captured;
  if (options.capture != "none") {
    for (auto& [key, attention] : nn::attention_layers(*unet)) {
      if (options.capture == "cross" && !attention->is_cross_attention()) continue;
      attention->processor.set(std::make_shared<nn::CaptureAttnProcessor>(
          attention->processor.pointer(),
          [&captured, key = key](const nn::Attention&, const at::Tensor& probabilities) {
            captured.emplace_back("attn/" + key, probabilities.clone());
          }));
    }
  }
  NamedTensors outputs{{"sample", (*unet)(in)}};
  outputs.insert(outputs.end(), captured.begin(), captured.end());
  return outputs;
}

NamedTensors eval_text_encoder(const EvalOptions& options, const LoadOptions& load, Inputs& inputs) {
  const at::Tensor ids = inputs.need("input_ids"), mask = inputs.find("attention_mask");
  inputs.refuse_unused();
  const auto encoder = load_text_encoder(resolve_component(options.model, options.component), load);
  const ClipTextOutput output = (*encoder)(ids, mask);
  NamedTensors outputs{{"last_hidden_state", output.last_hidden_state}};
  if (output.text_embeds.defined()) {
    outputs.emplace_back("text_embeds", output.text_embeds);
  } else {
    outputs.emplace_back("pooler_output", output.pooler_output);
  }
  for (std::size_t i = 0; i < output.hidden_states.size(); ++i)
    outputs.emplace_back("hidden_states." + std::to_string(i), output.hidden_states[i]);
  return outputs;
}

NamedTensors eval_vae(const EvalOptions& options, const LoadOptions& load, Inputs& inputs) {
  const bool encode = options.component == "vae_encoder";
  const at::Tensor sample = inputs.need("sample");
  inputs.refuse_unused();
  const auto vae = load_vae(resolve_component(options.model, "vae"), load);
  if (!encode) return {{"sample", vae->decode(sample)}};
  const LatentDistribution posterior = vae->encode(sample);
  return {{"mean", posterior.mean}, {"logvar", posterior.logvar}};
}

NamedTensors eval_scheduler(const EvalOptions& options, Inputs& inputs) {
  at::Tensor sample = inputs.need("sample");
  const at::Tensor model_outputs = inputs.need("model_outputs");
  inputs.refuse_unused();
  const auto scheduler = load_scheduler(resolve_component(options.model, "scheduler"));
  scheduler->set_timesteps(options.steps > 0 ? options.steps : model_outputs.size(0));
  const std::size_t count = scheduler->timesteps().size();
  if (model_outputs.dim() < 1 || model_outputs.size(0) < static_cast<int64_t>(count))
    throw ShapeError(std::to_string(model_outputs.size(0)) + " model outputs for " + std::to_string(count) + " steps",
                     "model_outputs");
  std::vector<at::Tensor> samples;
  for (std::size_t i = 0; i < count; ++i) {
    sample = scheduler->step(model_outputs[static_cast<int64_t>(i)], i, sample);
    samples.push_back(sample);
  }
  return {{"timesteps", scheduler->timesteps_tensor()}, {"samples", at::stack(samples)}};
}

void evaluate(const EvalOptions& options) {
  const c10::NoGradGuard no_grad;
  const CancelScope scope(interrupt_token());
  LoadOptions load;
  load.device = nn::parse_device(options.device);
  load.dtype = nn::parse_dtype(options.dtype, load.device);
  load.variant = options.variant;
  load.check_finite = true;
  Inputs inputs(options.inputs, load);
  NamedTensors outputs;
  if (options.component == "unet")
    outputs = eval_unet(options, load, inputs);
  else if (options.component == "scheduler")
    outputs = eval_scheduler(options, inputs);
  else if (options.component.rfind("text_encoder", 0) == 0)
    outputs = eval_text_encoder(options, load, inputs);
  else
    outputs = eval_vae(options, load, inputs);
  save_safetensors(options.out, outputs);
}

}  // namespace

void add_eval(CLI::App& app, const Streams&, Action& action) {
  auto options = std::make_shared<EvalOptions>();
  CLI::App* verb = app.add_subcommand("eval", "Run one part of a model on given tensors, to check its numbers.");
  verb->add_option("component", options->component,
                   "unet, text_encoder, text_encoder_2, vae_encoder, vae_decoder or scheduler")
      ->required()
      ->check(CLI::IsMember({"unet", "text_encoder", "text_encoder_2", "vae_encoder", "vae_decoder", "scheduler"}));
  verb->add_option("--model", options->model, "A pipeline folder, or the component's folder")->required();
  verb->add_option("--inputs", options->inputs, "A .safetensors file with the inputs by diffusers' argument names")
      ->required();
  verb->add_option("--out", options->out, "The .safetensors file to write")->required();
  verb->add_option("--dtype", options->dtype, "float32, bfloat16 or float16")
      ->check(CLI::IsMember({"float32", "bfloat16", "float16"}));
  verb->add_option("--device", options->device, "auto, cpu, cuda or cuda:N");
  verb->add_option("--variant", options->variant, "Weight file variant, such as fp16");
  verb->add_option("--capture", options->capture,
                   "Attention probabilities to write beside the UNet's output: none, cross or all")
      ->check(CLI::IsMember({"none", "cross", "all"}));
  verb->add_option("--steps", options->steps, "Scheduler steps (default: as many as model_outputs)")
      ->check(CLI::Range(1, 100000));
  verb->callback([options, &action] {
    action = [options] {
      evaluate(*options);
      return 0;
    };
  });
}

}  // namespace attnscope::cli
