#pragma once
#include <vector>

#include "base/image.h"
#include "video/color_map.h"
#include "video/frame_writer.h"

namespace attnscope {

enum class MapRange { frame, shared };    // what a heat map's colours are scaled by: its own maximum, or all frames'
enum class Upsample { smooth, nearest };  // smooth: cubic, clamped at 0; nearest: the cells as they are

// The values that the ends of the colour scale stand for.
struct ValueRange {
  float min = 0;
  float max = 0;
};

// [0, largest value] of each map, or of all of them together; one entry a map. Zero stays zero, so that maps of
// different words and frames can be compared by their maxima.
std::vector<ValueRange> value_ranges(const std::vector<HeatMap>& maps, MapRange kind);

// `map` at height x width.
HeatMap upsample(const HeatMap& map, int height, int width, Upsample how);

// `frame` with `map` over it. A value's opacity is its place in `range` (clamped to 0..1) times `alpha`, so that zero
// shows the picture and the largest value the colour; NaN counts as zero.
Image overlay(const Image& frame, const HeatMap& map, const ValueRange& range, double alpha, const ColorTable& colors,
              Upsample how = Upsample::smooth);

// `map` alone on `range`, 0..65535, at its own size. value = gray / 65535 * (max - min) + min.
Gray16 to_u16(const HeatMap& map, const ValueRange& range);

}  // namespace attnscope
