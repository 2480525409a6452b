#include "tuner/report/roofline_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tuner/report/phrases.h"

namespace rooftune {
namespace {

bool plottable(double value) {
    return std::isfinite(value) && value > 0.0;
}

/// A ceiling probed for several results is drawn once, at its highest rate.
void add_ceiling(std::vector<PlotCeiling>& ceilings, const PlotCeiling& ceiling) {
    if (!plottable(ceiling.rate)) return;
    for (PlotCeiling& known : ceilings) {
        if (known.bandwidth != ceiling.bandwidth || known.label != ceiling.label) continue;
        known.rate = std::max(known.rate, ceiling.rate);
        return;
    }
    ceilings.push_back(ceiling);
}

PlotSeries series_of(const TuneResult& r) {
    PlotSeries series;
    series.name = r.title.empty() ? r.family : r.title;
    if (r.backend == "opencl") series.name += " on OpenCL";
    for (const PlotPoint& point : r.points) {
        if (plottable(point.intensity) && plottable(point.flops_per_second)) series.points.push_back(point);
    }
    series.winner_name = variant_phrase(r.family, r.best);
    if (plottable(r.seconds.median) && plottable(r.flops_nominal)) {
        series.winner_rate = r.flops_nominal / r.seconds.median;
    }
    if (plottable(r.bound.seconds_lower) && plottable(r.flops_nominal)) {
        series.winner_bound = r.flops_nominal / r.bound.seconds_lower;
        series.fraction_of_variant_bound = r.fraction_of_variant_bound;
    }
    return series;
}

// Several problems on one set of axes: their winners, naive and default variants, and no two diagonals so
// close that they cannot be told apart (each problem has one at its own footprint).
void simplify(RooflinePlot& plot) {
    constexpr double kApart = 1.15;
    for (PlotSeries& series : plot.series) {
        std::erase_if(series.points,
                      [](const PlotPoint& p) { return p.kind == "measured" || p.kind == "excluded"; });
    }
    double above = 0.0;
    std::erase_if(plot.ceilings, [&](const PlotCeiling& c) {
        if (!c.bandwidth) return false;
        if (above > 0.0 && c.rate * kApart > above) return true;
        above = c.rate;
        return false;
    });
    for (PlotCeiling& c : plot.ceilings) c.label = c.label.substr(0, c.label.find(" (this problem)"));
}

}  // namespace

RooflinePlot roofline_plot(const std::vector<TuneResult>& results) {
    RooflinePlot plot;
    for (const TuneResult& r : results) {
        for (const PlotCeiling& ceiling : r.ceilings) add_ceiling(plot.ceilings, ceiling);
        plot.series.push_back(series_of(r));
    }
    // Highest first, so that the roof is the first of its kind.
    std::stable_sort(plot.ceilings.begin(), plot.ceilings.end(),
                     [](const PlotCeiling& a, const PlotCeiling& b) { return a.rate > b.rate; });
    if (results.size() > 1) simplify(plot);
    if (results.empty()) {
        plot.title = "Roofline: no results";
        return plot;
    }
    const TuneResult& first = results.front();
    plot.title = results.size() == 1 ? "Roofline: " + plot.series.front().name
                                     : fmt::format("Roofline: {} problems", results.size());
    const std::string& machine = first.machine_name.empty() ? first.machine_id : first.machine_name;
    const bool one_machine = std::all_of(results.begin(), results.end(), [&](const TuneResult& r) {
        return r.machine_id == first.machine_id && r.machine_name == first.machine_name;
    });
    plot.subtitle = one_machine ? machine : "several machines";
    if (results.size() == 1 && !first.state.empty()) {
        plot.subtitle += (plot.subtitle.empty() ? "" : " · ") + first.state + " caches";
    }
    return plot;
}

}  // namespace rooftune
