// The search as it went: what the best so far reached, and what share of the space was excluded by then, over
// evaluations.
#pragma once

#include <string>
#include <vector>

#include "tuner/chart/chart_panel.h"
#include "tuner/formats/tune_result.h"

namespace rooftune {

/// An element for a page, whose `id` is unique there; `width` in pixels, at least 420. Its panels: the best,
/// the excluded share. Empty when the result does not hold its convergence.
ChartDrawing draw_convergence(const TuneResult& result, double width, const std::string& id);

/// The convergence in sentences: when the best came, and how soon the space had shrunk. Empty as above.
std::string convergence_text(const TuneResult& result);

}  // namespace rooftune
