#include "attention/recipes.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>

#include "base/error.h"

namespace attnscope {
namespace {

// The mid block is left out by both recipes.
bool down_or_up(const LayerMaps& layer) {
  return layer.key.rfind("down_blocks.", 0) == 0 || layer.key.rfind("up_blocks.", 0) == 0;
}

std::string grid_text(int64_t height, int64_t width) { return std::to_string(height) + "x" + std::to_string(width); }

at::Tensor positions_tensor(const CrossMaps& maps, const std::vector<int>& positions) {
  if (positions.empty()) throw Error("a word's map needs at least one token position");
  for (int position : positions)
    if (position < 0 || position >= maps.tokens())
      throw Error("token position " + std::to_string(position) + " is outside the captured maps, which hold " +
                  std::to_string(maps.tokens()) + " tokens");
  return at::tensor(std::vector<int64_t>(positions.begin(), positions.end()), at::kLong);
}

// Undershoot is cut off before anything is averaged, token by token and layer by layer, as DAAM does.
at::Tensor daam(const CrossMaps& maps, const at::Tensor& positions) {
  const std::array<int64_t, 2> latent{maps.latent_height, maps.latent_width};
  at::Tensor sum;
  int count = 0;
  for (const LayerMaps& layer : maps.layers) {
    if (!down_or_up(layer)) continue;
    at::Tensor grids = layer.maps.index_select(1, positions);
    if (grids.size(2) != latent[0] || grids.size(3) != latent[1])
      grids = at::upsample_bicubic2d(grids, latent, /*align_corners=*/false);
    grids = grids.clamp_min(0);
    sum = sum.defined() ? sum + grids : grids;
    ++count;
  }
  if (count == 0)
    throw Error("recipe 'daam' needs a captured cross-attention layer of the down or up blocks, and none was captured",
                {}, "Add a pattern such as \"up_blocks.*attn2*\" to attention.capture.layers.");
  return sum.div_(count).mean(1);
}

at::Tensor p2p16(const CrossMaps& maps, const at::Tensor& positions) {
  // Two stride-2 convolutions with padding 1 round up twice, which is rounding up once.
  const int64_t height = (maps.latent_height + 3) / 4, width = (maps.latent_width + 3) / 4;
  at::Tensor sum;
  int count = 0;
  std::string seen;
  for (const LayerMaps& layer : maps.layers) {
    if (!down_or_up(layer)) continue;
    if (layer.maps.size(2) != height || layer.maps.size(3) != width) {
      const std::string grid = grid_text(layer.maps.size(2), layer.maps.size(3));
      if (seen.find(grid) == std::string::npos) seen += (seen.empty() ? "" : ", ") + grid;
      continue;
    }
    const at::Tensor grids = layer.maps.index_select(1, positions);
    sum = sum.defined() ? sum + grids : grids;
    ++count;
  }
  if (count == 0)
    throw Error("recipe 'p2p16' needs a captured down or up layer on the grid " + grid_text(height, width) +
                    " (a quarter of the latents'); captured: " + (seen.empty() ? "none" : seen),
                {}, "Use recipe 'daam', or capture the layers of that grid.");
  return sum.div_(count).mean(1);
}

}  // namespace

const std::vector<Recipe>& recipes() {
  static const std::vector<Recipe> list = {
      {"daam", "mean over all down and up layers, each resized to the latent grid"},
      {"p2p16", "mean over the down and up layers whose grid is a quarter of the latents'"},
  };
  return list;
}

at::Tensor word_maps(const CrossMaps& maps, const std::string& recipe, const std::vector<int>& positions) {
  std::vector<std::string> names;
  for (const Recipe& known : recipes()) names.push_back(known.name);
  if (std::find(names.begin(), names.end(), recipe) == names.end()) {
    const std::string near = nearest_name(recipe, names);
    throw Error("unknown heat-map recipe '" + recipe + "'", {},
                (near.empty() ? "" : "Did you mean '" + near + "'? ") + std::string("Known: daam, p2p16."));
  }
  if (maps.layers.empty())
    throw Error("no attention maps were captured", {}, "Set attention.capture: true and run again.");
  const at::Tensor indices = positions_tensor(maps, positions);
  return recipe == "daam" ? daam(maps, indices) : p2p16(maps, indices);
}

std::vector<HeatMap> word_heatmaps(const CrossMaps& maps, const std::string& recipe,
                                   const std::vector<int>& positions) {
  const at::Tensor all = word_maps(maps, recipe, positions).contiguous();
  const int64_t cells = all.size(1) * all.size(2);
  std::vector<HeatMap> out(static_cast<std::size_t>(all.size(0)));
  const float* values = all.const_data_ptr<float>();
  for (HeatMap& map : out) {
    map.height = static_cast<int>(all.size(1));
    map.width = static_cast<int>(all.size(2));
    map.values.assign(values, values + cells);
    values += cells;
  }
  return out;
}

}  // namespace attnscope
