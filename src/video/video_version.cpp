#include "video/video_version.h"

#include <opencv2/core/version.hpp>

namespace attnscope {

std::string video_library_version() { return CV_VERSION; }

}  // namespace attnscope
