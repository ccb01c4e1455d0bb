#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "models/clip_text_config.h"
#include "models/clip_text_layers.h"

namespace attnscope {

struct ClipTextOutput {
  at::Tensor last_hidden_state;           // [B, S, hidden_size], after the final norm
  at::Tensor pooler_output;               // [B, hidden_size], last_hidden_state at the prompt's end
  at::Tensor text_embeds;                 // [B, projection_dim]; undefined without a projection
  std::vector<at::Tensor> hidden_states;  // 0 is the embeddings, i the output of layer i, before the final norm
};

// How hooks see an output: its tensors in the order above.
void append(nn::Values& values, const ClipTextOutput& output);
void take(ClipTextOutput& output, const at::Tensor*& next);

// What the two classes share. Call with input_ids [B, S], integer, and attention_mask: undefined, or [B, S] with 0
// where padding is not to be seen. Attention is causal either way.
class CLIPTextEncoder : public nn::Callable<ClipTextOutput(const at::Tensor&, const at::Tensor&)> {
 public:
  static constexpr const char* kInterface = "a CLIP text encoder";
  explicit CLIPTextEncoder(ClipTextConfig config) : config_(std::move(config)) {}
  const ClipTextConfig& config() const { return config_; }

 private:
  ClipTextConfig config_;
};

// transformers 5.24's CLIPTextModel: `embeddings`, `encoder` and `final_layer_norm` stand at the top.
class CLIPTextModel final : public CLIPTextEncoder {
 public:
  explicit CLIPTextModel(const ClipTextConfig& config);
  std::string_view class_name() const override { return "CLIPTextModel"; }
  nn::Slot<nn::UnaryModule> embeddings;
  nn::Slot<CLIPEncoder> encoder;
  nn::Slot<nn::UnaryModule> final_layer_norm;

 protected:
  ClipTextOutput forward(const at::Tensor& input_ids, const at::Tensor& attention_mask) override;
};

// CLIPTextModel below `text_model`, and a projection of its pooled output without bias.
class CLIPTextModelWithProjection final : public CLIPTextEncoder {
 public:
  explicit CLIPTextModelWithProjection(const ClipTextConfig& config);
  std::string_view class_name() const override { return "CLIPTextModelWithProjection"; }
  nn::Slot<CLIPTextEncoder> text_model;
  nn::Slot<nn::UnaryModule> text_projection;

 protected:
  ClipTextOutput forward(const at::Tensor& input_ids, const at::Tensor& attention_mask) override;
};

// By the class's name, as model_index.json and config.json's `architectures` give it. Throws LoadError (naming `file`)
// for any other.
std::shared_ptr<CLIPTextEncoder> make_clip_text_encoder(const std::string& class_name, const ClipTextConfig& config,
                                                        const std::string& file);

// The parameter a file's tensor belongs to: files written before transformers 5 have `text_model.` in front of every
// name of a CLIPTextModel, its own classes have not. "" for the position_ids buffer of old files, which counts for
// nothing.
std::string clip_text_parameter_name(std::string_view file_name, bool with_projection);

}  // namespace attnscope
