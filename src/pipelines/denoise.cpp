#include "pipelines/denoise.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <algorithm>

namespace attnscope {

at::Tensor encode_prompts(StableDiffusion& model, const std::vector<Encoding>& prompts) {
  const c10::NoGradGuard no_grad;
  std::vector<at::Tensor> ids;
  for (const Encoding& prompt : prompts) ids.push_back(at::tensor(prompt.ids, at::kLong));
  return (*model.text_encoder)(at::stack(ids).to(model.device), at::Tensor()).last_hidden_state.to(model.dtype);
}

int64_t vae_slice(int64_t height, int64_t width) { return std::max<int64_t>(1, 2 * 512 * 512 / (height * width)); }

at::Tensor encode_frames(StableDiffusion& model, const at::Tensor& frames) {
  const c10::NoGradGuard no_grad;
  const VaeConfig& config = model.vae->config();
  const at::Tensor input = frames.to(model.device, model.vae->dtype());
  const at::Tensor mean = model.vae->encode(input, vae_slice(frames.size(2), frames.size(3))).mean;
  return ((mean - config.shift_factor) * config.scaling_factor).to(model.dtype);
}

at::Tensor decode_latents(StableDiffusion& model, const at::Tensor& latents) {
  const c10::NoGradGuard no_grad;
  const VaeConfig& config = model.vae->config();
  const at::Tensor input = (latents / config.scaling_factor + config.shift_factor).to(model.vae->dtype());
  const int64_t slice = vae_slice(latents.size(2) * config.factor(), latents.size(3) * config.factor());
  return model.vae->decode(input, slice).to(at::kCPU, at::kFloat);
}

at::Tensor predict(UNet2DConditionModel& unet, const at::Tensor& latents, double timestep, const at::Tensor& prompt) {
  const c10::NoGradGuard no_grad;
  const at::Tensor time = at::full({1}, timestep, latents.options().dtype(at::kFloat));
  return unet(UNetInput{latents, time, prompt.expand({latents.size(0), -1, -1})});
}

at::Tensor denoise(StableDiffusion& model, Scheduler& scheduler, at::Tensor latents, const at::Tensor& positive,
                   const at::Tensor& negative, const DenoiseOptions& options, const BeforeStep& before,
                   const StepCallback& after) {
  const c10::NoGradGuard no_grad;
  StepOptions step;
  step.eta = options.eta;
  if (options.generator.defined()) step.generator = options.generator;
  const bool guided = options.guidance_scale > 1.0;
  const int64_t frames = latents.size(0);
  at::Tensor text = positive.expand({frames, -1, -1});
  if (guided) text = at::cat({negative.expand({frames, -1, -1}), text});
  for (std::size_t i = options.first_step; i < scheduler.timesteps().size(); ++i) {
    if (before) before(i);
    const at::Tensor input = scheduler.scale_model_input(latents, i);
    const at::Tensor time = at::full({1}, scheduler.timesteps()[i], latents.options().dtype(at::kFloat));
    at::Tensor prediction = (*model.unet)(UNetInput{guided ? at::cat({input, input}) : input, time, text});
    if (guided) {
      const auto halves = prediction.chunk(2);
      prediction = halves[0] + options.guidance_scale * (halves[1] - halves[0]);
    }
    latents = scheduler.step(prediction, i, latents, step);
    if (after) after(i, latents);
  }
  return latents;
}

std::size_t first_step(std::size_t steps, double strength) {
  const auto run = std::min(steps, static_cast<std::size_t>(static_cast<double>(steps) * strength));
  return steps - run;
}

}  // namespace attnscope
