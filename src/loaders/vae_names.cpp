#include "loaders/vae_names.h"

#include <string_view>
#include <utility>

namespace attnscope {

std::string modern_vae_name(const std::string& key) {
  static constexpr std::pair<std::string_view, std::string_view> kRenamed[] = {
      {"query", "to_q"}, {"key", "to_k"}, {"value", "to_v"}, {"proj_attn", "to_out.0"}};
  // "decoder.mid_block.attentions.0.query.weight"
  const auto last = key.rfind('.');
  if (last == std::string::npos || key.find(".attentions.") == std::string::npos) return key;
  const auto start = key.rfind('.', last - 1) + 1;
  const std::string_view part = std::string_view(key).substr(start, last - start);
  for (const auto& [old_name, new_name] : kRenamed)
    if (part == old_name) return key.substr(0, start) + std::string(new_name) + key.substr(last);
  return key;
}

}  // namespace attnscope
