#include "models/clip_text_model.h"

#include <ATen/ATen.h>

#include <limits>

#include "base/error.h"

namespace attnscope {
namespace {

// First place in each row of `hits` [B, S]; 0 in a row without one.
at::Tensor first_hit(const at::Tensor& hits) {
  const at::Tensor before = hits.cumsum(-1).eq(0).sum(-1);
  return at::where(before.eq(hits.size(-1)), at::zeros_like(before), before);
}

// Additive [B, 1, S, S]: no position sees a later one or one whose mask is 0.
at::Tensor causal_mask(const at::Tensor& attention_mask, int64_t length, const at::Tensor& like) {
  const at::Tensor causal = at::ones({length, length}, like.options().dtype(at::kBool)).tril();
  const at::Tensor seen = causal.logical_and(attention_mask.to(like.device()).ne(0).unsqueeze(1).unsqueeze(1));
  const double lowest = like.scalar_type() == at::kHalf ? -65504.0 : -std::numeric_limits<float>::max() * 0.99;
  return at::zeros(seen.sizes(), like.options()).masked_fill_(seen.logical_not(), lowest);
}

void check_inputs(const at::Tensor& input_ids, const at::Tensor& attention_mask) {
  if (input_ids.dim() != 2 || input_ids.size(1) < 1 || input_ids.numel() == 0)
    throw ShapeError("[batch, tokens] is needed, not " + c10::str(input_ids.sizes()), "input_ids");
  if (!at::isIntegralType(input_ids.scalar_type(), false))
    throw ShapeError("whole numbers are needed, not " + c10::str(input_ids.scalar_type()), "input_ids");
  if (attention_mask.defined() && attention_mask.sizes() != input_ids.sizes()) {
    throw ShapeError(
        "shape " + c10::str(attention_mask.sizes()) + " does not fit input_ids " + c10::str(input_ids.sizes()),
        "attention_mask");
  }
}

}  // namespace

void append(nn::Values& values, const ClipTextOutput& output) {
  values.insert(values.end(), {output.last_hidden_state, output.pooler_output, output.text_embeds});
  nn::append(values, output.hidden_states);
}

void take(ClipTextOutput& output, const at::Tensor*& next) {
  output.last_hidden_state = *next++;
  output.pooler_output = *next++;
  output.text_embeds = *next++;
  nn::take(output.hidden_states, next);
}

CLIPTextModel::CLIPTextModel(const ClipTextConfig& config)
    : CLIPTextEncoder(config),
      embeddings(*this, "embeddings", std::make_shared<CLIPTextEmbeddings>(config)),
      encoder(*this, "encoder", std::make_shared<CLIPEncoder>(config)),
      final_layer_norm(*this, "final_layer_norm",
                       std::make_shared<nn::LayerNorm>(config.hidden_size, config.layer_norm_eps)) {}

ClipTextOutput CLIPTextModel::forward(const at::Tensor& input_ids, const at::Tensor& attention_mask) {
  check_inputs(input_ids, attention_mask);
  ClipTextOutput output;
  const at::Tensor hidden = embeddings(input_ids);
  at::Tensor mask;
  if (attention_mask.defined()) mask = causal_mask(attention_mask, input_ids.size(1), hidden);
  output.hidden_states = encoder(hidden, mask);
  output.last_hidden_state = final_layer_norm(output.hidden_states.back());
  const at::Tensor ends = config().eos_token_id == 2 ? input_ids.eq(input_ids.amax(-1, /*keepdim=*/true))
                                                     : input_ids.eq(config().eos_token_id);
  const at::Tensor place = first_hit(ends).to(hidden.device());
  output.pooler_output = output.last_hidden_state.index({at::arange(place.size(0), place.options()), place});
  return output;
}

CLIPTextModelWithProjection::CLIPTextModelWithProjection(const ClipTextConfig& config)
    : CLIPTextEncoder(config),
      text_model(*this, "text_model", std::make_shared<CLIPTextModel>(config)),
      text_projection(*this, "text_projection",
                      std::make_shared<nn::Linear>(config.hidden_size, config.projection_dim, /*bias=*/false)) {}

ClipTextOutput CLIPTextModelWithProjection::forward(const at::Tensor& input_ids, const at::Tensor& attention_mask) {
  ClipTextOutput output = text_model(input_ids, attention_mask);
  output.text_embeds = text_projection(output.pooler_output);
  return output;
}

std::shared_ptr<CLIPTextEncoder> make_clip_text_encoder(const std::string& class_name, const ClipTextConfig& config,
                                                        const std::string& file) {
  if (class_name == "CLIPTextModel") return std::make_shared<CLIPTextModel>(config);
  if (class_name == "CLIPTextModelWithProjection") return std::make_shared<CLIPTextModelWithProjection>(config);
  throw LoadError("the text encoder class \"" + class_name + "\" is not supported", file, {},
                  "Supported: CLIPTextModel, CLIPTextModelWithProjection.");
}

std::string clip_text_parameter_name(std::string_view file_name, bool with_projection) {
  constexpr std::string_view prefix = "text_model.";
  std::string_view name = file_name;
  if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  if (name == "embeddings.position_ids") return {};
  const bool below =
      name.starts_with("embeddings.") || name.starts_with("encoder.") || name.starts_with("final_layer_norm.");
  if (!below) return std::string(file_name);
  return with_projection ? std::string(prefix) + std::string(name) : std::string(name);
}

}  // namespace attnscope
