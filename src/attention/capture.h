#pragma once
#include <ATen/core/Tensor.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "attention/cross_maps.h"
#include "nn/attention.h"

namespace attnscope {

// What a capture keeps, known before the run.
struct CapturePlan {
  std::vector<std::string> layers;          // processor keys of the cross-attention layers to capture, in order
  std::optional<std::array<int, 2>> steps;  // [first, last] inclusive; empty: all
  std::vector<int> tokens;                  // positions kept; empty: all
  bool heads = false;                       // keep each head apart as well
  int step_buckets = 1;  // parts of equal length that `steps` are kept apart in; over 1: steps is given
  int frames = 0;
  int token_count = 0;  // tokens of the prompt encoding (77 for CLIP)
  int latent_height = 0;
  int latent_width = 0;
};

// Captures cross-attention while it exists: puts a CaptureAttnProcessor around the processor of every planned layer and
// puts the old one back when destroyed. Keeps one fp32 running sum per layer (and head, and bucket of steps, when asked
// for), so memory does not grow with the steps; the conditional half of a batch is the last `frames` rows. The output
// of the layers is not touched.
class CrossCapture {
 public:
  // Throws Error when a planned layer does not exist in `unet` or is not a cross-attention layer.
  CrossCapture(nn::Module& unet, CapturePlan plan);
  ~CrossCapture();
  CrossCapture(const CrossCapture&) = delete;
  CrossCapture& operator=(const CrossCapture&) = delete;

  // The step that the following calls belong to, and whether they count at all (inversion does not).
  void begin_step(int step, bool counts = true);
  const CapturePlan& plan() const { return plan_; }
  // Steps that were summed so far.
  int steps() const { return steps_; }
  // Calls of each planned layer that were summed.
  std::vector<int64_t> calls() const;
  // Bucket that a step of plan().steps falls into.
  int bucket_of(int step) const;
  // Means over heads and steps so far, on the CPU; rows of tokens that were not kept are 0.
  CrossMaps maps() const;

 private:
  struct Layer;
  void add(Layer& layer, const nn::Attention& attention, const at::Tensor& probabilities);

  nn::Module& unet_;
  CapturePlan plan_;
  std::vector<std::unique_ptr<Layer>> layers_;
  int steps_ = 0;
  int bucket_ = 0;
  bool counting_ = false;
};

// Grid [h, w] of a layer with `queries` queries over latents of this size: the latents halved (rounding up) as often as
// it takes. Throws ShapeError when no level has that many cells.
std::array<int, 2> layer_grid(int64_t queries, int latent_height, int latent_width);

// Bytes that maps of these layers will take: frames · tokens · cells · 4 (· heads) (· step buckets), summed. Grids are
// read off the keys' places in `unet`, which must be a UNet2DConditionModel.
int64_t capture_bytes(nn::Module& unet, const CapturePlan& plan);

// How often the latents are halved before the block that a processor key lies in ("down_blocks.1…", "mid_block…").
int block_level(const std::string& key, int blocks);

}  // namespace attnscope
