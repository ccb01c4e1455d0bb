#pragma once
#include <ATen/core/Tensor.h>

#include <functional>
#include <string>
#include <vector>

#include "loaders/diffusers_folder.h"

namespace attnscope {

// hidden states of prompts, [P, tokens, D]; prompts as padded encodings.
at::Tensor encode_prompts(StableDiffusion& model, const std::vector<Encoding>& prompts);

// Frames [F, 3, H, W] in -1..1 to latents [F, 4, h, w], scaled; the posterior's mean, so that it is repeatable.
at::Tensor encode_frames(StableDiffusion& model, const at::Tensor& frames);
// Latents to frames [F, 3, H, W] fp32 on the CPU, not clamped.
at::Tensor decode_latents(StableDiffusion& model, const at::Tensor& latents);
// Frames the VAE takes at once, so that its memory stays near that of two 512x512 pictures.
int64_t vae_slice(int64_t height, int64_t width);

// The UNet's prediction for every frame under one prompt, [1, tokens, D].
at::Tensor predict(UNet2DConditionModel& unet, const at::Tensor& latents, double timestep, const at::Tensor& prompt);

struct DenoiseOptions {
  double guidance_scale = 7.5;  // 1 and less: the conditional prediction alone
  double eta = 0;
  std::size_t first_step = 0;  // position in the scheduler's timesteps
  at::Generator generator;     // of the fresh noise of stochastic steps; undefined: none
};

// After step i (position in the timesteps): the latents now.
using StepCallback = std::function<void(std::size_t i, const at::Tensor& latents)>;
// Before step i.
using BeforeStep = std::function<void(std::size_t i)>;

// diffusers' loop: [negative, positive] in one batch, guidance, scheduler step. `latents` [F, 4, h, w]; prompts
// [1, tokens, D] for all frames.
at::Tensor denoise(StableDiffusion& model, Scheduler& scheduler, at::Tensor latents, const at::Tensor& positive,
                   const at::Tensor& negative, const DenoiseOptions& options, const BeforeStep& before,
                   const StepCallback& after);

// The first step of a schedule of `steps` when only the last `strength` of it is run, as diffusers' get_timesteps.
std::size_t first_step(std::size_t steps, double strength);

}  // namespace attnscope
