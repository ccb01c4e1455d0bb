#include "nn/resnet.h"

#include <ATen/ATen.h>

#include "base/cancel.h"

namespace attnscope::nn {

ResnetBlock2D::ResnetBlock2D(const ResnetConfig& c)
    : norm1(*this, "norm1", std::make_shared<GroupNorm>(c.groups, c.in_channels, c.eps)),
      conv1(*this, "conv1", std::make_shared<Conv2d>(c.in_channels, c.out_channels, 3, 1, 1)),
      time_emb_proj(*this, "time_emb_proj"),
      norm2(*this, "norm2", std::make_shared<GroupNorm>(c.groups, c.out_channels, c.eps)),
      dropout(*this, "dropout", std::make_shared<Dropout>()),
      conv2(*this, "conv2", std::make_shared<Conv2d>(c.out_channels, c.out_channels, 3, 1, 1)),
      nonlinearity(*this, "nonlinearity", std::make_shared<Activation>(c.act_fn)),
      conv_shortcut(*this, "conv_shortcut"),
      output_scale_factor_(c.output_scale_factor) {
  if (c.temb_channels > 0) time_emb_proj.set(std::make_shared<Linear>(c.temb_channels, c.out_channels));
  if (c.in_channels != c.out_channels) conv_shortcut.set(std::make_shared<Conv2d>(c.in_channels, c.out_channels, 1));
}

at::Tensor ResnetBlock2D::forward(const at::Tensor& input, const at::Tensor& temb) {
  throw_if_cancelled();
  at::Tensor hidden = conv1(nonlinearity(norm1(input)));
  if (time_emb_proj) hidden = hidden + time_emb_proj(nonlinearity(temb)).unsqueeze(-1).unsqueeze(-1);
  hidden = conv2(dropout(nonlinearity(norm2(hidden))));
  hidden = (conv_shortcut ? conv_shortcut(input) : input) + hidden;
  return output_scale_factor_ == 1.0 ? hidden : hidden / output_scale_factor_;
}

Downsample2D::Downsample2D(int64_t in_channels, int64_t out_channels, int64_t padding)
    : conv(*this, "conv", std::make_shared<Conv2d>(in_channels, out_channels, 3, 2, padding)),
      asymmetric_(padding == 0) {}

at::Tensor Downsample2D::forward(const at::Tensor& hidden_states) {
  return conv(asymmetric_ ? at::constant_pad_nd(hidden_states, {0, 1, 0, 1}) : hidden_states);
}

Upsample2D::Upsample2D(int64_t channels) : conv(*this, "conv", std::make_shared<Conv2d>(channels, channels, 3, 1, 1)) {}

at::Tensor Upsample2D::forward(const at::Tensor& hidden_states, const std::vector<int64_t>& output_size) {
  const std::vector<int64_t> size =
      output_size.empty() ? std::vector<int64_t>{hidden_states.size(2) * 2, hidden_states.size(3) * 2} : output_size;
  return conv(at::upsample_nearest2d(hidden_states, size));
}

}  // namespace attnscope::nn
