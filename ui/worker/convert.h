#pragma once
#include <string>

#include <QImage>

#include "base/image.h"
#include "worker/run_data.h"

namespace attnscope::ui {

inline QString qstr(const std::string& text) { return QString::fromStdString(text); }

QImage toQImage(const Image& image);
MapFrame toMapFrame(const HeatMap& map);

}  // namespace attnscope::ui
