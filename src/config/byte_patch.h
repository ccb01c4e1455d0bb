#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace attnscope {

// One span of a text's bytes and what stands there afterwards.
struct BytePatch {
  std::size_t at = 0;  // in the text before any patch of the same list
  std::string removed, inserted;
  bool operator==(const BytePatch&) const = default;
};

// In order of place, not overlapping. Applying them and then what inverse() gives is no change.
using BytePatches = std::vector<BytePatch>;

// std::invalid_argument when the text does not hold what a patch removes.
std::string apply_patches(std::string_view bytes, const BytePatches& patches);
BytePatches inverse(const BytePatches& patches);

// The one patch that makes `after` of `before`, without what both begin and end with; none when they are equal. Never
// cuts a UTF-8 character.
BytePatches difference(std::string_view before, std::string_view after);

}  // namespace attnscope
