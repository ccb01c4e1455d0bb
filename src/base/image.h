#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace attnscope {

// 8-bit RGB, rows from the top, no padding.
struct Image {
  int width = 0;
  int height = 0;
  std::vector<uint8_t> rgb;

  bool empty() const { return rgb.empty(); }
};

// One map of one word over one frame, rows from the top. Values are attention probabilities (or a recipe's scaling
// of them), never negative.
struct HeatMap {
  int width = 0;
  int height = 0;
  std::vector<float> values;
};

}  // namespace attnscope
