#include "attention/processor_rules.h"

#include <fnmatch.h>

#include <algorithm>

#include "attention/capture.h"
#include "base/error.h"

namespace attnscope {
namespace {

const std::string suffix = ".processor";

std::shared_ptr<nn::AttnProcessor> make_processor(const std::string& name, const std::string& pattern) {
  if (name == "default") return std::make_shared<nn::DefaultAttnProcessor>();
  if (name == "fused") return std::make_shared<nn::FusedAttnProcessor>();
  const std::string near = nearest_name(name, processor_names());
  throw ConfigError("no processor is named \"" + name + "\"", {.key = "attention.processors." + pattern},
                    near.empty() ? "Known: default, fused." : "Did you mean " + near + "?");
}

}  // namespace

bool matches_key(const std::string& pattern, const std::string& key) {
  if (fnmatch(pattern.c_str(), key.c_str(), 0) == 0) return true;
  return key.size() > suffix.size() && key.ends_with(suffix) &&
         fnmatch(pattern.c_str(), key.substr(0, key.size() - suffix.size()).c_str(), 0) == 0;
}

std::vector<std::string> matching_keys(const std::vector<std::string>& patterns, const std::vector<std::string>& keys,
                                       const std::string& config_key) {
  std::vector<bool> chosen(keys.size(), false);
  for (const std::string& pattern : patterns) {
    bool hit = false;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (!matches_key(pattern, keys[i])) continue;
      chosen[i] = hit = true;
    }
    if (!hit) {
      throw ConfigError("the pattern \"" + pattern + "\" matches no attention layer", {.key = config_key},
                        keys.empty() ? "" : "Keys look like " + keys.front() + ".");
    }
  }
  std::vector<std::string> result;
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (chosen[i]) result.push_back(keys[i]);
  return result;
}

const std::vector<std::string>& processor_names() {
  static const std::vector<std::string> names{"default", "fused"};
  return names;
}

void apply_processor_rules(nn::Module& root, const std::vector<std::pair<std::string, std::string>>& rules) {
  const auto layers = nn::attention_layers(root);
  std::vector<std::string> keys;
  for (const auto& [key, attention] : layers) keys.push_back(key);
  std::vector<std::shared_ptr<nn::AttnProcessor>> next(layers.size());
  for (const auto& [pattern, name] : rules) {
    const auto processor = make_processor(name, pattern);
    for (const std::string& key : matching_keys({pattern}, keys, "attention.processors"))
      next[static_cast<std::size_t>(std::find(keys.begin(), keys.end(), key) - keys.begin())] = processor;
  }
  for (std::size_t i = 0; i < layers.size(); ++i)
    if (next[i]) layers[i].second->processor.set(next[i]);
}

std::string processor_name(const nn::AttnProcessor& processor) {
  if (dynamic_cast<const nn::DefaultAttnProcessor*>(&processor)) return "default";
  if (dynamic_cast<const nn::FusedAttnProcessor*>(&processor)) return "fused";
  if (const auto* capture = dynamic_cast<const nn::CaptureAttnProcessor*>(&processor))
    return processor_name(*capture->inner());
  return std::string(processor.class_name());
}

}  // namespace attnscope
