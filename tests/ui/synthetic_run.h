#pragma once
#include <QString>

#include "worker/run_data.h"

// A run that no model made: a red circle and a blue square moving over gray, with maps that follow them.
namespace attnscope::ui::synthetic {

constexpr int kSide = 128;
constexpr int kLatent = 32;

QImage frame(int index, int count);
QPointF circleAt(int index, int count);  // centre, in pixels
QPointF squareAt(int index, int count);

QList<LayerInfo> layers();  // 14, as the demo model has
RunData run(int frames = 16);
// A bell around where the word's shape is; flat for other words. `index` of `count` frames.
MapFrame map(const QString& word, int side, int index, int count);
QList<WordMaps> maps(const RunData& run, const QList<int>& words);

struct FolderOptions {
  int frames = 16;
  QString status = QStringLiteral("complete");
  bool maps = true;
  QStringList warnings = {};
};
// Writes it as docs/run-folder.md says, with nothing of the engine.
void writeFolder(const QString& path, const FolderOptions& options = {});

}  // namespace attnscope::ui::synthetic
