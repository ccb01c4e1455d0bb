#pragma once
#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

namespace attnscope {

// What capture keeps of one cross-attention layer.
struct LayerMaps {
  std::string key;   // processor key, "up_blocks.1.attentions.0.transformer_blocks.0.attn2.processor"
  at::Tensor maps;   // [frames, tokens, h, w] fp32 on the CPU: mean over heads and steps, conditional half
  at::Tensor heads;  // [frames, heads, tokens, h, w]: mean over steps; undefined unless heads were asked for
  at::Tensor steps;  // [buckets, frames, tokens, h, w]: mean over heads and a bucket's steps; undefined with one bucket
};

// Cross-attention maps of a run, layers in diffusers' order. latent_* is the size of the latents (cells).
struct CrossMaps {
  std::vector<LayerMaps> layers;
  int latent_height = 0;
  int latent_width = 0;

  int frames() const;
  int tokens() const;
};

}  // namespace attnscope
