#include "views/run_viewer.h"

#include <algorithm>

#include <QComboBox>
#include <QElapsedTimer>
#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>

#include "documents/run_document.h"
#include "views/heatmap_canvas.h"
#include "views/inspector.h"
#include "views/theme.h"
#include "views/thumbnail_strip.h"
#include "views/timeline.h"
#include "views/word_strip.h"

namespace attnscope::ui {

namespace {

constexpr int kThumbnailSliceMs = 8;  // of the GUI thread at a time

QPoint peakOf(const MapFrame& map, QSize frame) {
  if (map.isEmpty()) return {};
  const auto top = std::max_element(map.values.begin(), map.values.end());
  const int cell = int(top - map.values.begin());
  return {int((cell % map.width + 0.5) * frame.width() / map.width),
          int((cell / map.width + 0.5) * frame.height() / map.height)};
}

}  // namespace

RunViewer::RunViewer(RunDocument* document, QWidget* parent) : QWidget(parent), m_document(document) {
  setObjectName(QStringLiteral("runViewer"));
  setAccessibleName(tr("Frames and heat maps"));
  m_words = new WordStrip(this);
  m_show = new QComboBox(this);
  m_show->setObjectName(QStringLiteral("show"));
  m_show->setAccessibleName(tr("Pictures shown"));
  m_show->setToolTip(tr("Which pictures stand side by side"));
  m_show->addItem(tr("Overlay"), Overlay);
  m_show->addItem(tr("Source | Overlay"), SourceOverlay);
  m_show->addItem(tr("Source | Output"), SourceOutput);
  m_show->addItem(tr("Source | Output | Overlay"), All);
  m_show->setCurrentIndex(SourceOverlay);
  m_canvas = new HeatmapCanvas(this);
  m_timeline = new Timeline(this);
  auto* top = new QHBoxLayout;
  top->setContentsMargins(8, 4, 8, 0);
  top->setSpacing(8);
  top->addWidget(m_words, 1, Qt::AlignTop);
  top->addWidget(m_show, 0, Qt::AlignTop);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  column->addLayout(top);
  column->addWidget(m_canvas, 1);
  column->addWidget(m_timeline);

  connect(document, &RunDocument::runChanged, this, &RunViewer::onRun);
  connect(document, &RunDocument::framesChanged, this, &RunViewer::onFrames);
  connect(document, &RunDocument::frameChanged, this, &RunViewer::onFrame);
  connect(document, &RunDocument::selectionChanged, this, &RunViewer::onSelection);
  connect(document, &RunDocument::mapsChanged, this, &RunViewer::onMaps);
  connect(m_words, &WordStrip::wordChosen, document, [this](int word) { m_document->selectWords({word}); });
  connect(m_words, &WordStrip::wordToggled, document, &RunDocument::toggleWord);
  connect(m_timeline, &Timeline::frameRequested, document, &RunDocument::setFrame);
  connect(m_canvas, &HeatmapCanvas::frameStepRequested, m_timeline, &Timeline::step);
  connect(m_canvas, &HeatmapCanvas::playToggled, m_timeline, &Timeline::togglePlaying);
  connect(m_show, &QComboBox::currentIndexChanged, this, [this](int show) {
    showPicture();
    Q_EMIT shownChanged(show);
  });
  m_thumbnailTimer.setSingleShot(true);
  m_thumbnailTimer.setInterval(0);
  connect(&m_thumbnailTimer, &QTimer::timeout, this, &RunViewer::buildThumbnails);
  onRun();
}

void RunViewer::setHeatStyle(const HeatStyle& style) {
  m_style = style;
  m_canvas->setHeatStyle(style);
  onMaps();
}

void RunViewer::setEmptyText(const QString& text) { m_canvas->setEmptyText(text); }

RunViewer::Show RunViewer::shown() const { return Show(m_show->currentData().toInt()); }

void RunViewer::setShown(Show show) { m_show->setCurrentIndex(m_show->findData(int(show))); }

void RunViewer::onRun() {
  const RunData& run = m_document->run();
  m_words->setWords(run.words);
  m_words->setSelected(m_document->selectedWords());
  m_timeline->setFrameCount(run.frameCount());
  m_timeline->setFrame(m_document->frame());
  m_timeline->setFps(run.fps);
  m_maxima.clear();
  m_plainThumbnails.clear();
  restartThumbnails();
  showPicture();
}

void RunViewer::onFrames(const QList<int>& frames) {
  for (int frame : frames) m_plainThumbnails.remove(frame);
  restartThumbnails();
  if (frames.contains(m_document->frame())) showPicture();
}

void RunViewer::onFrame() {
  m_timeline->setFrame(m_document->frame());
  m_canvas->setLayers(layersOf(m_document->frame()));
  showPicture();
  showNumbers();
}

void RunViewer::onSelection() {
  m_words->setSelected(m_document->selectedWords());
  // Words whose maps are still being computed keep the picture as it was until they come in.
  if (!m_document->missingMaps()) onMaps();
}

void RunViewer::onMaps() {
  m_maxima.clear();
  m_canvas->setLayers(layersOf(m_document->frame()));
  showPicture();
  showNumbers();
  showCurves();
  restartThumbnails();
}

QList<HeatLayer> RunViewer::layersOf(int frame) const {
  QList<HeatLayer> layers;
  const QList<int>& words = m_document->selectedWords();
  for (int i = 0; i < words.size(); ++i) {
    const WordMaps* maps = m_document->maps(words[i]);
    if (!maps || frame >= maps->frames.size() || maps->frames[frame].isEmpty()) continue;
    layers.append({m_document->run().words.value(words[i]).text, maps->frames[frame], theme::word(palette(), i),
                   fullColour(words[i], *maps, frame)});
  }
  return layers;
}

// Looked up, not computed again for each frame: the shared range reads the maps of all of them.
float RunViewer::fullColour(int word, const WordMaps& maps, int frame) const {
  if (m_style.range == RangeMode::Frame) return maximum(maps, frame, RangeMode::Frame);
  if (!m_maxima.contains(word)) m_maxima[word] = maximum(maps, frame, RangeMode::Shared);
  return m_maxima[word];
}

QString RunViewer::overlayTitle() const {
  if (m_document->run().words.isEmpty()) return tr("overlay, once there are maps");
  QStringList words;
  for (int word : m_document->selectedWords()) words << m_document->run().words.value(word).text;
  if (words.isEmpty()) return tr("no word chosen");
  QString layer = m_document->layer();
  if (layer.endsWith(QLatin1String(".processor"))) layer.chop(10);
  return tr("%1 · %2").arg(words.join(QStringLiteral(", ")), layer.isEmpty() ? tr("all layers") : layer);
}

void RunViewer::showPicture() {
  const RunData& run = m_document->run();
  const int frame = m_document->frame();
  const QImage source = run.sourceFrames.value(frame), output = run.outputFrames.value(frame);
  const CanvasPane sourcePane{tr("source"), source, false}, outputPane{tr("output"), output, false};
  const CanvasPane overlayPane{overlayTitle(), m_document->baseFrame(frame), true};
  QList<CanvasPane> panes;
  switch (shown()) {
    case Overlay: panes = {overlayPane}; break;
    case SourceOverlay: panes = {source.isNull() ? outputPane : sourcePane, overlayPane}; break;
    case SourceOutput: panes = {sourcePane, outputPane}; break;
    case All: panes = {sourcePane, outputPane, overlayPane}; break;
  }
  panes.erase(std::remove_if(panes.begin(), panes.end(), [](const CanvasPane& p) { return p.image.isNull(); }),
              panes.end());
  m_canvas->setPanes(panes);
}

void RunViewer::showNumbers() {
  QList<WordNumbers> numbers;
  const QSize size = m_document->baseFrame(m_document->frame()).size();
  for (const HeatLayer& layer : layersOf(m_document->frame()))
    numbers.append(
        {layer.word, layer.tint, maximum(layer.map), mean(layer.map), peakOf(layer.map, size), layer.maximum});
  Q_EMIT numbersChanged(numbers);
}

void RunViewer::showCurves() {
  QList<FrameCurve> curves;
  const QList<int>& words = m_document->selectedWords();
  for (int i = 0; i < words.size(); ++i) {
    const WordMaps* maps = m_document->maps(words[i]);
    if (!maps) continue;
    FrameCurve curve{m_document->run().words.value(words[i]).text, theme::word(palette(), i), {}};
    for (const MapFrame& map : maps->frames) curve.values.append(mean(map));
    curves.append(curve);
  }
  m_timeline->thumbnails()->setCurves(curves);
}

// Changes that come while a pass goes wait for its end: a run that never rests still gets thumbnails.
void RunViewer::restartThumbnails() {
  m_passAgain = true;
  if (m_passRuns) return;
  m_passRuns = true;
  beginThumbnails();
}

void RunViewer::beginThumbnails() {
  m_passAgain = false;
  m_thumbnails = QList<QImage>(m_document->run().frameCount());
  m_nextThumbnail = 0;
  m_thumbnailTimer.start();
}

// A few at a time, so that a thousand frames do not stop the window.
void RunViewer::buildThumbnails() {
  QElapsedTimer clock;
  clock.start();
  const int side = int(ThumbnailStrip::thumbnailSide(fontMetrics()) * devicePixelRatioF());
  while (m_nextThumbnail < m_thumbnails.size() && clock.elapsed() < kThumbnailSliceMs) {
    const int i = m_nextThumbnail++;
    if (!m_plainThumbnails.contains(i)) {
      const QImage frame = m_document->baseFrame(i);
      m_plainThumbnails[i] =
          frame.isNull() ? frame : frame.scaled(side, side, Qt::KeepAspectRatio, Qt::SmoothTransformation);
    }
    QImage thumbnail = m_plainThumbnails[i];
    const QList<HeatLayer> layers = layersOf(i);
    if (!layers.isEmpty() && !thumbnail.isNull()) {
      QPainter painter(&thumbnail);
      painter.drawImage(0, 0, heatOverlay(layers, thumbnail.size(), m_style));
    }
    m_thumbnails[i] = thumbnail;
  }
  if (m_nextThumbnail < m_thumbnails.size()) {
    m_thumbnailTimer.start();
    return;
  }
  m_timeline->thumbnails()->setThumbnails(m_thumbnails);
  m_passRuns = m_passAgain;
  if (m_passAgain) beginThumbnails();
}

void RunViewer::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) onMaps();
  QWidget::changeEvent(event);
}

}  // namespace attnscope::ui
