#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/log.h"

// What the fuzz targets share.
namespace attnscope::fuzz {

// Stops with a message that libFuzzer reports together with the input.
inline void require(bool holds, const char* what, std::string_view shown = {}) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n%.*s\n", what, static_cast<int>(shown.size()), shown.data());
  std::abort();
}

// Runs something that may fail with an Error, as any bad input may; false when it did. Nothing else may leave it.
template <class Call>
bool accepted(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    require(!error.message().empty(), "an error without a message");
    return false;
  }
  return true;
}

// Numbers that the first bytes of an input choose; 0 when they are used up.
class Choices {
 public:
  explicit Choices(std::string_view input) : rest_(input.substr(0, 32)) {}
  std::size_t below(std::size_t count) {
    if (rest_.empty() || count == 0) return 0;
    const auto byte = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    return byte % count;
  }

 private:
  std::string_view rest_;
};

inline std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    if (c == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += c;
    }
  }
  return lines;
}

inline std::string_view view_of(const uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// Warnings of resolvers would fill the terminal.
inline void silence_log() {
  set_log_sink([](LogLevel, const std::string&) {});
}

}  // namespace attnscope::fuzz
