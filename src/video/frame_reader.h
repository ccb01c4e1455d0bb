#pragma once
#include <string>
#include <vector>

#include "base/image.h"

namespace attnscope {

enum class InputKind { none, video, image, frames };  // frames: a folder of pictures, in name order
enum class Fit { crop, pad, stretch };                // how a frame meets height x width

// Which frames to read and at what size.
struct FrameSelection {
  int start_frame = 0;
  int frame_stride = 1;
  int num_frames = 0;  // 0: all that are left
  int height = 0;      // pixels; 0: the input's own, rounded down to a multiple of `multiple_of`
  int width = 0;
  Fit fit = Fit::crop;  // crop: cover, then cut the middle; pad: all of it on black; stretch: both sides on their own
  int multiple_of = 1;
};

struct FrameSequence {
  std::vector<Image> frames;  // all of one size
  double fps = 0;             // of the frames as selected, so the file's / frame_stride; 0 when the input has no rate
  int source_width = 0;       // before fitting
  int source_height = 0;
};

// Read frames in order. All throw LoadError, which names the file (and the picture): not found, a folder where a file
// is due or the other way round, not decodable, no pictures, too few frames (how many there are and were asked), a
// frame of another size than the first, a frame too small for `multiple_of`. They are cancellation points.
FrameSequence read_video(const std::string& path, const FrameSelection& selection);
FrameSequence read_image(const std::string& path, const FrameSelection& selection);
// Pictures of a folder in the order of their names, where runs of digits count as numbers ("2.png" before "10.png").
FrameSequence read_frames(const std::string& folder, const FrameSelection& selection);
// One of the three by kind; `none` gives no frames.
FrameSequence read_input(InputKind kind, const std::string& path, const FrameSelection& selection);

// One picture as it is.
Image read_picture(const std::string& path);

// "a" before "b" by natural_less: bytes, but runs of digits by value.
bool natural_less(const std::string& a, const std::string& b);

// `image` at height x width.
Image fit_image(const Image& image, int height, int width, Fit fit);

}  // namespace attnscope
