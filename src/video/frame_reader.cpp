#include "video/frame_reader.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <limits>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/videoio.hpp>

#include "base/cancel.h"
#include "base/error.h"
#include "video/backend.h"
#include "video/mat.h"
#include "video/stream_size.h"

namespace attnscope {
namespace {

namespace fs = std::filesystem;

constexpr const char* picture_extensions[] = {".png", ".jpg",  ".jpeg", ".bmp", ".webp",
                                              ".tif", ".tiff", ".ppm",  ".pgm"};

std::string size_text(int width, int height) { return std::to_string(width) + "x" + std::to_string(height); }

void require_file(const std::string& path, const std::string& what) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) throw LoadError(what + " not found", path);
  if (fs::is_directory(status))
    throw LoadError("is a folder, not a " + what, path, {}, "Use input.frames for a folder of pictures.");
  if (!std::ifstream(path, std::ios::binary)) throw LoadError(what + " cannot be opened for reading", path);
}

cv::Mat decode_picture(const std::string& path) {
  require_file(path, "picture");
  cv::Mat bgr;
  std::string reason;
  try {
    bgr = cv::imread(path, cv::IMREAD_COLOR);
  } catch (const cv::Exception& error) {
    reason = ": " + error.err;
  }
  if (bgr.empty())
    throw LoadError("not a picture that can be read" + reason, path, {},
                    "PNG, JPEG, WebP, BMP, TIFF and PPM are read; the file may be damaged or of another kind.");
  return bgr;
}

// Frames in order; what select() below takes from.
class Source {
 public:
  virtual ~Source() = default;
  // Passes over one frame; false at the end.
  virtual bool skip() = 0;
  // The next frame, 8-bit BGR; false at the end.
  virtual bool next(cv::Mat& bgr) = 0;
  // The file the last frame came from.
  virtual std::string name() const = 0;
};

class VideoSource final : public Source {
 public:
  explicit VideoSource(const std::string& path) : path_(path) {
    require_file(path, "video");
    bool opened = false;
    try {
      opened = capture_.open(path, video_backend());
    } catch (const cv::Exception&) {
    }
    if (!opened) throw not_decodable();
  }
  bool skip() override { return capture_.grab(); }
  bool next(cv::Mat& bgr) override { return capture_.read(bgr) && !bgr.empty(); }
  std::string name() const override { return path_; }
  double fps() const {
    const double fps = capture_.get(cv::CAP_PROP_FPS);
    return fps > 0 && fps < 1e4 ? fps : 0;  // raw streams report the clock's rate
  }
  LoadError not_decodable() const {
    return LoadError("not a video that can be decoded", path_, {},
                     "The file may be damaged, cut off, or of a format this build of OpenCV cannot read.");
  }

 private:
  std::string path_;
  cv::VideoCapture capture_;
};

class PictureSource final : public Source {
 public:
  explicit PictureSource(std::vector<std::string> paths) : paths_(std::move(paths)) {}
  bool skip() override { return at_ < paths_.size() ? ++at_ : false; }
  bool next(cv::Mat& bgr) override {
    if (at_ == paths_.size()) return false;
    bgr = decode_picture(paths_[at_++]);
    return true;
  }
  std::string name() const override { return paths_[at_ - 1]; }

 private:
  std::vector<std::string> paths_;
  std::size_t at_ = 0;
};

int target_side(int asked, int own, int multiple_of, const char* side, const std::string& name) {
  if (asked > 0) return asked;
  const int rounded = own / multiple_of * multiple_of;
  if (rounded == 0)
    throw LoadError("frames are " + std::to_string(own) + " pixels in " + side + ", the model needs at least " +
                        std::to_string(multiple_of),
                    name, {}, "Set input.height and input.width to enlarge them.");
  return rounded;
}

LoadError size_changes(int frame, int width, int height, int first_width, int first_height, const std::string& name) {
  return LoadError("frames change size: frame " + std::to_string(frame) + " is " + size_text(width, height) +
                       ", the first is " + size_text(first_width, first_height),
                   name, {}, "All frames of an input must have one size.");
}

LoadError too_few(const std::string& path, int found, const FrameSelection& selection) {
  const int wanted = std::max(selection.num_frames, 1);
  const long long needed = selection.start_frame + (wanted - 1LL) * selection.frame_stride + 1;
  const bool from_middle = selection.start_frame > 0 || selection.frame_stride > 1;
  std::string text = "has " + std::to_string(found) + (found == 1 ? " frame, " : " frames, ") + std::to_string(needed) +
                     (needed == 1 ? " is needed" : " are needed");
  if (from_middle)
    text += " (start_frame " + std::to_string(selection.start_frame) + ", frame_stride " +
            std::to_string(selection.frame_stride) + ", num_frames " + std::to_string(selection.num_frames) + ")";
  return LoadError(text, path, {}, "Lower input.num_frames, input.start_frame or input.frame_stride.");
}

void check(const FrameSelection& selection) {
  if (selection.start_frame < 0 || selection.frame_stride < 1 || selection.num_frames < 0 || selection.height < 0 ||
      selection.width < 0 || selection.multiple_of < 1)
    throw Error("frame selection out of range: start_frame " + std::to_string(selection.start_frame) +
                ", frame_stride " + std::to_string(selection.frame_stride) + ", num_frames " +
                std::to_string(selection.num_frames) + ", size " + size_text(selection.width, selection.height));
}

FrameSequence select(Source& source, const std::string& path, const FrameSelection& selection) {
  FrameSequence sequence;
  int height = 0, width = 0;
  int found = 0;  // frames passed so far, so at the end of the input how many it has
  const auto enough = [&] {
    return selection.num_frames > 0 && static_cast<int>(sequence.frames.size()) == selection.num_frames;
  };
  for (cv::Mat bgr; !enough(); ++found) {
    throw_if_cancelled();
    const int ahead = found - selection.start_frame;
    if (ahead < 0 || ahead % selection.frame_stride != 0) {
      if (!source.skip()) break;
      continue;
    }
    if (!source.next(bgr)) break;
    if (sequence.frames.empty()) {
      sequence.source_width = bgr.cols;
      sequence.source_height = bgr.rows;
      height = target_side(selection.height, bgr.rows, selection.multiple_of, "height", source.name());
      width = target_side(selection.width, bgr.cols, selection.multiple_of, "width", source.name());
    } else if (bgr.cols != sequence.source_width || bgr.rows != sequence.source_height) {
      throw size_changes(found, bgr.cols, bgr.rows, sequence.source_width, sequence.source_height, source.name());
    }
    sequence.frames.push_back(from_bgr(fit_mat(bgr, height, width, selection.fit)));
  }
  if (sequence.frames.empty() || (selection.num_frames > 0 && !enough())) throw too_few(path, found, selection);
  return sequence;
}

}  // namespace

FrameSequence read_video(const std::string& path, const FrameSelection& selection) {
  check(selection);
  VideoSource source(path);
  const int64_t needed = selection.start_frame + (selection.num_frames - int64_t{1}) * selection.frame_stride + 1;
  constexpr int64_t all = std::numeric_limits<int>::max();
  const int looked_at = static_cast<int>(selection.num_frames > 0 ? std::min(needed, all) : all);
  if (const auto change = find_size_change(path, looked_at))
    throw size_changes(change->frame, change->new_width, change->new_height, change->old_width, change->old_height,
                       path);
  FrameSequence sequence;
  try {
    sequence = select(source, path, selection);
  } catch (const cv::Exception&) {
    throw source.not_decodable();
  }
  sequence.fps = source.fps() / selection.frame_stride;
  return sequence;
}

FrameSequence read_image(const std::string& path, const FrameSelection& selection) {
  check(selection);
  require_file(path, "picture");
  PictureSource source({path});
  return select(source, path, selection);
}

FrameSequence read_frames(const std::string& folder, const FrameSelection& selection) {
  check(selection);
  std::error_code error;
  if (!fs::exists(folder, error)) throw LoadError("folder of pictures not found", folder);
  if (!fs::is_directory(folder, error))
    throw LoadError("is a file, not a folder of pictures", folder, {}, "Use input.image or input.video for a file.");
  std::vector<std::string> names;
  fs::directory_iterator entries(folder, error);
  if (error) throw LoadError("folder cannot be read: " + error.message(), folder);
  for (const auto& entry : entries) {
    std::string extension = entry.path().extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return std::tolower(c); });
    const std::string name = entry.path().filename().string();
    if (name.front() != '.' && std::find(std::begin(picture_extensions), std::end(picture_extensions), extension) !=
                                   std::end(picture_extensions))
      names.push_back(name);
  }
  if (names.empty())
    throw LoadError("folder holds no pictures", folder, {},
                    "Files that end in .png, .jpg, .jpeg, .bmp, .webp, .tif, .tiff, .ppm or .pgm are read.");
  std::sort(names.begin(), names.end(), natural_less);
  for (std::string& name : names) name = (fs::path(folder) / name).string();
  PictureSource source(std::move(names));
  return select(source, folder, selection);
}

FrameSequence read_input(InputKind kind, const std::string& path, const FrameSelection& selection) {
  switch (kind) {
    case InputKind::video: return read_video(path, selection);
    case InputKind::image: return read_image(path, selection);
    case InputKind::frames: return read_frames(path, selection);
    case InputKind::none: break;
  }
  return {};
}

Image read_picture(const std::string& path) { return from_bgr(decode_picture(path)); }

bool natural_less(const std::string& a, const std::string& b) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (digit(a[i]) && digit(b[j])) {
      while (i < a.size() && a[i] == '0') ++i;
      while (j < b.size() && b[j] == '0') ++j;
      std::size_t m = i, n = j;
      while (m < a.size() && digit(a[m])) ++m;
      while (n < b.size() && digit(b[n])) ++n;
      if (m - i != n - j) return m - i < n - j;
      const int order = a.compare(i, m - i, b, j, n - j);
      if (order != 0) return order < 0;
      i = m;
      j = n;
    } else {
      if (a[i] != b[j]) return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[j]);
      ++i;
      ++j;
    }
  }
  if (i == a.size() && j == b.size()) return a < b;  // "1" and "01": equal so far, any fixed order will do
  return i == a.size();
}

Image fit_image(const Image& image, int height, int width, Fit fit) {
  return from_bgr(fit_mat(to_bgr(image), height, width, fit));
}

}  // namespace attnscope
