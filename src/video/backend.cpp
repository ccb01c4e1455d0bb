#include "video/backend.h"

#include <algorithm>
#include <opencv2/videoio/registry.hpp>

namespace attnscope {

int video_backend() {
  static const int backend = [] {
    const auto backends = cv::videoio_registry::getStreamBackends();
    return std::find(backends.begin(), backends.end(), cv::CAP_FFMPEG) != backends.end() ? cv::CAP_FFMPEG : cv::CAP_ANY;
  }();
  return backend;
}

}  // namespace attnscope
