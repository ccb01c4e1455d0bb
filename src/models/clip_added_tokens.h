#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "models/clip_tokenizer_files.h"

namespace attnscope {

// The parsed files of a tokenizer folder that speak of tokens; an empty object where there is no file.
struct TokenSources {
  std::string folder;
  const nlohmann::json& config;          // tokenizer_config.json
  const nlohmann::json& special_map;     // special_tokens_map.json
  const nlohmann::json& added;           // added_tokens.json
  const nlohmann::json& tokenizer_json;  // tokenizer.json, null when there is none
};

// Fills added_tokens and the four named tokens by the rules of transformers 5.24: `added_tokens_decoder` of the config
// stands alone; without it the other files are laid over the config, and a named token given as a plain string
// registers anew without `normalized`. Throws LoadError naming file and key.
void set_added_tokens(ClipTokenizerFiles& files, const TokenSources& sources);

}  // namespace attnscope
