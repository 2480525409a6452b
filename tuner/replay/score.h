// The auto-tuning community's score: how much earlier than random sampling a strategy finds good
// configurations, over a whole budget. 0 is random sampling, 1 finds the optimum at once, below 0 is worse
// than random. F.-J. Willemsen, R. Schoonhoven, J. Filipovič, J. O. Tørring, R. van Nieuwpoort, B. van
// Werkhoven, "A methodology for comparing optimization algorithms for auto-tuning", Future Generation
// Computer Systems 159 (2024). Pure arithmetic.
#pragma once

#include <cstddef>
#include <vector>

#include "tuner/replay/recorded_space.h"

namespace rooftune {

/// One run of a strategy: after each evaluation the seconds spent and the best time so far. Before the first
/// that works, `best` is infinite.
struct ReplayRun {
    std::vector<double> spent;  ///< ascending
    std::vector<double> best;   ///< never rising
};

/// What random sampling finds in a space, and the times at which strategies are compared with it.
class RandomBaseline {
public:
    /// Throws std::invalid_argument for a space without a valid configuration.
    explicit RandomBaseline(const RecordedSpace& space);

    double best() const { return worst_first_.back(); }
    double median() const { return median_; }
    double worst() const { return worst_first_.front(); }

    /// T(p) = f* + (m − f*)(1 − p): the time that is the share p of the way from the median to the best.
    double target(double p) const;
    /// Evaluations after which random sampling is expected to have reached T(p): ⌈i/(N + 1 − i)⌉ with i the
    /// first of the N times, worst first, that is no longer than T(p).
    double evaluations(double p) const;
    /// Seconds that these take: evaluations(p) × the median cost of a configuration, failures included.
    double seconds(double p) const;
    /// Best time that random sampling is expected to have found after t seconds: of M = max(1, round(t/τ))
    /// evaluations, τ the mean cost, the time at place M(N + 1)/(M + 1).
    double found(double t) const;
    /// `points` times from seconds(0.01) to seconds(0.95), evenly; one of them where the two are the same.
    std::vector<double> grid(std::size_t points = 50) const;

private:
    std::vector<double> worst_first_;
    double median_ = 0.0;
    double median_cost_ = 0.0, mean_cost_ = 0.0;
};

/// P(t) at each time of the grid: (S − F)/(S − f*), with F the mean over the runs of the best time so far,
/// and S what random sampling found. Before a run has found anything it counts with the worst time.
std::vector<double> score_curve(const RandomBaseline& baseline, const std::vector<ReplayRun>& runs,
                                const std::vector<double>& grid);

/// Mean over the times; NaN for none.
double mean(const std::vector<double>& values);

}  // namespace rooftune
