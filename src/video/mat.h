#pragma once
#include <opencv2/core.hpp>

#include "base/image.h"

namespace attnscope {

// OpenCV's side of Image: 8-bit BGR, a copy of its own.
cv::Mat to_bgr(const Image& image);
Image from_bgr(const cv::Mat& bgr);

// `bgr` at height x width (see Fit); downscaling averages, upscaling is cubic.
enum class Fit;
cv::Mat fit_mat(const cv::Mat& bgr, int height, int width, Fit fit);

}  // namespace attnscope
