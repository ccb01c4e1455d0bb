#pragma once
#include <optional>
#include <string>

namespace attnscope {

struct SizeChange {
  int frame = 0;  // the first of the new size, from 0, in the order of the stream
  int old_width = 0, old_height = 0, new_width = 0, new_height = 0;
};

// Whether the first `frames` frames of a video change size, by what its key frames say. OpenCV cannot tell: it squeezes
// every frame into the first one's size, or repeats the last that fitted. H.264, HEVC, MPEG-2 and -4, MJPEG, VP8 and
// VP9 are looked at; for other codecs, and where this build cannot read packets, the answer is no. A cancellation
// point.
std::optional<SizeChange> find_size_change(const std::string& path, int frames);

}  // namespace attnscope
