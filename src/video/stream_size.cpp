#include "video/stream_size.h"

#include <sys/mman.h>
#include <unistd.h>

#include <opencv2/core.hpp>
#include <opencv2/videoio.hpp>

#include "base/cancel.h"

namespace attnscope {
namespace {

using Packet = cv::Mat;  // one row of bytes

bool starts_with(const Packet& packet, std::size_t offset, std::initializer_list<int> bytes) {
  if (packet.total() < offset + bytes.size()) return false;
  const uint8_t* at = packet.data + offset;
  for (int byte : bytes)
    if (*at++ != byte) return false;
  return true;
}

int bits(const Packet& packet, std::size_t first, int count) {
  int value = 0;
  for (std::size_t bit = first; bit < first + count; ++bit)
    value = value << 1 | (packet.data[bit / 8] >> (7 - bit % 8) & 1);
  return value;
}

// A key frame of these codecs is a playable file of its own.
std::optional<cv::Size> size_when_played(const Packet& packet) {
  const int file = ::memfd_create("key-frame", MFD_CLOEXEC);
  if (file < 0) return std::nullopt;
  std::optional<cv::Size> size;
  if (::write(file, packet.data, packet.total()) == static_cast<ssize_t>(packet.total())) {
    cv::VideoCapture capture("/proc/self/fd/" + std::to_string(file), cv::CAP_FFMPEG);
    cv::Mat frame;
    if (capture.isOpened() && capture.read(frame)) size = frame.size();
  }
  ::close(file);
  return size;
}

std::optional<cv::Size> announced_size(const Packet& packet) {
  // VP8, RFC 6386 section 9.1: a start code, then twice 14 bits with 2 bits of scale, little-endian.
  if (starts_with(packet, 3, {0x9d, 0x01, 0x2a}) && packet.total() >= 10) {
    const uint8_t* at = packet.data;
    return cv::Size((at[6] | at[7] << 8) & 0x3fff, (at[8] | at[9] << 8) & 0x3fff);
  }
  // VP9 bitstream specification 6.2, profiles 0 and 2: sync code, bit depth (profile 2), colour, width - 1, height - 1.
  if (starts_with(packet, 1, {0x49, 0x83, 0x42}) && packet.data[0] >> 6 == 2 && packet.total() >= 10) {
    const int profile = bits(packet, 2, 1) + 2 * bits(packet, 3, 1);
    const std::size_t color = 32 + (profile == 2 ? 1 : 0);
    if (profile % 2 == 1 || bits(packet, color, 3) == 7) return std::nullopt;
    return cv::Size(bits(packet, color + 4, 16) + 1, bits(packet, color + 20, 16) + 1);
  }
  // 00 00 01 B6 is MPEG-4 without its header, which then is in the container and cannot change.
  const bool headed =
      (starts_with(packet, 0, {0, 0, 1}) && !starts_with(packet, 3, {0xb6})) || starts_with(packet, 0, {0, 0, 0, 1});
  if (headed || starts_with(packet, 0, {0xff, 0xd8})) return size_when_played(packet);
  return std::nullopt;
}

}  // namespace

std::optional<SizeChange> find_size_change(const std::string& path, int frames) {
  cv::VideoCapture capture(path, cv::CAP_FFMPEG);
  if (!capture.isOpened() || !capture.set(cv::CAP_PROP_FORMAT, -1)) return std::nullopt;  // -1: packets, not decoded
  std::optional<cv::Size> first;
  Packet packet;
  for (int frame = 0; frame < frames && capture.read(packet); ++frame) {
    throw_if_cancelled();
    if (capture.get(cv::CAP_PROP_LRF_HAS_KEY_FRAME) != 1) continue;
    const auto size = announced_size(packet);
    if (!size) continue;
    if (!first) first = size;
    if (*size != *first) return SizeChange{frame, first->width, first->height, size->width, size->height};
  }
  return std::nullopt;
}

}  // namespace attnscope
