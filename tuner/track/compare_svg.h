// The distributions behind a comparison, drawn: a strip of dots an arm, one dot a turn.
#pragma once

#include <string>
#include <vector>

#include "tuner/chart/chart_panel.h"
#include "tuner/measure/comparison.h"

namespace rooftune {

/// A panel for what was compared in the same rounds, one below the other: each arm has a row of dots, with
/// its median and the 95 % interval of the median. Positions are relative to the median of A. Names that are
/// too long are cut, and are whole in a tooltip. Where nothing was measured the page says so.
ChartDrawing draw_comparison(const track::CompareReport& report);

}  // namespace rooftune
