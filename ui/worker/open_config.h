#pragma once
#include "worker/run_data.h"

namespace attnscope::ui {

bool isConfigName(const QString& path);  // .yaml, .yml, .json but not manifest.json
bool isVideoName(const QString& path);   // what input.video or input.image reads

// Reads and checks a run's config, without its frames. Throws ConfigError.
ConfigSummary openConfig(const QString& path);
// The same of a text that may not be saved yet, with the first frames of its input. Those of `before` are used again
// when the input is the same.
ConfigSummary summarizeConfig(const QString& path, const ConfigText& text, const ConfigSummary& before);

// The text that a run reads.
std::string runText(const ConfigText& config);

// The first frames of a video or a picture, and what to ask before it can be run. Throws LoadError.
VideoOffer offerVideo(const QString& path);

// The config that looks at a job's video with its prompt (mode: inspect), at the size the model was made for. Reads
// the model's config; every text is quoted.
QString videoConfigText(const RunJob& job);

// `value` as a YAML double-quoted scalar.
QString yamlQuoted(const QString& value);

// `path` from the working folder when it lies in it, else as it is.
QString shortPath(const QString& path);

// configs/demo.yaml and resources/demo/model beside the program or above it; empty when they are not there.
QString demoConfigPath();
QString demoModelPath();

}  // namespace attnscope::ui
