#include "tuner/formats/reference_time.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace rooftune {
namespace {

constexpr int kPairs = 6;  // the fewest with an interval of 95 %

// What the plot shows of it, as seconds.
TimeInterval plotted(const TuneResult& r, std::string_view kind) {
    const auto point =
        std::find_if(r.points.begin(), r.points.end(), [&](const PlotPoint& p) { return p.kind == kind; });
    if (point == r.points.end() || !(point->flops_per_second > 0.0) || !(r.flops_nominal > 0.0)) return {};
    TimeInterval seconds{.median = r.flops_nominal / point->flops_per_second};
    if (point->low > 0.0 && point->high > 0.0) {
        seconds.low = r.flops_nominal / point->high;
        seconds.high = r.flops_nominal / point->low;
    }
    return seconds;
}

}  // namespace

TimeInterval reference_time(const TuneResult& r, Reference which) {
    const bool naive = which == Reference::naive;
    if (!r.best.empty() && r.best == (naive ? r.naive : r.fallback)) return r.seconds;
    const TimeInterval& own = naive ? r.naive_seconds : r.default_seconds;
    if (own.median > 0.0) return own;
    if (const TimeInterval seconds = plotted(r, naive ? "naive" : "default"); seconds.median > 0.0)
        return seconds;
    const double ratio = naive ? r.speedup_over_naive : r.speedup_over_default;
    const double seconds = ratio * r.seconds.median;
    return {.median = ratio > 0.0 && std::isfinite(seconds) ? seconds : 0.0};
}

bool has_interval(const TimeInterval& seconds) {
    const bool known = seconds.low > 0.0 && std::isfinite(seconds.high);
    return known && (seconds.slots == 0 || seconds.slots >= kPairs);
}

}  // namespace rooftune
