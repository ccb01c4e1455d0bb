#pragma once
#include <QImage>

#include "base/image.h"
#include "worker/run_data.h"

namespace attnscope::ui {

QImage toQImage(const Image& image);
MapFrame toMapFrame(const HeatMap& map);

}  // namespace attnscope::ui
