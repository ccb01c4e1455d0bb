#pragma once
#include <optional>

#include <QHash>
#include <QObject>

#include "worker/run_data.h"

namespace attnscope::ui {

// What the window looks at: a run that was opened, or one that is going on, with the frame, the words and the layer
// that are chosen. Views read it and listen to it; they never talk to each other.
class RunDocument : public QObject {
  Q_OBJECT

 public:
  explicit RunDocument(QObject* parent = nullptr);

  const RunData& run() const { return m_run; }
  // Nothing to look at: no run, no input.
  bool isEmpty() const { return m_run.path.isEmpty() && !m_live && m_run.frameCount() == 0; }
  bool isLive() const { return m_live; }

  // Shows a run. Words of the same text stay chosen, and the frame stays, when the run replaced a live one or itself.
  void setRun(const RunData& run);
  void clear();
  // Frames that may be run, before they are.
  void showInput(const QList<QImage>& frames, double fps);
  // A run begins over the input that is shown, if any; words and frames come in as it goes. Without `previews` the
  // pictures that come in are not shown: a run that only reads its input sends noise.
  void beginLive(const QString& prompt, const QList<QImage>& input = {}, bool previews = true);
  void setPreviews(const QList<PreviewFrame>& previews);
  void setLiveMaps(const QList<WordMaps>& words);
  void endLive();  // the run ended without a folder to show: what came in stays

  // What maps lie over: the output's frame, else the source's.
  QImage baseFrame(int frame) const;

  int frame() const { return m_frame; }
  void setFrame(int frame);

  const QList<int>& selectedWords() const { return m_selected; }
  void selectWords(const QList<int>& words);
  void toggleWord(int word);

  QString recipe() const { return m_recipe; }
  void setRecipe(const QString& recipe);
  QString layer() const { return m_layer; }  // processor key; empty: all layers, by recipe
  void setLayer(const QString& key);

  // Maps of one word, null until they came in.
  const WordMaps* maps(int word) const;
  // Takes what was computed for the recipe and layer in force; others are dropped.
  void setMaps(const QList<WordMaps>& maps);
  // The chosen words that have no maps yet, as a question to the reader.
  std::optional<MapQuery> missingMaps() const;

 Q_SIGNALS:
  void runChanged();                             // another run, or its words or number of frames changed
  void framesChanged(const QList<int>& frames);  // these pictures changed
  void frameChanged(int frame);
  void selectionChanged();  // words, recipe or layer
  void mapsChanged();
  void mapsWanted();  // missingMaps() has something

 private:
  void selectDefaultWord();
  void forgetMaps();
  void askForMaps();

  RunData m_run;
  bool m_live = false;
  bool m_previews = true;
  int m_frame = 0;
  QList<int> m_selected;
  QString m_recipe, m_layer;
  QHash<int, WordMaps> m_maps;
};

}  // namespace attnscope::ui
