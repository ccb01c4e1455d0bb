#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "config/errors.h"

namespace attnscope {

// A place in a YAML text, all from 0: the character, its line, and its column in characters.
struct YamlMark {
  uint32_t index = 0;
  int line = 0;
  int column = 0;
};

// A YAML text as characters, without a byte order mark at its start; the bytes must outlive it. ConfigKindError
// "ReaderError" when they are not UTF-8, hold a control character or are more than 4 GB.
class YamlSource {
 public:
  YamlSource(std::string_view bytes, std::string file);

  // 0 behind the end.
  char32_t at(std::size_t index) const {
    if (index >= size_) return U'\0';
    const auto byte = static_cast<unsigned char>(bytes_[byte_offset(index)]);
    return byte < 0x80 ? byte : decode(byte_offset(index)).code;
  }
  std::size_t size() const { return size_; }
  // Where a character begins in the bytes that were given, a byte order mark included.
  std::size_t byte_offset(std::size_t index) const;
  std::string text(std::size_t begin, std::size_t end) const;
  // All of it, without the byte order mark.
  std::string_view bytes() const { return bytes_.substr(start_); }

  const std::string& file() const { return file_; }
  ConfigPlace place(const YamlMark& mark, std::string key = {}) const {
    return {file_, mark.line + 1, mark.column + 1, std::move(key)};
  }

 private:
  struct Character {
    char32_t code = 0;
    std::size_t length = 0;  // in bytes; 0 when it is not UTF-8
  };

  Character decode(std::size_t offset) const;
  void check_character(char32_t character, std::size_t offset) const;
  ConfigPlace place_of_byte(std::size_t offset) const;

  std::string_view bytes_;
  std::string file_;
  std::vector<uint32_t> offsets_;  // in bytes, of every 16th character; empty when every character is one byte
  std::size_t start_ = 0;
  std::size_t size_ = 0;
};

void append_utf8(std::string& text, char32_t character);

}  // namespace attnscope
