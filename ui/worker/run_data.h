#pragma once
#include <memory>
#include <optional>

#include <QByteArray>
#include <QImage>
#include <QList>
#include <QMetaType>
#include <QString>
#include <QStringList>

namespace attnscope {
class ConfigNode;
}

// What crosses between the worker threads and the window: plain values, implicitly shared, never locked.
namespace attnscope::ui {

// One map of one word over one frame, rows from the top.
struct MapFrame {
  int width = 0;
  int height = 0;
  QList<float> values;
  bool isEmpty() const { return values.isEmpty(); }
};

// A chip of the word strip: a word of the prompt, or BOS / EOS.
struct WordInfo {
  QString text;
  QList<int> tokens;  // positions, 0 = BOS
  bool special = false;
  bool wanted = false;  // the run's config asked for its heat maps
};

struct LayerInfo {
  QString key;  // processor key
  QString processor;
  int height = 0, width = 0, heads = 0, headDim = 0, crossDim = 0;  // crossDim 0: self-attention
  qint64 calls = 0;
  bool captured = false;
};

struct Fact {
  QString name, value;
};

struct RecipeInfo {
  QString name, description;
};

enum class RunState { Complete, Cancelled, Failed, Incomplete };

// Why something ended: what happened, where, what to do.
struct Failure {
  QString message, where, hint;
};

// A config as the window shows it before it is run.
struct ConfigSummary {
  QString path;
  QString name;  // what run folders are named after
  QString mode;
  QString prompt, sourcePrompt;
  QString modelPath, inputPath;
  QString outputBase;  // run folders are this plus "-1", "-2"…
  QList<Fact> facts;
  QList<QImage> frames;  // the first frames of its input, to be looked at before it is run
  double fps = 8;
  QString input;         // what they were read from, and how
  Failure inputProblem;  // why there are none; its message is empty when all is well
};

// A run folder, read. Frames are in memory; maps are computed when they are asked for.
struct RunData {
  QString path;
  QString prompt;
  QString error;  // why a failed run failed
  QStringList tokens;
  QList<WordInfo> words;
  QList<LayerInfo> layers;
  QList<QImage> sourceFrames;
  QList<QImage> outputFrames;
  QStringList warnings;
  QList<Fact> facts;
  QList<RecipeInfo> recipes;
  QString recipe;  // the one the run used
  QString device;
  RunState state = RunState::Complete;
  double fps = 8;
  bool hasMaps = false;
  ConfigSummary config;  // the run's own, to run it again; its path is empty when there is none

  int frameCount() const { return int(qMax(sourceFrames.size(), outputFrames.size())); }
};

// Asks for the maps of some words. An empty layer means: by recipe.
struct MapQuery {
  QString runPath;
  QString recipe;
  QString layer;
  QList<int> words;          // chip numbers, handed back with the maps
  QList<QList<int>> tokens;  // their token positions, same order
};

struct WordMaps {
  int word = -1;
  QString text;
  QString recipe;
  QString layer;
  QList<MapFrame> frames;
};

struct ProgressInfo {
  QString stage;
  int step = 0;
  int total = 0;
  double stepsPerSecond = 0;
  double etaSeconds = -1;
};

struct PreviewFrame {
  int step = 0;
  int frame = 0;
  QImage image;
};

// A video that was opened: what the window asks before it can be run.
struct VideoOffer {
  QString path;
  QString name;
  QString modelPath;   // the demo model's folder when it is there
  QString configPath;  // where the config made from it goes
  QString outputBase;
  QList<QImage> frames;  // the first frames
  double fps = 8;
};

// A config as it is shown: the file's text, or the tree that the layers on it make.
struct ConfigText {
  QByteArray bytes;
  std::shared_ptr<const ConfigNode> merged;  // null: as in the bytes
};

// A config is read, with overrides; or, when a video is named, made for it and written to configPath first.
struct RunJob {
  QString configPath;
  std::optional<ConfigText> config;  // what is shown of it, which may not be saved; none: the file
  QStringList overrides;
  QString outputBase;
  QString videoPath, modelPath, sourcePrompt;
  int frameCount = 0;
};

}  // namespace attnscope::ui

Q_DECLARE_METATYPE(attnscope::ui::RunData)
Q_DECLARE_METATYPE(attnscope::ui::MapQuery)
Q_DECLARE_METATYPE(attnscope::ui::WordMaps)
Q_DECLARE_METATYPE(attnscope::ui::ProgressInfo)
Q_DECLARE_METATYPE(attnscope::ui::PreviewFrame)
Q_DECLARE_METATYPE(attnscope::ui::Failure)
Q_DECLARE_METATYPE(attnscope::ui::ConfigSummary)
Q_DECLARE_METATYPE(attnscope::ui::VideoOffer)
