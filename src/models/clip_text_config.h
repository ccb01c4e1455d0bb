#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace attnscope {

// config.json of a CLIP text encoder, transformers' field names and defaults.
struct ClipTextConfig {
  int64_t vocab_size = 49408;
  int64_t hidden_size = 512;
  int64_t intermediate_size = 2048;
  int64_t projection_dim = 512;  // of CLIPTextModelWithProjection
  int64_t num_hidden_layers = 12;
  int64_t num_attention_heads = 8;
  int64_t max_position_embeddings = 77;
  std::string hidden_act = "quick_gelu";  // gelu, quick_gelu, silu, swish, relu or mish
  double layer_norm_eps = 1e-5;
  int64_t pad_token_id = 1;
  int64_t bos_token_id = 49406;
  int64_t eos_token_id = 49407;  // 2 in old files: the largest id of a prompt is its end

  // Fields of training (dropout, initializer) and unknown ones do not count. Throws LoadError naming file and field for
  // a value out of range or not supported.
  static ClipTextConfig from_json(const nlohmann::json& json, const std::string& file);
};

}  // namespace attnscope
