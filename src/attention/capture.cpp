#include "attention/capture.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "models/unet_2d_condition.h"

namespace attnscope {

struct CrossCapture::Layer {
  std::string key;
  nn::Attention* attention = nullptr;
  std::shared_ptr<nn::AttnProcessor> previous;
  at::Tensor sum;              // [buckets, frames, heads or 1, Q, kept tokens] fp32, on the layer's device
  at::Tensor kept;             // int64 positions on the layer's device; undefined: all
  std::vector<int64_t> calls;  // a bucket
};

CrossCapture::CrossCapture(nn::Module& unet, CapturePlan plan) : unet_(unet), plan_(std::move(plan)) {
  if (plan_.step_buckets < 1)
    throw Error(std::to_string(plan_.step_buckets) + " step buckets", "attention.capture.step_buckets");
  if (plan_.step_buckets > 1 && !plan_.steps)
    throw Error("step buckets need the steps they divide", "attention.capture.steps");
  const auto all = nn::attention_layers(unet_);
  for (const std::string& key : plan_.layers) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& layer) { return layer.first == key; });
    if (found == all.end()) throw Error("no attention layer has this key", key);
    if (!found->second->is_cross_attention()) throw Error("only cross-attention (attn2) has maps of words", key);
    auto layer = std::make_unique<Layer>();
    layer->key = key;
    layer->attention = found->second;
    layer->calls.resize(plan_.step_buckets);
    layers_.push_back(std::move(layer));
  }
  // Nothing above may leave a layer changed, so the processors go in last.
  for (auto& layer : layers_) {
    layer->previous = layer->attention->processor.pointer();
    layer->attention->processor.set(std::make_shared<nn::CaptureAttnProcessor>(
        layer->previous, [this, target = layer.get()](const nn::Attention& attention, const at::Tensor& probabilities) {
          if (counting_) add(*target, attention, probabilities);
        }));
  }
}

CrossCapture::~CrossCapture() {
  for (auto& layer : layers_) layer->attention->processor.set(layer->previous);
}

void CrossCapture::begin_step(int step, bool counts) {
  counting_ = counts && (!plan_.steps || ((*plan_.steps)[0] <= step && step <= (*plan_.steps)[1]));
  if (!counting_) return;
  ++steps_;
  bucket_ = bucket_of(step);
}

int CrossCapture::bucket_of(int step) const {
  if (plan_.step_buckets == 1) return 0;
  const int first = (*plan_.steps)[0], count = (*plan_.steps)[1] - first + 1;
  return (step - first) * plan_.step_buckets / count;
}

void CrossCapture::add(Layer& layer, const nn::Attention& attention, const at::Tensor& probabilities) {
  const c10::NoGradGuard no_grad;
  const int64_t heads = attention.config().heads;
  const at::Tensor conditional = probabilities.detach().narrow(0, probabilities.size(0) - plan_.frames, plan_.frames);
  if (!layer.sum.defined()) {
    if (!plan_.tokens.empty())
      layer.kept = at::tensor(std::vector<int64_t>(plan_.tokens.begin(), plan_.tokens.end()), at::kLong)
                       .to(probabilities.device());
    const int64_t tokens = plan_.tokens.empty() ? probabilities.size(3) : static_cast<int64_t>(plan_.tokens.size());
    layer.sum = at::zeros({plan_.step_buckets, plan_.frames, plan_.heads ? heads : 1, probabilities.size(2), tokens},
                          probabilities.options().dtype(at::kFloat));
  }
  const at::Tensor sum = layer.sum.select(0, bucket_);
  // Head by head: a sum over the head axis would make a copy as large as the probabilities.
  for (int64_t head = 0; head < heads; ++head) {
    const at::Tensor rows = conditional.select(1, head);
    sum.select(1, plan_.heads ? head : 0).add_(layer.kept.defined() ? rows.index_select(2, layer.kept) : rows);
  }
  ++layer.calls[bucket_];
}

std::vector<int64_t> CrossCapture::calls() const {
  std::vector<int64_t> calls;
  for (const auto& layer : layers_)
    calls.push_back(std::accumulate(layer->calls.begin(), layer->calls.end(), int64_t{0}));
  return calls;
}

CrossMaps CrossCapture::maps() const {
  CrossMaps result;
  result.latent_height = plan_.latent_height;
  result.latent_width = plan_.latent_width;
  for (const auto& layer : layers_) {
    if (!layer->sum.defined()) continue;
    const double heads = static_cast<double>(layer->attention->config().heads);
    // [frames, heads, …] sums of `calls` calls to means [frames, heads or 1, tokens, h, w].
    const auto means = [&](const at::Tensor& sum, int64_t calls) {
      const auto grid = layer_grid(sum.size(2), plan_.latent_height, plan_.latent_width);
      at::Tensor out = (sum / std::max<int64_t>(calls, 1)).transpose(2, 3).contiguous().to(at::kCPU);
      out = out.view({out.size(0), out.size(1), out.size(2), grid[0], grid[1]});
      if (!layer->kept.defined()) return out;
      const at::Tensor all = at::zeros({out.size(0), out.size(1), plan_.token_count, grid[0], grid[1]}, out.options());
      return all.index_copy(2, layer->kept.to(at::kCPU), out);
    };
    LayerMaps maps{layer->key, {}, {}, {}};
    const int64_t calls = std::accumulate(layer->calls.begin(), layer->calls.end(), int64_t{0});
    const at::Tensor whole = means(plan_.step_buckets == 1 ? layer->sum[0] : layer->sum.sum(0), calls);
    maps.maps = whole.sum(1) / heads;
    if (plan_.heads) maps.heads = whole;
    if (plan_.step_buckets > 1) {
      std::vector<at::Tensor> buckets;
      for (int bucket = 0; bucket < plan_.step_buckets; ++bucket)
        buckets.push_back(means(layer->sum[bucket], layer->calls[bucket]).sum(1) / heads);
      maps.steps = at::stack(buckets);
    }
    result.layers.push_back(std::move(maps));
  }
  return result;
}

std::array<int, 2> layer_grid(int64_t queries, int latent_height, int latent_width) {
  for (int height = latent_height, width = latent_width;; height = (height + 1) / 2, width = (width + 1) / 2) {
    if (static_cast<int64_t>(height) * width == queries) return {height, width};
    if (height <= 1 && width <= 1) break;
  }
  throw ShapeError(std::to_string(queries) + " queries are no level of latents of " + std::to_string(latent_height) +
                       " x " + std::to_string(latent_width),
                   "capture");
}

int block_level(const std::string& key, int blocks) {
  const auto index_after = [&](const char* prefix) {
    return std::stoi(key.substr(std::char_traits<char>::length(prefix)));
  };
  if (key.rfind("down_blocks.", 0) == 0) return index_after("down_blocks.");
  if (key.rfind("up_blocks.", 0) == 0) return blocks - 1 - index_after("up_blocks.");
  return blocks - 1;
}

namespace {

int64_t heads_of(nn::Module& unet, const std::string& key) {
  for (const auto& [other, attention] : nn::attention_layers(unet))
    if (other == key) return attention->config().heads;
  throw Error("no attention layer has this key", key);
}

}  // namespace

int64_t capture_bytes(nn::Module& unet, const CapturePlan& plan) {
  const int blocks = static_cast<int>(dynamic_cast<UNet2DConditionModel&>(unet).config().block_out_channels.size());
  const int64_t tokens = plan.tokens.empty() ? plan.token_count : static_cast<int64_t>(plan.tokens.size());
  int64_t bytes = 0;
  for (const std::string& key : plan.layers) {
    const auto size = level_size(plan.latent_height, plan.latent_width, block_level(key, blocks));
    const int64_t heads = plan.heads ? heads_of(unet, key) : 1;
    bytes += plan.step_buckets * plan.frames * heads * tokens * size[0] * size[1] * static_cast<int64_t>(sizeof(float));
  }
  return bytes;
}

}  // namespace attnscope
