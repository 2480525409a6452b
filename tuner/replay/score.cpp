#include "tuner/replay/score.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>
#include <utility>

#include "tuner/measure/statistics.h"
#include "tuner/replay/monotone.h"
#include "tuner/search/strategies/strategy.h"

namespace rooftune {
namespace {

constexpr double kFirstShare = 0.01, kLastShare = 0.95;
// Points that count lie within the grid and this much of it beyond, and more where runs are short.
constexpr double kMargin = 0.1, kMarginOfShortRuns = 0.25;
constexpr double kTwo = 2.0;  // evaluations that a run, and a window, must have
// Points and times of the grid that all fits together may go over, and groups of fits at most: short runs,
// whose scores scatter widely, get many groups, and long ones, whose groups agree, cost no more for it.
constexpr std::size_t kWork = 50'000'000, kGroups = 1000;

/// A best time so far, as its rank, and when it was.
struct RankPoint {
    double seconds = 0.0, rank = 0.0;
};

// To the nearest whole number, a half to the even one.
double rounded(double value) {
    return std::nearbyint(value);
}

// Runs end at different times; evaluations without anything found are no points.
std::size_t found_rows(const std::vector<ReplayRun>& runs) {
    std::size_t longest = 0, before = std::numeric_limits<std::size_t>::max();
    for (const ReplayRun& run : runs) {
        const auto first =
            std::find_if(run.best.begin(), run.best.end(), [](double b) { return std::isfinite(b); });
        if (first == run.best.end()) continue;
        longest = std::max(longest, run.best.size());
        before = std::min(before, static_cast<std::size_t>(first - run.best.begin()));
    }
    return longest == 0 ? 0 : longest - before;
}

// All points that count, by time.
std::vector<RankPoint> points_within(const RandomBaseline& baseline, const std::vector<ReplayRun>& runs,
                                     const std::vector<double>& grid) {
    const double margin =
        kMargin + kMarginOfShortRuns / static_cast<double>(std::max<std::size_t>(found_rows(runs), 1));
    const double from = grid.front() * (1.0 - margin), to = grid.back() * (1.0 + margin);
    std::vector<RankPoint> points;
    for (const ReplayRun& run : runs) {
        const std::size_t others = points.size();
        double before = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < run.spent.size(); ++i) {
            if (!std::isfinite(run.best[i])) continue;
            if (run.spent[i] < from) before = run.best[i];
            if (run.spent[i] < from || run.spent[i] > to) continue;
            points.push_back({run.spent[i], static_cast<double>(baseline.rank(run.best[i]))});
        }
        // A run without an evaluation in all that time still has what it found before.
        if (points.size() == others && std::isfinite(before))
            points.push_back({grid.front(), static_cast<double>(baseline.rank(before))});
    }
    std::stable_sort(points.begin(), points.end(),
                     [](const RankPoint& a, const RankPoint& b) { return a.seconds < b.seconds; });
    return points;
}

// Fits to parts of the points, in groups of which each has as many as the package has in all.
class RankFits {
public:
    RankFits(std::vector<RankPoint> points, std::size_t runs)
        : points_(std::move(points)), column_(points_.size(), 0), size_(std::max<std::size_t>(runs, 3)) {
        // Points at one time are one of their mean, else the fit would depend on their order.
        for (std::size_t i = 0; i < points_.size(); ++i) {
            if (times_.empty() || points_[i].seconds > times_.back()) times_.push_back(points_[i].seconds);
            column_[i] = times_.size() - 1;
        }
        const double share = static_cast<double>(points_.size()) / std::sqrt(static_cast<double>(size_));
        draws_ = std::max<std::size_t>(1, static_cast<std::size_t>(share));
    }

    std::size_t groups(std::size_t times) const {
        return std::clamp<std::size_t>(kWork / (size_ * (points_.size() + times)), 1, kGroups);
    }

    // The mean rank of the next group's fits at each time of the grid.
    std::vector<double> next(const std::vector<double>& grid) {
        std::vector<double> ranks(grid.size(), 0.0);
        for (std::size_t f = 0; f < size_; ++f) {
            sum_.assign(times_.size(), 0.0);
            weight_.assign(times_.size(), 0.0);
            for (std::size_t d = 0; d < draws_; ++d) {
                const auto drawn = static_cast<std::size_t>(random_() % points_.size());
                sum_[column_[drawn]] += points_[drawn].rank;
                weight_[column_[drawn]] += 1.0;
            }
            FallingFit fit;
            for (std::size_t c = 0; c < times_.size(); ++c) {
                if (weight_[c] > 0.0) fit.add(times_[c], sum_[c], weight_[c]);
            }
            fit.add_to(grid, ranks);
        }
        for (double& rank : ranks) rank /= static_cast<double>(size_);
        return ranks;
    }

private:
    std::vector<RankPoint> points_;
    std::vector<std::size_t> column_;  // of each point, in times_
    std::size_t size_, draws_ = 1;
    std::vector<double> times_, sum_, weight_;
    std::mt19937_64 random_{1};
};

// Where fewer than half of the runs are left: when the first of the other half ends, or the last of the grid.
double trusted_until(const std::vector<ReplayRun>& runs, double last) {
    std::vector<double> ends;
    for (const ReplayRun& run : runs) {
        if (!run.best.empty() && std::isfinite(run.best.back())) ends.push_back(run.spent.back());
    }
    if (ends.empty()) return last;
    std::sort(ends.begin(), ends.end());
    const auto next = std::upper_bound(ends.begin(), ends.end(), median(ends));
    return next == ends.end() ? last : *next;
}

}  // namespace

RandomBaseline::RandomBaseline(const RecordedSpace& space) : worst_first_(space.sorted()) {
    if (worst_first_.empty()) throw std::invalid_argument("a space without a valid configuration");
    median_ = rooftune::median(worst_first_);
    std::reverse(worst_first_.begin(), worst_first_.end());
    std::vector<double> costs, working, failing;
    const double unknown = space.unknown_cost();
    for (const RecordedConfiguration& c : space.configurations) {
        costs.push_back(c.cost > 0.0 ? c.cost : unknown);
        (usable_time(c.seconds) ? working : failing).push_back(costs.back());
    }
    median_cost_ = rooftune::median(costs);
    evaluation_cost_ = mean(working);
    if (!failing.empty())
        evaluation_cost_ +=
            mean(failing) * static_cast<double>(failing.size()) / static_cast<double>(costs.size());
}

double RandomBaseline::target(double p) const {
    return best() + (median_ - best()) * (1.0 - p);
}

double RandomBaseline::evaluations(double p) const {
    const double limit = target(p);
    auto first = std::find_if(worst_first_.begin(), worst_first_.end(), [&](double d) { return d <= limit; });
    if (p < 1.0 && *first == best() && first != worst_first_.begin()) --first;
    const auto i = static_cast<double>(first - worst_first_.begin());
    const auto n = static_cast<double>(worst_first_.size());
    return std::ceil(i / (n + 1.0 - i));
}

RandomBaseline::Window RandomBaseline::window() const {
    Window w{evaluations(kFirstShare), evaluations(kLastShare)};
    if (w.to - w.from >= kTwo) return w;
    w.to += w.from > 0.0 ? 1.0 : kTwo;
    w.from = std::max(0.0, w.from - 1.0);
    const double limit = best() / kMillisecond;
    // The widest that points may lie beyond the end is with two evaluations a run.
    const double room = 1.0 + kMargin + kMarginOfShortRuns / kTwo;
    if (limit * room >= kTwo) w.to = std::min(w.to, limit);
    return w;
}

double RandomBaseline::budget_evaluations() const {
    return evaluations(kLastShare) * std::min(1.0, median_cost_ / evaluation_cost_);
}

std::vector<double> RandomBaseline::grid(std::size_t points) const {
    const Window w = window();
    const double from = w.from * median_cost_, to = w.to * median_cost_;
    std::vector<double> times;
    for (std::size_t i = 0; i < points; ++i)
        times.push_back(points == 1
                            ? from
                            : from + (to - from) * static_cast<double>(i) / static_cast<double>(points - 1));
    return times;
}

double RandomBaseline::drawn(double m) const {
    const auto n = static_cast<double>(worst_first_.size());
    const double place = std::min(n - 1.0, rounded(m * (n + 1.0) / (m + 1.0)));
    return worst_first_[static_cast<std::size_t>(place)];
}

std::vector<double> RandomBaseline::found(const std::vector<double>& times) const {
    std::vector<double> all, steps, values;
    for (const double t : times) {
        const double m = rounded(std::max(1.0, t / evaluation_cost_));
        all.push_back(drawn(m));
        if (!steps.empty() && m <= steps.back()) continue;
        steps.push_back(m);
        values.push_back(all.back());
    }
    if (times.size() <= 2 || steps.size() < 2) return all;
    const double first = steps.front(), last = steps.back();
    const MonotoneCubic smooth(std::move(steps), std::move(values));
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] =
            smooth.at(first + (last - first) * static_cast<double>(i) / static_cast<double>(all.size() - 1));
    return all;
}

std::size_t RandomBaseline::rank(double seconds) const {
    return static_cast<std::size_t>(std::lower_bound(worst_first_.rbegin(), worst_first_.rend(), seconds) -
                                    worst_first_.rbegin());
}

std::vector<double> reached(const RandomBaseline& baseline, const std::vector<ReplayRun>& runs,
                            const std::vector<double>& grid) {
    if (grid.empty()) return {};
    std::vector<RankPoint> points = points_within(baseline, runs, grid);
    if (points.empty()) return std::vector<double>(grid.size(), baseline.worst());
    const double most = static_cast<double>(baseline.valid()) - 1.0;
    RankFits fits(std::move(points), runs.size());
    const std::size_t groups = fits.groups(grid.size());
    std::vector<double> curve(grid.size(), 0.0);
    for (std::size_t g = 0; g < groups; ++g) {
        const std::vector<double> ranks = fits.next(grid);
        for (std::size_t i = 0; i < grid.size(); ++i)
            curve[i] += baseline.at_rank(static_cast<std::size_t>(std::clamp(rounded(ranks[i]), 0.0, most)));
    }
    for (double& seconds : curve) seconds /= static_cast<double>(groups);
    const double until = trusted_until(runs, grid.back());
    const auto level =
        static_cast<std::size_t>(std::upper_bound(grid.begin(), grid.end(), until) - grid.begin());
    for (std::size_t i = level + 1; i < curve.size(); ++i) curve[i] = curve[level];
    return curve;
}

std::vector<double> score_curve(const RandomBaseline& baseline, const std::vector<ReplayRun>& runs,
                                const std::vector<double>& grid) {
    const std::vector<double> found = reached(baseline, runs, grid), random = baseline.found(grid);
    std::vector<double> curve;
    for (std::size_t i = 0; i < grid.size(); ++i) {
        const double left = random[i] - baseline.best();
        if (left <= 0.0) break;
        curve.push_back((random[i] - found[i]) / left);
    }
    return curve;
}

double mean(const std::vector<double>& values) {
    if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace rooftune
