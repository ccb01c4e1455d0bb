#pragma once
#include "worker/run_data.h"

namespace attnscope::ui {

bool isConfigName(const QString& path);  // .yaml, .yml
bool isVideoName(const QString& path);   // what input.video or input.image reads

// Reads and checks a config; throws ConfigError.
ConfigSummary openConfig(const QString& path);

// What to ask before a video can be run. Does not decode it.
VideoOffer offerVideo(const QString& path);

// The config that looks at a video with a prompt (mode: inspect). Every value is quoted.
QString videoConfigText(const VideoOffer& video, const QString& modelPath, const QString& sourcePrompt);

// `value` as a YAML double-quoted scalar.
QString yamlQuoted(const QString& value);

// configs/demo.yaml and resources/demo/model beside the program or above it; empty when they are not there.
QString demoConfigPath();
QString demoModelPath();

}  // namespace attnscope::ui
