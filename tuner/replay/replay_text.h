// What a replay found, for people and programs.
#pragma once

#include <string>
#include <vector>

#include "tuner/formats/strict_json.h"
#include "tuner/replay/replay.h"

namespace rooftune {

/// Mean score of each strategy over the spaces that have one, in the order of the first; NaN where none has,
/// empty for no replay.
std::vector<double> mean_scores(const std::vector<Replay>& replays);

/// A table a space, and one of the scores over all where there are several.
std::string replay_text(const std::vector<Replay>& replays, const ReplayRules& rules);

/// One space: its document; several: {"replays": […], "scores": […]}. Times in seconds. Fits
/// configs/schema/replay.schema.json.
Json replay_json(const std::vector<Replay>& replays, const ReplayRules& rules);

}  // namespace rooftune
