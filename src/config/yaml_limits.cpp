#include "config/yaml_limits.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <unordered_map>

#include "config/python_text.h"

namespace attnscope {
namespace {

constexpr std::size_t kDefaultMostNodes = 10'000;
constexpr std::size_t kRatioFrom = 1'000;
constexpr std::size_t kMostRatio = 100;
constexpr const char* kVariable = "OMEGACONF_MAX_YAML_EXPANDED_NODES";

// The nodes below one, in order.
template <class Visit>
void for_each_child(const YamlNode& node, const Visit& visit) {
  for (const YamlUse& item : node.items) visit(*item.node);
  for (const auto& [key, value] : node.entries) {
    visit(*key.node);
    visit(*value.node);
  }
}

class Counter {
 public:
  explicit Counter(const YamlSource& source) : source_(source) {}

  // With aliases copied; stops soon after `limit`. Only a node with an anchor is met twice.
  std::size_t expanded(const YamlNode& node, std::size_t limit) {
    if (node.anchor.empty()) return count(node, limit);
    const auto [known, first] = counts_.try_emplace(&node, kOpen);
    if (!first && known->second == kOpen) {
      throw ConfigKindError("ConstructorError", "an alias stands inside its own anchor", source_.place(node.start));
    }
    if (first) {
      const std::size_t total = count(node, limit);
      counts_[&node] = total;
      return total;
    }
    return known->second;
  }

 private:
  static constexpr std::size_t kOpen = SIZE_MAX;  // while its own nodes are counted

  std::size_t count(const YamlNode& node, std::size_t limit) {
    std::size_t total = 1;
    for_each_child(node, [&](const YamlNode& child) { total = std::min(total + expanded(child, limit), limit + 1); });
    return total;
  }

  const YamlSource& source_;
  std::unordered_map<const YamlNode*, std::size_t> counts_;
};

}  // namespace

YamlLimits YamlLimits::reference() {
  const char* value = std::getenv(kVariable);
  if (!value) return {kDefaultMostNodes, true};
  std::string text = value;
  text.erase(0, std::min(text.find_first_not_of(" \t\n\r"), text.size()));
  text.erase(text.find_last_not_of(" \t\n\r") + 1);
  std::string lower = text;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  if (lower == "none") return {std::nullopt, false};
  std::size_t most = 0;
  if (const auto digits = python_int(text); digits && digits->front() != '-') {
    const auto result = std::from_chars(digits->data(), digits->data() + digits->size(), most);
    if (result.ec == std::errc::result_out_of_range) return {std::nullopt, true};
  }
  if (most == 0) {
    throw ConfigKindError("ValueError", std::string("Invalid value for ") + kVariable + ": " + python_quoted(text) +
                                            ". Set it to a positive integer or 'none'.");
  }
  return {most, true};
}

void check_yaml_limits(const YamlSource& source, const YamlDocument& document, const YamlLimits& limits) {
  if (!document.root()) return;
  const ConfigPlace place = source.place(document.root()->start);
  const std::size_t most = limits.most_nodes.value_or(SIZE_MAX / 4);
  const std::size_t written = document.size();
  const std::size_t expanded = document.has_aliases() ? Counter(source).expanded(*document.root(), most) : written;
  if (expanded > most) {
    throw ConfigKindError(
        "ConstructorError",
        "the file holds, or its aliases expand to, too many values (more than " + std::to_string(most) + ")", place,
        std::string("OmegaConf reads such a file when ") + kVariable + " is set to a larger number.");
  }
  if (limits.limits_ratio && expanded > kRatioFrom && expanded > written * kMostRatio) {
    throw ConfigKindError("ConstructorError",
                          "the aliases expand " + std::to_string(written) + " values to too many values (" +
                              std::to_string(expanded) + ")",
                          place);
  }
}

}  // namespace attnscope
