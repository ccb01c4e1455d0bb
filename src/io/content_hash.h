#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace attnscope {

// A 64-bit fingerprint of bytes for telling contents apart (not for security); runs at memory speed. `seed` chains
// parts.
uint64_t content_hash(const void* data, std::size_t bytes, uint64_t seed = 0);

// 16 hexadecimal digits.
std::string hash_text(uint64_t hash);

}  // namespace attnscope
