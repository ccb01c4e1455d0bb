#include "models/clip_text_config.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "models/config_fields.h"

namespace attnscope {

ClipTextConfig ClipTextConfig::from_json(const nlohmann::json& json, const std::string& file) {
  const ConfigFields fields(json, file);
  fields.only("model_type", "clip_text_model");
  ClipTextConfig config;
  const auto positive = [&](const char* field, int64_t& value) {
    value = fields.integer(field, value);
    if (value < 1 || value > 1 << 24)
      fields.refuse(field, "a number from 1 to 16777216 is needed, not " + std::to_string(value));
  };
  positive("vocab_size", config.vocab_size);
  positive("hidden_size", config.hidden_size);
  positive("intermediate_size", config.intermediate_size);
  positive("projection_dim", config.projection_dim);
  positive("num_hidden_layers", config.num_hidden_layers);
  positive("num_attention_heads", config.num_attention_heads);
  positive("max_position_embeddings", config.max_position_embeddings);
  if (config.hidden_size % config.num_attention_heads != 0) {
    fields.refuse("num_attention_heads", "hidden_size " + std::to_string(config.hidden_size) +
                                             " is not a multiple of " + std::to_string(config.num_attention_heads) +
                                             " heads");
  }
  config.hidden_act = fields.text("hidden_act", config.hidden_act);
  static const std::array<const char*, 6> known{"quick_gelu", "gelu", "silu", "swish", "relu", "mish"};
  if (std::find(known.begin(), known.end(), config.hidden_act) == known.end()) {
    fields.refuse("hidden_act", "\"" + config.hidden_act +
                                    "\" is not supported; known are quick_gelu, gelu, silu, swish, relu, mish");
  }
  config.layer_norm_eps = fields.number("layer_norm_eps", config.layer_norm_eps);
  if (!(config.layer_norm_eps > 0)) fields.refuse("layer_norm_eps", "a number above 0 is needed");
  config.pad_token_id = fields.integer("pad_token_id", config.pad_token_id);
  config.bos_token_id = fields.integer("bos_token_id", config.bos_token_id);
  if (fields.raw("eos_token_id").is_array()) fields.refuse("eos_token_id", "a list is not supported, only one id");
  config.eos_token_id = fields.integer("eos_token_id", config.eos_token_id);
  return config;
}

}  // namespace attnscope
