#include "views/heat_overlay.h"

#include <algorithm>
#include <cmath>

#include "video/heatmap_overlay.h"

namespace attnscope::ui {

namespace {
constexpr int kOverlaySide = 512;

// Where `value` lies between zero and the maximum; NaN counts as zero.
float place(float value, float maximum) { return maximum > 0 && value > 0 ? std::min(value / maximum, 1.0F) : 0.0F; }
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
  QImage out(size, QImage::Format_ARGB32_Premultiplied);
  out.fill(Qt::transparent);
  const float opacity = float(std::clamp(style.opacity, 0.0, 1.0));
  const QList<QRgb> table = colorTable(style.colorMap);
  for (qsizetype i = 0; i < layers.size(); ++i) {
    const bool mapped = layers.size() == 1;
    const QRgb tint = layers[i].tint.rgb();
    for (int y = 0; y < size.height(); ++y) {
      QRgb* line = reinterpret_cast<QRgb*>(out.scanLine(y));
      const float* values = full[i].values.data() + std::size_t(y) * size.width();
      for (int x = 0; x < size.width(); ++x) {
        const float at = place(values[x], layers[i].maximum);
        if (at <= 0) continue;
        const QRgb color = mapped ? table[int(std::lround(at * 255))] : tint;
        const float alpha = at * opacity, rest = 1 - alpha;
        const QRgb below = line[x];
        const auto mix = [&](int above, int under) { return int(std::lround(float(above) * alpha + float(under) * rest)); };
        line[x] = qRgba(mix(qRed(color), qRed(below)), mix(qGreen(color), qGreen(below)),
                        mix(qBlue(color), qBlue(below)), mix(255, qAlpha(below)));
      }
    }
  }
  return out;
}

QImage heatOverlay(const QList<HeatLayer>& layers, QSize size, const HeatStyle& style) {
  QList<HeatMap> full;
  for (const HeatLayer& layer : layers) full.append(resized(layer.map, size, style.smooth));
  return heatOverlay(layers, full, size, style);
}

}  // namespace attnscope::ui
