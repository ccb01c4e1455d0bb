#include "config/byte_patch.h"

#include <algorithm>
#include <stdexcept>

namespace attnscope {
namespace {

bool continues_character(std::string_view text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
}

}  // namespace

std::string apply_patches(std::string_view bytes, const BytePatches& patches) {
  std::string out;
  std::size_t at = 0;
  for (const BytePatch& patch : patches) {
    if (patch.at < at || patch.at > bytes.size() || bytes.substr(patch.at, patch.removed.size()) != patch.removed)
      throw std::invalid_argument("a patch of another text");
    out.append(bytes, at, patch.at - at);
    out += patch.inserted;
    at = patch.at + patch.removed.size();
  }
  out.append(bytes, at);
  return out;
}

BytePatches inverse(const BytePatches& patches) {
  BytePatches out;
  std::ptrdiff_t shift = 0;
  for (const BytePatch& patch : patches) {
    out.push_back(
        {static_cast<std::size_t>(static_cast<std::ptrdiff_t>(patch.at) + shift), patch.inserted, patch.removed});
    shift += static_cast<std::ptrdiff_t>(patch.inserted.size()) - static_cast<std::ptrdiff_t>(patch.removed.size());
  }
  return out;
}

BytePatches difference(std::string_view before, std::string_view after) {
  if (before == after) return {};
  const std::size_t shorter = std::min(before.size(), after.size());
  std::size_t head = 0, tail = 0;
  while (head < shorter && before[head] == after[head]) ++head;
  while (continues_character(before, head) || continues_character(after, head)) --head;
  while (tail < shorter - head && before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) ++tail;
  while (tail > 0 &&
         (continues_character(before, before.size() - tail) || continues_character(after, after.size() - tail)))
    --tail;
  return {{head, std::string(before.substr(head, before.size() - tail - head)),
           std::string(after.substr(head, after.size() - tail - head))}};
}

}  // namespace attnscope
