// What a roofline plot shows, apart from how it is drawn.
#pragma once

#include <string>
#include <vector>

#include "tuner/config/tune_result.h"

namespace rooftune {

/// One tuned problem on a plot.
struct PlotSeries {
    std::string name;
    std::vector<PlotPoint> points;  ///< as in TuneResult; points without a place on log axes are dropped
    std::string winner_name;        ///< "SELL-16-512 with 16-bit indices on 2 threads"
    double winner_rate = 0.0;       ///< flop/s; 0 when unknown
    double winner_bound = 0.0;      ///< flop/s at the winner's own bound; 0 when unknown
    double fraction_of_variant_bound = 0.0;
};

struct RooflinePlot {
    std::string title, subtitle;
    std::vector<PlotCeiling> ceilings;  ///< rates positive and finite, no two alike
    std::vector<PlotSeries> series;
    double width = 1000.0;  ///< pixels; at least 420
};

/// Several results share one set of axes and the union of their ceilings.
RooflinePlot roofline_plot(const std::vector<TuneResult>& results);

}  // namespace rooftune
