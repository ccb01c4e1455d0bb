#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace attnscope {

// RGB of 256 levels, lowest first.
using ColorTable = std::array<std::array<uint8_t, 3>, 256>;

// "viridis", "inferno", "turbo".
const std::vector<std::string>& color_map_names();

// Throws Error for an unknown name (with the nearest known one).
const ColorTable& color_map(const std::string& name);

}  // namespace attnscope
