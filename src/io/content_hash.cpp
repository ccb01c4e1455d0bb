#include "io/content_hash.h"

#include <cstdio>
#include <cstring>

namespace attnscope {
namespace {

constexpr uint64_t odd1 = 0x9E3779B97F4A7C15, odd2 = 0xD6E8FEB86659FD93;

uint64_t mix(uint64_t a, uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

uint64_t word(const unsigned char* data) {
  uint64_t value;
  std::memcpy(&value, data, sizeof(value));
  return value;
}

}  // namespace

uint64_t content_hash(const void* data, std::size_t bytes, uint64_t seed) {
  const auto* at = static_cast<const unsigned char*>(data);
  // Two lanes, so that one multiplication need not wait for the other.
  uint64_t a = seed ^ odd1, b = seed ^ odd2;
  std::size_t left = bytes;
  for (; left >= 16; left -= 16, at += 16) {
    a = mix(a ^ word(at), odd1);
    b = mix(b ^ word(at + 8), odd2);
  }
  unsigned char tail[16] = {};
  std::memcpy(tail, at, left);
  a = mix(a ^ word(tail), odd2);
  b = mix(b ^ word(tail + 8) ^ bytes, odd1);
  return mix(a ^ odd2, b ^ odd1);
}

std::string hash_text(uint64_t hash) {
  char text[17];
  std::snprintf(text, sizeof(text), "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

}  // namespace attnscope
