#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace attnscope {

// config.json of a UNet2DConditionModel, diffusers' field names. Lists have an entry a block, from the outside in
// (transformer_layers: an entry a layer).
struct UNetConfig {
  std::optional<std::array<int64_t, 2>> sample_size;  // latent height, width the model was trained for
  int64_t in_channels = 4;
  int64_t out_channels = 4;
  bool center_input_sample = false;
  bool flip_sin_to_cos = true;
  double freq_shift = 0;
  std::vector<std::string> down_block_types;
  bool has_mid_block = true;
  std::vector<std::string> up_block_types;
  std::vector<int64_t> block_out_channels;
  std::vector<int64_t> layers_per_block;
  int64_t downsample_padding = 1;
  double mid_block_scale_factor = 1;
  std::string act_fn = "silu";
  int64_t norm_num_groups = 32;
  double norm_eps = 1e-5;
  std::vector<int64_t> cross_attention_dim;
  std::vector<int64_t> num_attention_heads;  // the file's attention_head_dim, which means the number of heads
  std::vector<std::vector<int64_t>> transformer_layers;     // of the down blocks' layers; last entry of the last: mid
  std::vector<std::vector<int64_t>> up_transformer_layers;  // of the up blocks' layers, in up order
  int64_t mid_transformer_layers = 1;
  bool use_linear_projection = false;
  bool upcast_attention = false;
  bool text_time = false;  // addition_embed_type
  int64_t addition_time_embed_dim = 0;
  int64_t projection_class_embeddings_input_dim = 0;
  int64_t conv_in_kernel = 3;
  int64_t conv_out_kernel = 3;

  // Throws LoadError naming file and field for unsupported or contradictory values.
  static UNetConfig from_json(const nlohmann::json& json, const std::string& file);
};

}  // namespace attnscope
