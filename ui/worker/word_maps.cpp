#include "worker/word_maps.h"

#include "attention/recipes.h"
#include "base/error.h"
#include "worker/convert.h"

namespace attnscope::ui {

namespace {

QList<MapFrame> layerFrames(const LayerMaps& layer, const QList<int>& tokens) {
  const at::Tensor maps = layer.maps.contiguous();
  const qsizetype count = maps.size(0), all = maps.size(1), height = maps.size(2), width = maps.size(3);
  const qsizetype cells = height * width;
  const float* values = maps.const_data_ptr<float>();
  QList<MapFrame> frames;
  for (qsizetype f = 0; f < count; ++f) {
    MapFrame frame{int(width), int(height), QList<float>(cells, 0.0F)};
    float* out = frame.values.data();
    for (int token : tokens) {
      if (token < 0 || token >= all) continue;
      const float* in = values + (f * all + token) * cells;
      for (qsizetype i = 0; i < cells; ++i) out[i] += in[i] / float(tokens.size());
    }
    frames.append(frame);
  }
  return frames;
}

QList<MapFrame> recipeFrames(const CrossMaps& maps, const QString& recipe, const QList<int>& tokens) {
  const std::vector<int> positions(tokens.begin(), tokens.end());
  QList<MapFrame> frames;
  for (const HeatMap& map : word_heatmaps(maps, recipe.toStdString(), positions)) frames.append(toMapFrame(map));
  return frames;
}

const LayerMaps* findLayer(const CrossMaps& maps, const QString& key) {
  for (const LayerMaps& layer : maps.layers)
    if (layer.key == key.toStdString()) return &layer;
  return nullptr;
}

}  // namespace

QList<WordMaps> wordMaps(const CrossMaps& maps, const MapQuery& query) {
  const LayerMaps* layer = nullptr;
  if (!query.layer.isEmpty()) {
    layer = findLayer(maps, query.layer);
    if (!layer)
      throw Error("the run holds no maps of this layer", query.layer.toStdString(),
                  "add it to attention.capture.layers");
  }
  QList<WordMaps> out;
  for (qsizetype i = 0; i < query.words.size(); ++i) {
    const QList<int>& tokens = query.tokens[i];
    out.append({query.words[i],
                {},
                query.recipe,
                query.layer,
                layer ? layerFrames(*layer, tokens) : recipeFrames(maps, query.recipe, tokens)});
  }
  return out;
}

}  // namespace attnscope::ui
