#pragma once
#include <QHash>
#include <QTimer>
#include <QWidget>

#include "views/heat_overlay.h"

class QComboBox;

namespace attnscope::ui {

class HeatmapCanvas;
class RunDocument;
class Timeline;
class WordStrip;
struct WordNumbers;

// The middle of the window: words above, picture, time below. Draws what a RunDocument says.
class RunViewer : public QWidget {
  Q_OBJECT

 public:
  enum Show { Overlay, SourceOverlay, SourceOutput, All };

  explicit RunViewer(RunDocument* document, QWidget* parent = nullptr);

  void setHeatStyle(const HeatStyle& style);
  void setEmptyText(const QString& text);
  Show shown() const;
  void setShown(Show show);

  HeatmapCanvas* canvas() const { return m_canvas; }
  Timeline* timeline() const { return m_timeline; }
  WordStrip* words() const { return m_words; }

 Q_SIGNALS:
  void numbersChanged(const QList<attnscope::ui::WordNumbers>& words);
  void shownChanged(int show);

 private:
  void onRun();
  void onFrames(const QList<int>& frames);
  void onFrame();
  void onSelection();
  void onMaps();
  void showPicture();
  void showNumbers();
  void showCurves();
  void restartThumbnails();
  void beginThumbnails();
  void buildThumbnails();
  QList<HeatLayer> layersOf(int frame) const;
  float fullColour(int word, const WordMaps& maps, int frame) const;
  QString overlayTitle() const;
  void changeEvent(QEvent* event) override;

  RunDocument* m_document;
  HeatStyle m_style;
  WordStrip* m_words;
  QComboBox* m_show;
  HeatmapCanvas* m_canvas;
  Timeline* m_timeline;
  QTimer m_thumbnailTimer;
  mutable QHash<int, float> m_maxima;    // of a word's maps over all frames
  QHash<int, QImage> m_plainThumbnails;  // by frame, without maps; what is not there is to be made
  QList<QImage> m_thumbnails;
  int m_nextThumbnail = 0;
  bool m_passRuns = false, m_passAgain = false;
};

}  // namespace attnscope::ui
