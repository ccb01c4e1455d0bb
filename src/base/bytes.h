#pragma once
#include <cstdint>
#include <string>

namespace attnscope {

// "1.5 MiB"; below 1024 "12 bytes".
std::string readable_bytes(int64_t bytes);

}  // namespace attnscope
