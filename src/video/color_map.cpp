#include "video/color_map.h"

#include <map>
#include <numeric>
#include <opencv2/imgproc.hpp>

#include "base/error.h"

namespace attnscope {
namespace {

ColorTable table(int map) {
  cv::Mat levels(256, 1, CV_8UC1), colours;
  std::iota(levels.begin<uint8_t>(), levels.end<uint8_t>(), uint8_t{0});
  cv::applyColorMap(levels, colours, map);
  ColorTable out;
  for (int level = 0; level < 256; ++level) {
    const auto& bgr = colours.at<cv::Vec3b>(level);
    out[level] = {bgr[2], bgr[1], bgr[0]};
  }
  return out;
}

}  // namespace

const std::vector<std::string>& color_map_names() {
  static const std::vector<std::string> names = {"viridis", "inferno", "turbo"};
  return names;
}

const ColorTable& color_map(const std::string& name) {
  static const std::map<std::string, ColorTable> tables = {{"viridis", table(cv::COLORMAP_VIRIDIS)},
                                                           {"inferno", table(cv::COLORMAP_INFERNO)},
                                                           {"turbo", table(cv::COLORMAP_TURBO)}};
  const auto found = tables.find(name);
  if (found != tables.end()) return found->second;
  const std::string near = nearest_name(name, color_map_names());
  throw Error("unknown color map '" + name + "'", {},
              (near.empty() ? "" : "Did you mean '" + near + "'? ") + std::string("Known: viridis, inferno, turbo."));
}

}  // namespace attnscope
