#include "config/yaml_source.h"

#include <algorithm>
#include <cstdint>

namespace attnscope {
namespace {

constexpr std::size_t kStep = 16;  // characters between two known offsets

}  // namespace

void append_utf8(std::string& text, char32_t c) {
  const auto tail = [&](int shift) { text += static_cast<char>(0x80 | ((c >> shift) & 0x3F)); };
  if (c < 0x80) {
    text += static_cast<char>(c);
  } else if (c < 0x800) {
    text += static_cast<char>(0xC0 | (c >> 6));
    tail(0);
  } else if (c < 0x10000) {
    text += static_cast<char>(0xE0 | (c >> 12));
    tail(6);
    tail(0);
  } else {
    text += static_cast<char>(0xF0 | (c >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

YamlSource::YamlSource(std::string_view bytes, std::string file) : bytes_(bytes), file_(std::move(file)) {
  if (bytes.starts_with("\xEF\xBB\xBF")) start_ = 3;
  if (bytes.size() > UINT32_MAX) throw ConfigKindError("ReaderError", "is larger than 4 GB", {file_});
  const auto is_plain = [](char c) { return (c >= 0x20 && c < 0x7F) || c == '\n'; };
  bool ascii = true;
  for (std::size_t i = start_; i < bytes.size();) {
    if (ascii && is_plain(bytes[i])) {
      ++i;
      continue;
    }
    const Character character = is_plain(bytes[i]) ? Character{U' ', 1} : decode(i);
    if (character.length == 0) {
      throw ConfigKindError("ReaderError", "is not UTF-8 text", place_of_byte(i), "Save the file as UTF-8.");
    }
    check_character(character.code, i);
    if (ascii && character.length > 1) {
      ascii = false;
      size_ = i - start_;
      for (std::size_t k = 0; k < size_; k += kStep) offsets_.push_back(static_cast<uint32_t>(start_ + k));
    }
    if (!ascii && size_++ % kStep == 0) offsets_.push_back(static_cast<uint32_t>(i));
    i += character.length;
  }
  if (ascii) size_ = bytes.size() - start_;
}

YamlSource::Character YamlSource::decode(std::size_t offset) const {
  const auto lead = static_cast<unsigned char>(bytes_[offset]);
  const std::size_t length = lead < 0x80                   ? 1
                             : lead >= 0xC2 && lead < 0xE0 ? 2
                             : lead >= 0xE0 && lead < 0xF0 ? 3
                             : lead >= 0xF0 && lead < 0xF5 ? 4
                                                           : 0;
  if (length == 0 || offset + length > bytes_.size()) return {};
  char32_t code = length == 1 ? lead : lead & (0xFFu >> (length + 1));
  for (std::size_t k = 1; k < length; ++k) {
    const auto next = static_cast<unsigned char>(bytes_[offset + k]);
    if ((next & 0xC0) != 0x80) return {};
    code = code << 6 | (next & 0x3F);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  if (overlong || (code >= 0xD800 && code < 0xE000) || code > 0x10FFFF) return {};
  return {code, length};
}

void YamlSource::check_character(char32_t c, std::size_t offset) const {
  if (c == 0x09 || c == 0x0A || c == 0x0D || (c >= 0x20 && c <= 0x7E) || c == 0x85 || (c >= 0xA0 && c <= 0xFFFD) ||
      c >= 0x10000) {
    return;
  }
  if (c == 0) {
    throw ConfigKindError("ReaderError", "is not a text file (it holds a zero byte)", place_of_byte(offset));
  }
  throw ConfigKindError("ReaderError", "holds a control character", place_of_byte(offset), "Remove the character.");
}

ConfigPlace YamlSource::place_of_byte(std::size_t offset) const {
  const std::string_view before = bytes_.substr(start_, offset - start_);
  const auto line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  const auto columns = std::count_if(before.begin() + static_cast<std::ptrdiff_t>(line_start), before.end(),
                                     [](char c) { return (c & 0xC0) != 0x80; });
  return {
      file_, 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n')), 1 + static_cast<int>(columns), {}};
}

std::size_t YamlSource::byte_offset(std::size_t index) const {
  if (index >= size_) return bytes_.size();
  if (offsets_.empty()) return start_ + index;
  std::size_t offset = offsets_[index / kStep];
  for (std::size_t k = index % kStep; k > 0; --k) {
    const auto lead = static_cast<unsigned char>(bytes_[offset]);
    offset += lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  }
  return offset;
}

std::string YamlSource::text(std::size_t begin, std::size_t end) const {
  const std::size_t first = byte_offset(begin);
  return std::string(bytes_.substr(first, byte_offset(end) - first));
}

}  // namespace attnscope
