#include "models/clip_normalizer.h"

#include <utf8proc.h>

#include <algorithm>

#include "base/error.h"
#include "models/clip_unicode.h"

namespace attnscope {
namespace {

// Whether NFC can never join `c` to what stands before it, so that text may be cut in front of it.
bool starts_cluster(int32_t c) {
  if (c < 0x300 || is_nfc_inert(c)) return true;
  if ((c >= 0x1160 && c <= 0x11FF) || (c >= 0xD7B0 && c <= 0xD7FF)) return false;  // vowels and finals of Hangul
  const auto category = utf8proc_category(c);
  return category != UTF8PROC_CATEGORY_MN && category != UTF8PROC_CATEGORY_MC && category != UTF8PROC_CATEGORY_ME;
}

ByteRange joined(const ByteRange& a, const ByteRange& b) {
  return {std::min(a.first, b.first), std::max(a.second, b.second)};
}

void append_nfc(const std::string& prompt, const CodePoint* first, const CodePoint* last, std::vector<CodePoint>& out) {
  const ByteRange whole = joined(first->source, (last - 1)->source);
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(prompt.data()) + whole.first;
  const auto options = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE);
  std::vector<utf8proc_int32_t> buffer(static_cast<std::size_t>(last - first) * 4 + 1);
  utf8proc_ssize_t length = 0;
  for (;;) {
    length = utf8proc_decompose(bytes, whole.second - whole.first, buffer.data(),
                                static_cast<utf8proc_ssize_t>(buffer.size()), options);
    if (length < 0) throw Error(std::string("cannot normalize the prompt: ") + utf8proc_errmsg(length));
    if (length <= static_cast<utf8proc_ssize_t>(buffer.size())) break;
    buffer.resize(static_cast<std::size_t>(length));
  }
  length = utf8proc_normalize_utf32(buffer.data(), length, options);
  const bool same = length == last - first &&
                    std::equal(first, last, buffer.begin(), [](const CodePoint& a, int32_t b) { return a.value == b; });
  for (utf8proc_ssize_t i = 0; i < length; ++i) out.push_back({buffer[i], same ? first[i].source : whole});
}

std::vector<CodePoint> nfc(const std::string& prompt, const std::vector<CodePoint>& input) {
  std::vector<CodePoint> out;
  out.reserve(input.size());
  for (std::size_t i = 0; i < input.size();) {
    std::size_t end = i + 1;
    const bool inert = is_nfc_inert(input[i].value);
    while (!inert && end < input.size() && !starts_cluster(input[end].value)) ++end;
    if (inert || (end == i + 1 && input[i].value < 0x300))
      out.push_back(input[i]);
    else
      append_nfc(prompt, &input[i], &input[i] + (end - i), out);
    i = end;
  }
  return out;
}

void append(AlignedText& text, const CodePoint& point) {
  utf8proc_uint8_t bytes[4];
  const auto count = utf8proc_encode_char(point.value, bytes);
  text.text.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(count));
  text.source.insert(text.source.end(), static_cast<std::size_t>(count), point.source);
}

}  // namespace

bool is_white_space(int32_t c) {
  return (c >= 0x09 && c <= 0x0D) || c == 0x20 || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

std::vector<CodePoint> decode_utf8(const std::string& text, ByteRange range, const std::string& what) {
  std::vector<CodePoint> points;
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  for (int at = range.first; at < range.second;) {
    utf8proc_int32_t value = 0;
    const auto count = utf8proc_iterate(bytes + at, range.second - at, &value);
    if (count <= 0) {
      throw ConfigError(what + " is not valid UTF-8 at byte " + std::to_string(at), {},
                        "Save the text as UTF-8 and try again.");
    }
    points.push_back({value, {at, at + static_cast<int>(count)}});
    at += static_cast<int>(count);
  }
  return points;
}

AlignedText clip_normalize(const std::string& prompt, ByteRange range) {
  const std::vector<CodePoint> points = nfc(prompt, decode_utf8(prompt, range));
  AlignedText out;
  for (std::size_t i = 0; i < points.size(); ++i) {
    CodePoint point = points[i];
    if (is_white_space(point.value)) {
      while (i + 1 < points.size() && is_white_space(points[i + 1].value))
        point.source = joined(point.source, points[++i].source);
      point.value = ' ';
      append(out, point);
    } else if (point.value == 0x130) {
      append(out, {'i', point.source});
      append(out, {0x307, point.source});
    } else {
      append(out, {lower_case(point.value), point.source});
    }
  }
  return out;
}

}  // namespace attnscope
