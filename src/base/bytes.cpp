#include "base/bytes.h"

#include <cstdio>

namespace attnscope {

std::string readable_bytes(int64_t bytes) {
  const char* const units[] = {"bytes", "KiB", "MiB", "GiB"};
  double value = static_cast<double>(bytes);
  int unit = 0;
  for (; value >= 1024 && unit < 3; ++unit) value /= 1024;
  char text[48];
  std::snprintf(text, sizeof(text), unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
  return text;
}

}  // namespace attnscope
