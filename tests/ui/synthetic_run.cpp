#include "synthetic_run.h"

#include <cmath>

#include <QDataStream>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPainter>

namespace attnscope::ui::synthetic {

namespace {

const QStringList kWords{QStringLiteral("a"),      QStringLiteral("red"),       QStringLiteral("circle"),
                         QStringLiteral("and"),    QStringLiteral("a"),         QStringLiteral("blue"),
                         QStringLiteral("square"), QStringLiteral("on"),        QStringLiteral("a"),
                         QStringLiteral("gray"),   QStringLiteral("background")};

double phase(int index, int count) { return count > 1 ? double(index) / (count - 1) : 0; }

void save(const QString& path, const QByteArray& bytes) {
  QFile file(path);
  if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
    qFatal("cannot write %s", qPrintable(path));
}

// Eight bytes of header length, the header, the tensors one after the other.
void writeMaps(const QString& path, int frames) {
  const int tokens = int(kWords.size()) + 2;
  QJsonObject header{
      {QStringLiteral("__metadata__"), QJsonObject{{QStringLiteral("latent_height"), QString::number(kLatent)},
                                                   {QStringLiteral("latent_width"), QString::number(kLatent)}}}};
  QByteArray data;
  for (const LayerInfo& layer : layers()) {
    if (!layer.captured) continue;
    const qsizetype begin = data.size();
    for (int f = 0; f < frames; ++f)
      for (int t = 0; t < tokens; ++t) {
        const QString word = t > 0 && t <= kWords.size() ? kWords[t - 1] : QString();
        const MapFrame one = map(word, layer.height, f, frames);
        data.append(reinterpret_cast<const char*>(one.values.constData()),
                    one.values.size() * qsizetype(sizeof(float)));
      }
    header.insert(layer.key,
                  QJsonObject{{QStringLiteral("dtype"), QStringLiteral("F32")},
                              {QStringLiteral("shape"), QJsonArray{frames, tokens, layer.height, layer.width}},
                              {QStringLiteral("data_offsets"), QJsonArray{begin, data.size()}}});
  }
  QByteArray text = QJsonDocument(header).toJson(QJsonDocument::Compact);
  while (text.size() % 8 != 0) text.append(' ');
  QByteArray length(8, 0);
  for (int i = 0; i < 8; ++i) length[i] = char((quint64(text.size()) >> (8 * i)) & 0xff);
  save(path, length + text + data);
}

}  // namespace

QPointF circleAt(int index, int count) {
  const double p = phase(index, count);
  return {36 + 56 * p, 40 + 12 * std::sin(p * 6.28)};
}

QPointF squareAt(int index, int count) {
  const double p = phase(index, count);
  return {44 + 40 * p, 90 - 10 * std::sin(p * 6.28)};
}

QImage frame(int index, int count) {
  QImage image(kSide, kSide, QImage::Format_RGB32);
  image.fill(QColor(120, 120, 124));
  QPainter painter(&image);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(QColor(218, 38, 38));
  painter.drawEllipse(circleAt(index, count), 19, 19);
  painter.translate(squareAt(index, count));
  painter.rotate(8);
  painter.setBrush(QColor(50, 84, 222));
  painter.drawRect(QRectF(-15, -15, 30, 30));
  return image;
}

QList<LayerInfo> layers() {
  struct Block {
    const char* path;
    int size, heads, width;
  };
  static const Block blocks[] = {{"down_blocks.1.attentions.0", 16, 2, 48}, {"down_blocks.2.attentions.0", 8, 4, 32},
                                 {"up_blocks.0.attentions.0", 8, 4, 32},    {"up_blocks.0.attentions.1", 8, 4, 32},
                                 {"up_blocks.1.attentions.0", 16, 2, 48},   {"up_blocks.1.attentions.1", 16, 2, 48},
                                 {"mid_block.attentions.0", 8, 4, 32}};
  QList<LayerInfo> out;
  for (const Block& block : blocks)
    for (int n = 1; n <= 2; ++n) {
      LayerInfo layer;
      layer.key = QStringLiteral("%1.transformer_blocks.0.attn%2.processor").arg(QLatin1String(block.path)).arg(n);
      layer.processor = n == 1 ? QStringLiteral("fused") : QStringLiteral("capture");
      layer.height = layer.width = block.size;
      layer.heads = block.heads;
      layer.headDim = block.width;
      layer.crossDim = n == 1 ? 0 : 64;
      layer.calls = 20;
      layer.captured = n == 2;
      out.append(layer);
    }
  return out;
}

RunData run(int frames) {
  RunData out;
  out.path = QStringLiteral("/synthetic/demo-1");
  out.prompt = kWords.join(QLatin1Char(' '));
  out.tokens = QStringList{QStringLiteral("<|startoftext|>")} + kWords + QStringList{QStringLiteral("<|endoftext|>")};
  out.words.append({QStringLiteral("BOS"), {0}, true, false});
  for (int i = 0; i < kWords.size(); ++i) out.words.append({kWords[i], {i + 1}, false, true});
  out.words.append({QStringLiteral("EOS"), {int(kWords.size()) + 1}, true, false});
  out.layers = layers();
  for (int i = 0; i < frames; ++i) out.sourceFrames.append(frame(i, frames));
  out.facts = {{QStringLiteral("mode"), QStringLiteral("inspect")}, {QStringLiteral("seed"), QStringLiteral("0")}};
  out.recipes = {{QStringLiteral("daam"), QStringLiteral("mean over all layers")},
                 {QStringLiteral("p2p16"), QStringLiteral("mean over some layers")}};
  out.recipe = QStringLiteral("daam");
  out.device = QStringLiteral("cpu");
  out.hasMaps = true;
  return out;
}

MapFrame map(const QString& word, int side, int index, int count) {
  MapFrame out{side, side, QList<float>(side * side, 0.01F)};
  const bool circle = word == QLatin1String("circle") || word == QLatin1String("red");
  const bool square = word == QLatin1String("square") || word == QLatin1String("blue");
  if (!circle && !square) return out;
  const QPointF at = (circle ? circleAt(index, count) : squareAt(index, count)) * side / kSide;
  const double width = side / 10.0;
  const double height = word == QLatin1String("circle") || word == QLatin1String("square") ? 0.42 : 0.24;
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      const double dx = x + 0.5 - at.x(), dy = y + 0.5 - at.y();
      out.values[y * side + x] = float(0.004 + height * std::exp(-(dx * dx + dy * dy) / (2 * width * width)));
    }
  return out;
}

QList<WordMaps> maps(const RunData& run, const QList<int>& words) {
  QList<WordMaps> out;
  for (int word : words) {
    WordMaps one{word, run.words[word].text, run.recipe, {}, {}};
    for (int i = 0; i < run.frameCount(); ++i) one.frames.append(map(one.text, kLatent, i, run.frameCount()));
    out.append(one);
  }
  return out;
}

void writeFolder(const QString& path, const FolderOptions& options) {
  QDir().mkpath(path + QStringLiteral("/frames/source"));
  const RunData what = run(options.frames);
  for (int i = 0; i < options.frames; ++i)
    what.sourceFrames[i].save(QStringLiteral("%1/frames/source/%2.png").arg(path).arg(i, 4, 10, QLatin1Char('0')));
  QJsonArray words, tokens, layerList;
  for (const QString& token : what.tokens) tokens.append(token);
  for (const WordInfo& word : what.words)
    if (!word.special)
      words.append(
          QJsonObject{{QStringLiteral("text"), word.text}, {QStringLiteral("tokens"), QJsonArray{word.tokens[0]}}});
  for (const LayerInfo& layer : what.layers)
    layerList.append(QJsonObject{{QStringLiteral("key"), layer.key},
                                 {QStringLiteral("place"), layer.key.section(QLatin1Char('_'), 0, 0)},
                                 {QStringLiteral("processor"), layer.processor},
                                 {QStringLiteral("height"), layer.height},
                                 {QStringLiteral("width"), layer.width},
                                 {QStringLiteral("heads"), layer.heads},
                                 {QStringLiteral("head_dim"), layer.headDim},
                                 {QStringLiteral("cross_dim"), layer.crossDim},
                                 {QStringLiteral("calls"), layer.calls},
                                 {QStringLiteral("captured"), layer.captured}});
  const QJsonObject manifest{
      {QStringLiteral("format"), 1},
      {QStringLiteral("status"), options.status},
      {QStringLiteral("error"), QJsonValue()},
      {QStringLiteral("created"), QStringLiteral("2026-01-01T12:00:00Z")},
      {QStringLiteral("mode"), QStringLiteral("inspect")},
      {QStringLiteral("source_prompt"), what.prompt},
      {QStringLiteral("maps_prompt"), what.prompt},
      {QStringLiteral("seed"), 0},
      {QStringLiteral("tokens"), tokens},
      {QStringLiteral("words"), words},
      {QStringLiteral("layers"), layerList},
      {QStringLiteral("model"), QJsonObject{{QStringLiteral("class"), QStringLiteral("StableDiffusionPipeline")},
                                            {QStringLiteral("dtype"), QStringLiteral("float32")},
                                            {QStringLiteral("device"), QStringLiteral("cpu")}}},
      {QStringLiteral("frames"), QJsonObject{{QStringLiteral("count"), options.frames},
                                             {QStringLiteral("width"), kSide},
                                             {QStringLiteral("height"), kSide},
                                             {QStringLiteral("fps"), 8}}},
      {QStringLiteral("heatmaps"), QJsonObject{{QStringLiteral("recipe"), QStringLiteral("daam")}}},
      {QStringLiteral("timings"), QJsonObject{{QStringLiteral("denoise"), 12.5}}},
      {QStringLiteral("warnings"), QJsonArray::fromStringList(options.warnings)}};
  save(path + QStringLiteral("/manifest.json"), QJsonDocument(manifest).toJson());
  if (options.maps) writeMaps(path + QStringLiteral("/maps.safetensors"), options.frames);
}

}  // namespace attnscope::ui::synthetic
