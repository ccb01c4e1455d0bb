#include "models/unet_config.h"

#include <algorithm>

#include "base/error.h"
#include "models/config_fields.h"
#include "nn/layers.h"

namespace attnscope {
namespace {

using Layers = std::vector<std::vector<int64_t>>;

void refuse_unsupported(const ConfigFields& fields) {
  // What each of these would switch on is not computed here, so it must not be ignored.
  for (const char* field : {"num_attention_heads", "encoder_hid_dim", "encoder_hid_dim_type", "class_embed_type",
                            "num_class_embeds", "time_cond_proj_dim", "timestep_post_act", "time_embedding_act_fn",
                            "time_embedding_dim", "cross_attention_norm", "mid_block_only_cross_attention"})
    fields.only(field, nullptr);
  for (const char* field :
       {"only_cross_attention", "dual_cross_attention", "resnet_skip_time_act", "class_embeddings_concat"})
    fields.only(field, false);
  fields.only("resnet_time_scale_shift", "default");
  fields.only("time_embedding_type", "positional");
  fields.only("attention_type", "default");
  fields.only("resnet_out_scale_factor", 1.0);
  fields.only("addition_embed_type", "text_time");
}

void check_block_types(const ConfigFields& fields, const char* field, const std::vector<std::string>& types,
                       std::initializer_list<const char*> known) {
  for (const std::string& type : types) {
    if (std::find(known.begin(), known.end(), type) != known.end()) continue;
    std::string names;
    for (const char* name : known) names += (names.empty() ? "" : ", ") + std::string(name);
    throw LoadError("block type " + type + " is not supported", fields.file(), field, "Supported: " + names + ".");
  }
}

// A depth for all, one a block, or one a layer of each block (`layers` long).
Layers depths(const ConfigFields& fields, const char* field, const std::vector<int64_t>& layers,
              const nlohmann::json& value) {
  Layers result;
  if (value.is_array() && value.size() != layers.size())
    fields.refuse(field,
                  std::to_string(value.size()) + " values given for " + std::to_string(layers.size()) + " blocks");
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const nlohmann::json& entry = value.is_array() ? value[i] : value;
    std::vector<int64_t> block;
    if (entry.is_null()) {
      block.assign(layers[i], 1);
    } else if (entry.is_number_integer()) {
      block.assign(layers[i], entry.get<int64_t>());
    } else if (entry.is_array() && static_cast<int64_t>(entry.size()) >= layers[i] &&
               std::all_of(entry.begin(), entry.end(), [](const auto& e) { return e.is_number_integer(); })) {
      block = entry.get<std::vector<int64_t>>();
    } else {
      fields.refuse(field, "block " + std::to_string(i) + " needs an integer or one a layer, not " + entry.dump());
    }
    result.push_back(std::move(block));
  }
  return result;
}

std::optional<std::array<int64_t, 2>> sample_size(const ConfigFields& fields) {
  if (!fields.has("sample_size")) return std::nullopt;
  const auto values = fields.per_block("sample_size", 0, 2);
  return std::array<int64_t, 2>{values[0], values[1]};
}

template <class T>
std::vector<T> reversed(std::vector<T> values) {
  std::reverse(values.begin(), values.end());
  return values;
}

void check_blocks(const UNetConfig& c, const ConfigFields& fields) {
  const std::size_t count = c.block_out_channels.size();
  if (count == 0) fields.refuse("block_out_channels", "at least one block is needed");
  if (c.down_block_types.size() != count || c.up_block_types.size() != count)
    fields.refuse("block_out_channels", std::to_string(count) + " blocks, but " +
                                            std::to_string(c.down_block_types.size()) + " down_block_types and " +
                                            std::to_string(c.up_block_types.size()) + " up_block_types");
  for (std::size_t i = 0; i < count; ++i) {
    const int64_t channels = c.block_out_channels[i];
    if (channels < 1 || channels % c.norm_num_groups != 0)
      fields.refuse("block_out_channels", std::to_string(channels) + " channels cannot be split into " +
                                              std::to_string(c.norm_num_groups) + " groups (norm_num_groups)");
    if (c.num_attention_heads[i] < 1 || channels % c.num_attention_heads[i] != 0)
      fields.refuse("attention_head_dim", std::to_string(channels) + " channels cannot be split into " +
                                              std::to_string(c.num_attention_heads[i]) + " heads");
    if (c.layers_per_block[i] < 1) fields.refuse("layers_per_block", "at least 1 is needed");
  }
}

}  // namespace

UNetConfig UNetConfig::from_json(const nlohmann::json& json, const std::string& file) {
  const ConfigFields fields(json, file);
  refuse_unsupported(fields);
  UNetConfig c;
  c.sample_size = attnscope::sample_size(fields);
  c.in_channels = fields.integer("in_channels", 4);
  c.out_channels = fields.integer("out_channels", 4);
  c.center_input_sample = fields.boolean("center_input_sample", false);
  c.flip_sin_to_cos = fields.boolean("flip_sin_to_cos", true);
  c.freq_shift = fields.number("freq_shift", 0);
  const std::string cross_down = "CrossAttnDownBlock2D", cross_up = "CrossAttnUpBlock2D";
  c.down_block_types = fields.texts("down_block_types", {cross_down, cross_down, cross_down, "DownBlock2D"});
  c.up_block_types = fields.texts("up_block_types", {"UpBlock2D", cross_up, cross_up, cross_up});
  check_block_types(fields, "down_block_types", c.down_block_types, {"CrossAttnDownBlock2D", "DownBlock2D"});
  check_block_types(fields, "up_block_types", c.up_block_types, {"CrossAttnUpBlock2D", "UpBlock2D"});
  // An absent mid_block_type means the default block, an explicit null means none.
  c.has_mid_block = !(json.contains("mid_block_type") && json["mid_block_type"].is_null());
  fields.only("mid_block_type", "UNetMidBlock2DCrossAttn");
  c.block_out_channels = fields.integers("block_out_channels", {320, 640, 1280, 1280});
  const std::size_t count = c.block_out_channels.size();
  c.layers_per_block = fields.per_block("layers_per_block", 2, count);
  c.downsample_padding = fields.integer("downsample_padding", 1);
  c.mid_block_scale_factor = fields.number("mid_block_scale_factor", 1);
  c.act_fn = fields.text("act_fn", "silu");
  c.norm_num_groups = fields.integer("norm_num_groups", 32);
  if (c.norm_num_groups < 1) fields.refuse("norm_num_groups", "at least 1 is needed");
  c.norm_eps = fields.number("norm_eps", 1e-5);
  c.cross_attention_dim = fields.per_block("cross_attention_dim", 1280, count);
  c.num_attention_heads = fields.per_block("attention_head_dim", 8, count);
  c.use_linear_projection = fields.boolean("use_linear_projection", false);
  c.upcast_attention = fields.boolean("upcast_attention", false);
  c.text_time = fields.has("addition_embed_type");
  c.addition_time_embed_dim = fields.integer("addition_time_embed_dim", 0);
  c.projection_class_embeddings_input_dim = fields.integer("projection_class_embeddings_input_dim", 0);
  if (c.text_time && (c.addition_time_embed_dim < 1 || c.projection_class_embeddings_input_dim < 1))
    fields.refuse("addition_embed_type",
                  "text_time needs addition_time_embed_dim and projection_class_embeddings_input_dim");
  c.conv_in_kernel = fields.integer("conv_in_kernel", 3);
  c.conv_out_kernel = fields.integer("conv_out_kernel", 3);
  check_blocks(c, fields);

  const nlohmann::json& layers = fields.raw("transformer_layers_per_block");
  c.transformer_layers = depths(fields, "transformer_layers_per_block", c.layers_per_block, layers);
  std::vector<int64_t> up_layers = reversed(c.layers_per_block);
  for (int64_t& layer : up_layers) ++layer;
  const bool nested =
      layers.is_array() && std::any_of(layers.begin(), layers.end(), [](const auto& e) { return e.is_array(); });
  const nlohmann::json& reverse = fields.raw("reverse_transformer_layers_per_block");
  if (nested && reverse.is_null())
    fields.refuse("reverse_transformer_layers_per_block", "needed when transformer_layers_per_block is given a layer");
  nlohmann::json mirrored = layers;
  if (mirrored.is_array()) std::reverse(mirrored.begin(), mirrored.end());
  c.up_transformer_layers =
      depths(fields, "reverse_transformer_layers_per_block", up_layers, reverse.is_null() ? mirrored : reverse);
  // diffusers hands the mid block the last entry whole and it takes the first layer's depth.
  c.mid_transformer_layers = c.transformer_layers.back().front();
  return c;
}

}  // namespace attnscope
