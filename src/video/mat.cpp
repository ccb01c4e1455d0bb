#include "video/mat.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "base/error.h"
#include "video/frame_reader.h"

namespace attnscope {
namespace {

cv::Mat resized(const cv::Mat& bgr, int height, int width) {
  if (bgr.rows == height && bgr.cols == width) return bgr;
  const bool smaller = height <= bgr.rows && width <= bgr.cols;
  cv::Mat out;
  cv::resize(bgr, out, cv::Size(width, height), 0, 0, smaller ? cv::INTER_AREA : cv::INTER_CUBIC);
  return out;
}

}  // namespace

cv::Mat to_bgr(const Image& image) {
  if (image.width <= 0 || image.height <= 0 ||
      image.rgb.size() != static_cast<std::size_t>(image.width) * image.height * 3)
    throw ShapeError("a picture of " + std::to_string(image.width) + "x" + std::to_string(image.height) + " holds " +
                     std::to_string(image.rgb.size()) + " bytes");
  const cv::Mat rgb(image.height, image.width, CV_8UC3, const_cast<uint8_t*>(image.rgb.data()));
  cv::Mat bgr;
  cv::cvtColor(rgb, bgr, cv::COLOR_RGB2BGR);
  return bgr;
}

Image from_bgr(const cv::Mat& bgr) {
  Image image;
  image.width = bgr.cols;
  image.height = bgr.rows;
  image.rgb.resize(static_cast<std::size_t>(bgr.cols) * bgr.rows * 3);
  cv::Mat rgb(bgr.rows, bgr.cols, CV_8UC3, image.rgb.data());
  cv::cvtColor(bgr, rgb, cv::COLOR_BGR2RGB);
  return image;
}

cv::Mat fit_mat(const cv::Mat& bgr, int height, int width, Fit fit) {
  if (fit == Fit::stretch) return resized(bgr, height, width);
  const double by_height = static_cast<double>(height) / bgr.rows, by_width = static_cast<double>(width) / bgr.cols;
  const double scale = fit == Fit::crop ? std::max(by_height, by_width) : std::min(by_height, by_width);
  int scaled_height = std::max(1, static_cast<int>(std::lround(bgr.rows * scale)));
  int scaled_width = std::max(1, static_cast<int>(std::lround(bgr.cols * scale)));
  if (fit == Fit::crop) {
    scaled_height = std::max(scaled_height, height);
    scaled_width = std::max(scaled_width, width);
    const cv::Mat cover = resized(bgr, scaled_height, scaled_width);
    return cover(cv::Rect((scaled_width - width) / 2, (scaled_height - height) / 2, width, height)).clone();
  }
  scaled_height = std::min(scaled_height, height);
  scaled_width = std::min(scaled_width, width);
  cv::Mat out = cv::Mat::zeros(height, width, bgr.type());
  const cv::Rect middle((width - scaled_width) / 2, (height - scaled_height) / 2, scaled_width, scaled_height);
  resized(bgr, scaled_height, scaled_width).copyTo(out(middle));
  return out;
}

}  // namespace attnscope
