#include "tuner/replay/score.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "tuner/measure/statistics.h"

namespace rooftune {
namespace {

double best_at(const ReplayRun& run, double t) {
    const auto after = std::upper_bound(run.spent.begin(), run.spent.end(), t);
    if (after == run.spent.begin()) return std::numeric_limits<double>::infinity();
    return run.best[static_cast<std::size_t>(after - run.spent.begin()) - 1];
}

}  // namespace

RandomBaseline::RandomBaseline(const RecordedSpace& space) : worst_first_(space.sorted()) {
    if (worst_first_.empty()) throw std::invalid_argument("a space without a valid configuration");
    median_ = rooftune::median(worst_first_);
    std::reverse(worst_first_.begin(), worst_first_.end());
    std::vector<double> costs;
    for (const RecordedConfiguration& c : space.configurations) costs.push_back(c.cost);
    median_cost_ = rooftune::median(costs);
    mean_cost_ = mean(costs);
    // A file that keeps no costs: an evaluation is the unit.
    if (mean_cost_ <= 0.0 || median_cost_ <= 0.0) mean_cost_ = median_cost_ = 1.0;
}

double RandomBaseline::target(double p) const {
    return best() + (median_ - best()) * (1.0 - p);
}

double RandomBaseline::evaluations(double p) const {
    const double limit = target(p);
    const auto first =
        std::find_if(worst_first_.begin(), worst_first_.end(), [&](double d) { return d <= limit; });
    const auto i = static_cast<double>(first - worst_first_.begin());
    const auto n = static_cast<double>(worst_first_.size());
    return std::max(1.0, std::ceil(i / (n + 1.0 - i)));
}

double RandomBaseline::seconds(double p) const {
    return evaluations(p) * median_cost_;
}

double RandomBaseline::found(double t) const {
    const auto n = static_cast<double>(worst_first_.size());
    const double m = std::max(1.0, std::round(t / mean_cost_));
    const double place = std::min(n - 1.0, std::round(m * (n + 1.0) / (m + 1.0)));
    return worst_first_[static_cast<std::size_t>(place)];
}

std::vector<double> RandomBaseline::grid(std::size_t points) const {
    const double from = seconds(0.01), to = seconds(0.95);
    if (to <= from || points < 2) return {from};
    std::vector<double> times;
    for (std::size_t i = 0; i < points; ++i)
        times.push_back(from + (to - from) * static_cast<double>(i) / static_cast<double>(points - 1));
    return times;
}

std::vector<double> score_curve(const RandomBaseline& baseline, const std::vector<ReplayRun>& runs,
                                const std::vector<double>& grid) {
    std::vector<double> curve;
    for (const double t : grid) {
        double sum = 0.0;
        for (const ReplayRun& run : runs) sum += std::min(best_at(run, t), baseline.worst());
        const double reached = sum / static_cast<double>(runs.size());
        const double random = baseline.found(t);
        const double left = random - baseline.best();
        // Where random sampling is at the optimum already, nobody can be ahead of it.
        if (left > 0.0) curve.push_back((random - reached) / left);
    }
    return curve;
}

double mean(const std::vector<double>& values) {
    if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace rooftune
