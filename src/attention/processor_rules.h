#pragma once
#include <string>
#include <utility>
#include <vector>

#include "nn/attention.h"

namespace attnscope {

// Shell pattern on a processor key, with or without its ".processor" end: * any text (dots too), ? one character, [..].
bool matches_key(const std::string& pattern, const std::string& key);

// Keys of `keys` that any of the patterns matches, in order. Throws ConfigError naming `config_key` for a pattern that
// matches none.
std::vector<std::string> matching_keys(const std::vector<std::string>& patterns, const std::vector<std::string>& keys,
                                       const std::string& config_key);

// The processors a config may name: "default" (explicit probabilities) and "fused".
const std::vector<std::string>& processor_names();

// Sets the processors of `root` by rules PATTERN -> name, in order, later ones winning. All rules are checked before
// anything changes. Throws ConfigError for an unknown name or a pattern that matches no layer.
void apply_processor_rules(nn::Module& root, const std::vector<std::pair<std::string, std::string>>& rules);

// The name a config uses for a processor; its class name when a config cannot name it.
std::string processor_name(const nn::AttnProcessor& processor);

}  // namespace attnscope
