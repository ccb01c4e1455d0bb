#include "views/heat_overlay.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <QPainter>

#include "video/heatmap_overlay.h"

namespace attnscope::ui {

namespace {
constexpr int kOverlaySide = 512;

using Shades = std::array<QRgb, 256>;  // from zero to the maximum, premultiplied

Shades shades(const QList<QRgb>& colors, double opacity) {
  Shades out;
  for (int i = 0; i < 256; ++i) {
    const QRgb color = colors[i];
    out[std::size_t(i)] = qPremultiply(qRgba(qRed(color), qGreen(color), qBlue(color), int(std::lround(i * opacity))));
  }
  return out;
}

// NaN counts as zero.
QImage shaded(const HeatMap& map, float maximum, QSize size, const Shades& colors) {
  QImage out(size, QImage::Format_ARGB32_Premultiplied);
  const float scale = maximum > 0 ? 255 / maximum : 0;
  for (int y = 0; y < size.height(); ++y) {
    QRgb* line = reinterpret_cast<QRgb*>(out.scanLine(y));
    const float* values = map.values.data() + std::size_t(y) * std::size_t(size.width());
    for (int x = 0; x < size.width(); ++x) {
      const float place = values[x] * scale;
      line[x] = colors[place > 0 ? std::size_t(std::min(place, 255.0F) + 0.5F) : 0];
    }
  }
  return out;
}

}  // namespace

float maximum(const MapFrame& map) {
  float largest = 0;
  for (float value : map.values)
    if (value > largest) largest = value;
  return largest;
}

float maximum(const WordMaps& maps, int frame, RangeMode mode) {
  if (mode == RangeMode::Frame) return frame < maps.frames.size() ? maximum(maps.frames[frame]) : 0;
  float largest = 0;
  for (const MapFrame& map : maps.frames) largest = std::max(largest, maximum(map));
  return largest;
}

float mean(const MapFrame& map) {
  double sum = 0;
  for (float value : map.values) sum += value;
  return map.isEmpty() ? 0 : float(sum / double(map.values.size()));
}

QList<QRgb> colorTable(const QString& colorMap) {
  QList<QRgb> out;
  for (const auto& c : color_map(colorMap.toStdString())) out.append(qRgb(c[0], c[1], c[2]));
  return out;
}

HeatMap resized(const MapFrame& map, QSize size, bool smooth) {
  const HeatMap from{map.width, map.height, std::vector<float>(map.values.begin(), map.values.end())};
  return upsample(from, size.height(), size.width(), smooth ? Upsample::smooth : Upsample::nearest);
}

QSize overlaySize(QSize frame) {
  const int side = std::max({frame.width(), frame.height(), 1});
  return frame * std::max(1, kOverlaySide / side);
}

QImage heatOverlay(const QList<HeatLayer>& layers, const QList<HeatMap>& full, QSize size, const HeatStyle& style) {
  const double opacity = std::clamp(style.opacity, 0.0, 1.0);
  QImage out;
  for (qsizetype i = 0; i < layers.size(); ++i) {
    const QList<QRgb> colors = layers.size() == 1 ? colorTable(style.colorMap) : QList<QRgb>(256, layers[i].tint.rgb());
    const QImage picture = shaded(full[i], layers[i].maximum, size, shades(colors, opacity));
    if (out.isNull())
      out = picture;
    else
      QPainter(&out).drawImage(0, 0, picture);
  }
  return out;
}

QImage heatOverlay(const QList<HeatLayer>& layers, QSize size, const HeatStyle& style) {
  QList<HeatMap> full;
  for (const HeatLayer& layer : layers) full.append(resized(layer.map, size, style.smooth));
  return heatOverlay(layers, full, size, style);
}

}  // namespace attnscope::ui
