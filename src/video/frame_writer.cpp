#include "video/frame_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <opencv2/videoio.hpp>

#include "base/cancel.h"
#include "base/error.h"
#include "video/backend.h"
#include "video/mat.h"

namespace attnscope {
namespace {

namespace fs = std::filesystem;

constexpr const char* hint = "Check that the folder exists, can be written to, and that the disk has room.";

// A name beside `path` that is removed unless it was moved there.
class Draft {
 public:
  explicit Draft(const std::string& path)
      : path_(path), draft_(fs::path(path).replace_extension("part" + fs::path(path).extension().string()).string()) {}
  ~Draft() {
    std::error_code ignored;
    if (!kept_) fs::remove(draft_, ignored);
  }
  const std::string& name() const { return draft_; }
  void keep() {
    if (std::rename(draft_.c_str(), path_.c_str()) != 0)
      throw WriteError(std::string("cannot be put in place: ") + std::strerror(errno), path_, hint);
    kept_ = true;
  }

 private:
  std::string path_, draft_;
  bool kept_ = false;
};

// The system's reason why a file cannot be made at `path`, or "" when it can. OpenCV only says "no".
std::string why_not_writable(const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return std::strerror(errno);
  ::close(file);
  return {};
}

void write_bytes(const std::string& path, const std::vector<uint8_t>& bytes) {
  Draft draft(path);
  const int file = ::open(draft.name().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) throw WriteError(std::string("cannot be written: ") + std::strerror(errno), path, hint);
  std::size_t done = 0;
  int reason = 0;
  while (done < bytes.size() && reason == 0) {
    const ssize_t count = ::write(file, bytes.data() + done, bytes.size() - done);
    if (count > 0)
      done += static_cast<std::size_t>(count);
    else if (count == 0 || errno != EINTR)
      reason = count == 0 ? ENOSPC : errno;
  }
  if (::close(file) != 0 && reason == 0) reason = errno;
  if (reason != 0) throw WriteError(std::string("cannot be written: ") + std::strerror(reason), path, hint);
  draft.keep();
}

void write_png_mat(const std::string& path, const cv::Mat& mat) {
  std::vector<uint8_t> bytes;
  bool encoded = false;
  try {
    encoded = cv::imencode(".png", mat, bytes);
  } catch (const cv::Exception& error) {
    throw WriteError("cannot be encoded as PNG: " + error.err, path);
  }
  if (!encoded) throw WriteError("cannot be encoded as PNG", path);
  write_bytes(path, bytes);
}

int count_frames(const std::string& path) {
  cv::VideoCapture capture;
  if (!capture.open(path, video_backend())) return 0;
  int count = 0;
  while (capture.grab()) ++count;
  return count;
}

bool encode(const std::string& path, const char (&codec)[5], const std::vector<Image>& frames, double fps) {
  const int width = frames[0].width, height = frames[0].height;
  const cv::Size size((width + 1) / 2 * 2, (height + 1) / 2 * 2);
  try {
    cv::VideoWriter writer;
    if (!writer.open(path, cv::VideoWriter::fourcc(codec[0], codec[1], codec[2], codec[3]), fps, size)) return false;
    for (const Image& frame : frames) {
      throw_if_cancelled();
      cv::Mat even;
      cv::copyMakeBorder(to_bgr(frame), even, 0, size.height - height, 0, size.width - width, cv::BORDER_REPLICATE);
      writer.write(even);
    }
    writer.release();
    // Neither write() nor release() reports a full disk, and some builds open codecs they cannot encode.
    return count_frames(path) == static_cast<int>(frames.size());
  } catch (const cv::Exception&) {
    return false;
  }
}

}  // namespace

void write_png(const std::string& path, const Image& image) { write_png_mat(path, to_bgr(image)); }

void write_png16(const std::string& path, const Gray16& image) {
  if (image.width <= 0 || image.height <= 0 ||
      image.values.size() != static_cast<std::size_t>(image.width) * image.height)
    throw ShapeError("a gray picture of " + std::to_string(image.width) + "x" + std::to_string(image.height) +
                     " holds " + std::to_string(image.values.size()) + " values");
  write_png_mat(path, cv::Mat(image.height, image.width, CV_16UC1, const_cast<uint16_t*>(image.values.data())));
}

void write_video(const std::string& path, const std::vector<Image>& frames, double fps) {
  if (frames.empty()) throw WriteError("a video needs at least one frame", path);
  if (!(fps > 0)) throw WriteError("a video needs a rate over 0 frames a second", path);
  for (const Image& frame : frames)
    if (frame.width != frames[0].width || frame.height != frames[0].height)
      throw ShapeError("the frames of a video must have one size", path);
  Draft draft(path);
  if (const std::string reason = why_not_writable(draft.name()); !reason.empty())
    throw WriteError("cannot be written: " + reason, path, hint);
  if (!encode(draft.name(), "avc1", frames, fps) && !encode(draft.name(), "mp4v", frames, fps)) {
    std::error_code error;
    const auto room = fs::space(fs::absolute(path).parent_path(), error).available;
    throw WriteError("the video could not be encoded or came out incomplete", path,
                     "The disk has " + (error ? "an unknown amount of" : std::to_string(room >> 20) + " MiB of") +
                         " room; if that is enough, this build of OpenCV writes neither H.264 nor MPEG-4.");
  }
  draft.keep();
}

}  // namespace attnscope
