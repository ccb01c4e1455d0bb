#pragma once
#include <string>

namespace attnscope {

// The parameter that a tensor of an AutoencoderKL file belongs to. Files from before diffusers 0.15 name the
// projections of the mid block's attention query, key, value and proj_attn; other names stay as they are. (Some of
// those files also store them as [C, C, 1, 1]: WeightOptions::squeeze_1x1.)
std::string modern_vae_name(const std::string& key);

}  // namespace attnscope
