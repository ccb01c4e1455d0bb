#pragma once
#include <QColor>
#include <QImage>

#include "base/image.h"
#include "worker/run_data.h"

namespace attnscope::ui {

enum class RangeMode { Shared, Frame };  // what full colour stands for: the largest value of all frames, or of this one

// How maps are shown.
struct HeatStyle {
  QString colorMap = QStringLiteral("viridis");
  double opacity = 0.8;
  RangeMode range = RangeMode::Shared;
  bool smooth = true;  // false: the cells as they are
  bool operator==(const HeatStyle&) const = default;
};

// One word over one frame, ready to be drawn.
struct HeatLayer {
  QString word;
  MapFrame map;
  QColor tint;
  float maximum = 0;  // the value that full colour stands for
};

// Largest value of one frame, of all frames.
float maximum(const MapFrame& map);
float maximum(const WordMaps& maps, int frame, RangeMode mode);
float mean(const MapFrame& map);

QList<QRgb> colorTable(const QString& colorMap);  // 256 opaque colours

// The map at a size, by the engine's own interpolation, so that the window and exported pictures agree.
HeatMap resized(const MapFrame& map, QSize size, bool smooth);
// The size at which a frame's overlay is computed: whole multiples of small frames, so that smooth is smooth.
QSize overlaySize(QSize frame);

// A transparent picture of the layers: zero shows nothing, the maximum `style.opacity`. One layer takes the colour
// map, several take their tints. `full` holds each layer's map at the picture's size. Null without layers.
QImage heatOverlay(const QList<HeatLayer>& layers, const QList<HeatMap>& full, QSize size, const HeatStyle& style);
// The same from the maps, at `size`.
QImage heatOverlay(const QList<HeatLayer>& layers, QSize size, const HeatStyle& style);

}  // namespace attnscope::ui
