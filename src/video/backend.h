#pragma once

namespace attnscope {

// The cv::VideoCaptureAPIs to open videos with: FFmpeg where OpenCV has it. "Any backend" would take 0001.png for the
// first picture of a numbered sequence, and try GStreamer, loudly, after FFmpeg refused a file.
int video_backend();

}  // namespace attnscope
