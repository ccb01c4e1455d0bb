#include "video/backend.h"

#include <algorithm>
#include <cstdlib>
#include <opencv2/videoio/registry.hpp>

namespace attnscope {

int video_backend() {
  static const int backend = [] {
    // FFmpeg prints guesses about damaged and cut files to standard error; what matters of them becomes a LoadError.
    ::setenv("OPENCV_FFMPEG_LOGLEVEL", "-8", 0);
    const auto backends = cv::videoio_registry::getStreamBackends();
    return std::find(backends.begin(), backends.end(), cv::CAP_FFMPEG) != backends.end() ? cv::CAP_FFMPEG : cv::CAP_ANY;
  }();
  return backend;
}

}  // namespace attnscope
