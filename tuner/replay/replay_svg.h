// The plot of a replay: how far ahead of random sampling each strategy is, over the time spent.
#pragma once

#include <string>
#include <vector>

#include "tuner/chart/chart_panel.h"
#include "tuner/replay/replay.h"

namespace rooftune {

/// One panel of the curves P(t), their means where there are several spaces, and then a smaller panel for
/// each space, in this order. All replays have the same strategies. At least one.
ChartDrawing draw_replay(const std::vector<Replay>& replays, const ReplayRules& rules);

std::string replay_svg(const std::vector<Replay>& replays, const ReplayRules& rules);

/// P at `points` shares of a space's time budget, the first and the last included; NaN where there is no
/// score, because random sampling is at the best there.
std::vector<double> curve_over_budget(const Replay& replay, std::size_t strategy, std::size_t points);

/// The mean of those over the spaces that have a score there.
std::vector<double> mean_curve(const std::vector<Replay>& replays, std::size_t strategy, std::size_t points);

}  // namespace rooftune
