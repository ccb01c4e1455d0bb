#include "video/heatmap_overlay.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "base/error.h"

namespace attnscope {
namespace {

void check(const HeatMap& map) {
  if (map.width <= 0 || map.height <= 0 || map.values.size() != static_cast<std::size_t>(map.width) * map.height)
    throw ShapeError("a heat map of " + std::to_string(map.width) + "x" + std::to_string(map.height) + " holds " +
                     std::to_string(map.values.size()) + " values");
}

float positive(float value) { return value > 0 ? value : 0; }  // NaN too becomes 0

float place_in(const ValueRange& range, float value) {
  if (!(range.max > range.min)) return 0;
  const float place = (value - range.min) / (range.max - range.min);
  return place > 0 ? std::min(place, 1.0f) : 0;
}

}  // namespace

std::vector<ValueRange> value_ranges(const std::vector<HeatMap>& maps, MapRange kind) {
  std::vector<ValueRange> ranges(maps.size());
  float largest = 0;
  for (std::size_t i = 0; i < maps.size(); ++i) {
    for (float value : maps[i].values) ranges[i].max = std::max(ranges[i].max, positive(value));
    largest = std::max(largest, ranges[i].max);
  }
  if (kind == MapRange::shared)
    for (ValueRange& range : ranges) range.max = largest;
  return ranges;
}

HeatMap upsample(const HeatMap& map, int height, int width, Upsample how) {
  check(map);
  HeatMap source = map, out;
  for (float& value : source.values) value = positive(value);
  out.width = width;
  out.height = height;
  out.values.resize(static_cast<std::size_t>(width) * height);
  const cv::Mat from(map.height, map.width, CV_32FC1, source.values.data());
  cv::Mat to(height, width, CV_32FC1, out.values.data());
  cv::resize(from, to, to.size(), 0, 0, how == Upsample::smooth ? cv::INTER_CUBIC : cv::INTER_NEAREST);
  for (float& value : out.values) value = positive(value);  // the cubic undershoots beside peaks
  return out;
}

Image overlay(const Image& frame, const HeatMap& map, const ValueRange& range, double alpha, const ColorTable& colors,
              Upsample how) {
  if (frame.rgb.size() != static_cast<std::size_t>(frame.width) * frame.height * 3 || frame.empty())
    throw ShapeError("a picture of " + std::to_string(frame.width) + "x" + std::to_string(frame.height) + " holds " +
                     std::to_string(frame.rgb.size()) + " bytes");
  const HeatMap full = upsample(map, frame.height, frame.width, how);
  Image out = frame;
  for (std::size_t pixel = 0; pixel < full.values.size(); ++pixel) {
    const float place = place_in(range, full.values[pixel]);
    const float opacity = static_cast<float>(alpha) * place;
    const auto& color = colors[static_cast<std::size_t>(std::lround(place * 255))];
    for (std::size_t channel = 0; channel < 3; ++channel) {
      uint8_t& value = out.rgb[pixel * 3 + channel];
      value = static_cast<uint8_t>(std::lround(value + opacity * (color[channel] - static_cast<float>(value))));
    }
  }
  return out;
}

Gray16 to_u16(const HeatMap& map, const ValueRange& range) {
  check(map);
  Gray16 out{map.width, map.height, {}};
  out.values.reserve(map.values.size());
  for (float value : map.values)
    out.values.push_back(static_cast<uint16_t>(std::lround(place_in(range, value) * 65535)));
  return out;
}

}  // namespace attnscope
