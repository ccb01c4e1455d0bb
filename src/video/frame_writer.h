#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/image.h"

namespace attnscope {

// 16-bit gray, rows from the top.
struct Gray16 {
  int width = 0;
  int height = 0;
  std::vector<uint16_t> values;
};

// Each file appears whole or not at all: it is written beside its place, checked, then renamed. Throws WriteError
// (folder missing or not writable, disk full) with the file and the system's reason.
void write_png(const std::string& path, const Image& image);
void write_png16(const std::string& path, const Gray16& image);

// An .mp4 of `frames` (all of one size): H.264 where OpenCV can write it, else MPEG-4. Odd sizes get one repeated row
// or column, because both codecs want even ones. The file is read back and its frames are counted.
void write_video(const std::string& path, const std::vector<Image>& frames, double fps);

}  // namespace attnscope
