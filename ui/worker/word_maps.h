#pragma once
#include "worker/run_data.h"

namespace attnscope {
struct CrossMaps;
}

namespace attnscope::ui {

// The maps a query asks for: by recipe, or of one layer alone (mean over the word's tokens, at the layer's size).
// Throws Error when the layer was not captured, and what word_heatmaps throws.
QList<WordMaps> wordMaps(const CrossMaps& maps, const MapQuery& query);

}  // namespace attnscope::ui
