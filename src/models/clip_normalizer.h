#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace attnscope {

// First and one past the last byte of a piece of the prompt.
using ByteRange = std::pair<int, int>;

// Text with, for each of its bytes, the part of the original prompt it came from.
struct AlignedText {
  std::string text;
  std::vector<ByteRange> source;
};

// What CLIPTokenizer does to text before splitting it: NFC, every run of white space to one space, lower case. Lower
// case is Unicode's full mapping character by character, as Rust does it: no final sigma, and U+0130 gives two
// characters. Normalizes `prompt`'s bytes `range` (valid UTF-8); source ranges count from the start of `prompt`. A
// character that NFC changed gets the range of its whole cluster (letter and combining marks).
AlignedText clip_normalize(const std::string& prompt, ByteRange range);

// Unicode's White_Space property.
bool is_white_space(int32_t code_point);

struct CodePoint {
  int32_t value;
  ByteRange source;
};

// Throws ConfigError, naming `what` and the byte, for text that is not UTF-8.
std::vector<CodePoint> decode_utf8(const std::string& text, ByteRange range, const std::string& what = "the prompt");

}  // namespace attnscope
