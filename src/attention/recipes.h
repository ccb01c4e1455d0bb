#pragma once
#include <string>
#include <vector>

#include "attention/cross_maps.h"
#include "base/image.h"

namespace attnscope {

// How layers' maps become one map of a word.
struct Recipe {
  std::string name;
  std::string description;
};

// "daam": every down and up layer (mid left out) resized to the latent grid (bicubic, clamped at 0), plain mean
// (Tang et al. 2022, with steps averaged instead of summed).
// "p2p16": mean over the down and up layers whose grid is a quarter of the latents' (16x16 for SD1 at 512), as
// prompt-to-prompt's aggregate_attention; result on that grid.
const std::vector<Recipe>& recipes();

// One map a frame for the tokens at `positions` (plain mean over them). Throws Error for an unknown recipe (names the
// near one), an empty position list, or when no captured layer fits the recipe.
std::vector<HeatMap> word_heatmaps(const CrossMaps& maps, const std::string& recipe, const std::vector<int>& positions);

// The same as a tensor [frames, h, w].
at::Tensor word_maps(const CrossMaps& maps, const std::string& recipe, const std::vector<int>& positions);

}  // namespace attnscope
