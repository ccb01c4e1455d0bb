#include "worker/convert.h"

namespace attnscope::ui {

QImage toQImage(const Image& image) {
  if (image.empty()) return {};
  const QImage view(image.rgb.data(), image.width, image.height, qsizetype(image.width) * 3, QImage::Format_RGB888);
  return view.convertToFormat(QImage::Format_RGB32);  // a copy: `image` goes away
}

MapFrame toMapFrame(const HeatMap& map) {
  return {map.width, map.height, QList<float>(map.values.begin(), map.values.end())};
}

}  // namespace attnscope::ui
