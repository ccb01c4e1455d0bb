#include "nn/winograd.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <vector>

// The loops below are made to be vectorised by the compiler, once for each width of vectors.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define ATTNSCOPE_VECTORISED __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define ATTNSCOPE_VECTORISED
#endif

namespace attnscope::nn {
namespace {

constexpr int64_t kMatrices = 16;  // a 2x2 tile of the output is made of a 4x4 tile of the input
// Tiles are worked on in blocks whose transformed input and output take about this many bytes: they stay in the cache,
// and no convolution asks the system for large memory.
constexpr int64_t kBlockBytes = 12 << 20;

struct Plane {
  int64_t height, width, tile_rows, tiles_in_row;
};

// Bᵀ d B of the 4x4 tiles of one row of tiles: `out` gets 16 runs of tiles_in_row values, `stride` apart.
// `scratch`: 10 * (tiles_in_row + 1) floats.
ATTNSCOPE_VECTORISED
void transform_input_row(const float* plane, const Plane& size, int64_t tile_row, float* __restrict out, int64_t stride,
                         float* __restrict scratch) {
  const int64_t tiles = size.tiles_in_row, half = tiles + 1;
  // Four rows of the padded plane, columns 0, 2, 4, … in `even` and 1, 3, 5, … in `odd`: then all loads are contiguous.
  float* __restrict even = scratch;
  float* __restrict odd = scratch + 4 * half;
  for (int64_t r = 0; r < 4; ++r) {
    float* __restrict e = even + r * half;
    float* __restrict o = odd + r * half;
    const int64_t y = 2 * tile_row - 1 + r;
    if (y < 0 || y >= size.height) {
      std::fill_n(e, half, 0.0F);
      std::fill_n(o, half, 0.0F);
      continue;
    }
    const float* row = plane + y * size.width;
    const int64_t pairs = size.width / 2;
    e[0] = 0;
    for (int64_t i = 0; i < pairs; ++i) {
      o[i] = row[2 * i];
      e[i + 1] = row[2 * i + 1];
    }
    if (size.width % 2 == 1) {
      o[pairs] = row[size.width - 1];
      e[half - 1] = 0;
    }
    o[half - 1] = 0;
  }
  float* __restrict e = scratch + 8 * half;
  float* __restrict o = scratch + 9 * half;
  constexpr int first[] = {0, 1, 2, 1}, second[] = {2, 2, 1, 3};
  for (int r = 0; r < 4; ++r) {
    const float sign = r == 1 ? 1.0F : -1.0F;
    const float* e0 = even + first[r] * half;
    const float* e1 = even + second[r] * half;
    const float* o0 = odd + first[r] * half;
    const float* o1 = odd + second[r] * half;
    for (int64_t i = 0; i < half; ++i) {
      e[i] = e0[i] + sign * e1[i];
      o[i] = o0[i] + sign * o1[i];
    }
    float* __restrict out0 = out + (4 * r) * stride;
    float* __restrict out1 = out0 + stride;
    float* __restrict out2 = out1 + stride;
    float* __restrict out3 = out2 + stride;
    for (int64_t t = 0; t < tiles; ++t) {
      out0[t] = e[t] - e[t + 1];
      out1[t] = o[t] + e[t + 1];
      out2[t] = e[t + 1] - o[t];
      out3[t] = o[t] - o[t + 1];
    }
  }
}

// Aᵀ m A + bias of one row of tiles: two rows of the output plane. `scratch`: 8 * tiles_in_row floats.
ATTNSCOPE_VECTORISED
void transform_output_row(const float* in, int64_t stride, const Plane& size, int64_t tile_row, float bias,
                          float* plane, float* __restrict scratch) {
  const int64_t tiles = size.tiles_in_row;
  for (int64_t column = 0; column < 4; ++column) {
    const float* m0 = in + column * stride;
    const float* m1 = m0 + 4 * stride;
    const float* m2 = m1 + 4 * stride;
    const float* m3 = m2 + 4 * stride;
    float* __restrict upper = scratch + column * tiles;
    float* __restrict lower = scratch + (4 + column) * tiles;
    for (int64_t t = 0; t < tiles; ++t) {
      upper[t] = m0[t] + m1[t] + m2[t];
      lower[t] = m1[t] - m2[t] - m3[t];
    }
  }
  for (int64_t r = 0; r < 2; ++r) {
    const int64_t y = 2 * tile_row + r;
    if (y >= size.height) break;
    const float* s0 = scratch + 4 * r * tiles;
    const float* s1 = s0 + tiles;
    const float* s2 = s1 + tiles;
    const float* s3 = s2 + tiles;
    float* __restrict row = plane + y * size.width;
    const int64_t pairs = size.width / 2;
    for (int64_t t = 0; t < pairs; ++t) {
      row[2 * t] = s0[t] + s1[t] + s2[t] + bias;
      row[2 * t + 1] = s1[t] - s2[t] - s3[t] + bias;
    }
    if (size.width % 2 == 1) row[size.width - 1] = s0[pairs] + s1[pairs] + s2[pairs] + bias;
  }
}

constexpr int64_t kFilterBlock = 64;

// G g Gᵀ of up to kFilterBlock filters, each 9 values: `out` gets 16 runs of kFilterBlock values.
ATTNSCOPE_VECTORISED
void transform_filters(const float* filters, int64_t count, float* __restrict out) {
  for (int64_t i = 0; i < count; ++i) {
    const float* g = filters + 9 * i;
    float rows[4][3];
    for (int c = 0; c < 3; ++c) {
      const float sum = 0.5F * (g[c] + g[6 + c]), middle = 0.5F * g[3 + c];
      rows[0][c] = g[c];
      rows[1][c] = sum + middle;
      rows[2][c] = sum - middle;
      rows[3][c] = g[6 + c];
    }
    for (int r = 0; r < 4; ++r) {
      const float sum = 0.5F * (rows[r][0] + rows[r][2]), middle = 0.5F * rows[r][1];
      float* to = out + 4 * r * kFilterBlock + i;
      to[0] = rows[r][0];
      to[kFilterBlock] = sum + middle;
      to[2 * kFilterBlock] = sum - middle;
      to[3 * kFilterBlock] = rows[r][2];
    }
  }
}

}  // namespace

at::Tensor winograd_weight(const at::Tensor& weight) {
  const at::Tensor filters = weight.contiguous();
  const int64_t out_channels = weight.size(0), in_channels = weight.size(1);
  at::Tensor result = at::empty({kMatrices, out_channels, in_channels}, weight.options());
  const float* from = filters.const_data_ptr<float>();
  float* to = result.data_ptr<float>();
  at::parallel_for(0, out_channels, 1, [&](int64_t begin, int64_t end) {
    // By way of a small block: the 16 matrices often lie so far apart that their lines push each other out of the
    // cache.
    float block[kMatrices * kFilterBlock];
    for (int64_t i = begin * in_channels; i < end * in_channels; i += kFilterBlock) {
      const int64_t count = std::min(kFilterBlock, end * in_channels - i);
      transform_filters(from + 9 * i, count, block);
      for (int64_t matrix = 0; matrix < kMatrices; ++matrix)
        std::copy_n(block + matrix * kFilterBlock, count, to + matrix * out_channels * in_channels + i);
    }
  });
  return result;
}

at::Tensor winograd_conv2d(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias) {
  const int64_t images = input.size(0), in_channels = input.size(1), out_channels = weight.size(1);
  const Plane size{input.size(2), input.size(3), (input.size(2) + 1) / 2, (input.size(3) + 1) / 2};
  const int64_t tiles = size.tiles_in_row, rows = images * size.tile_rows, pixels = size.height * size.width;
  const int64_t row_bytes = kMatrices * (in_channels + out_channels) * tiles * static_cast<int64_t>(sizeof(float));
  const int64_t block = std::clamp<int64_t>(kBlockBytes / row_bytes, 1, rows);

  at::Tensor output = at::empty({images, out_channels, size.height, size.width}, input.options());
  at::Tensor transformed = at::empty({kMatrices * in_channels * block * tiles}, input.options());
  at::Tensor products = at::empty({kMatrices * out_channels * block * tiles}, input.options());
  const float* from = input.const_data_ptr<float>();
  const float* biases = bias.defined() ? bias.const_data_ptr<float>() : nullptr;
  float* to = output.data_ptr<float>();
  float* v = transformed.data_ptr<float>();
  float* m = products.data_ptr<float>();

  for (int64_t begin = 0; begin < rows; begin += block) {
    const int64_t count = std::min(block, rows - begin), run = count * tiles;
    at::parallel_for(0, in_channels, 1, [&](int64_t first, int64_t last) {
      std::vector<float> scratch(10 * (tiles + 1));
      for (int64_t c = first; c < last; ++c)
        for (int64_t row = 0; row < count; ++row)
          transform_input_row(from + ((begin + row) / size.tile_rows * in_channels + c) * pixels, size,
                              (begin + row) % size.tile_rows, v + c * run + row * tiles, in_channels * run,
                              scratch.data());
    });
    at::Tensor result = products.narrow(0, 0, kMatrices * out_channels * run).view({kMatrices, out_channels, run});
    at::bmm_out(result, weight,
                transformed.narrow(0, 0, kMatrices * in_channels * run).view({kMatrices, in_channels, run}));
    at::parallel_for(0, out_channels, 1, [&](int64_t first, int64_t last) {
      std::vector<float> scratch(8 * tiles);
      for (int64_t k = first; k < last; ++k)
        for (int64_t row = 0; row < count; ++row)
          transform_output_row(m + k * run + row * tiles, out_channels * run, size, (begin + row) % size.tile_rows,
                               biases ? biases[k] : 0.0F,
                               to + ((begin + row) / size.tile_rows * out_channels + k) * pixels, scratch.data());
    });
  }
  return output;
}

}  // namespace attnscope::nn
