#pragma once
#include <string>

namespace attnscope {

// The version of OpenCV this program was built with.
std::string video_library_version();

}  // namespace attnscope
