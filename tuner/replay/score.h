// The auto-tuning community's score: how much earlier than random sampling a strategy finds good
// configurations, over a whole budget. 0 is random sampling, 1 finds the optimum at once, below 0 is worse
// than random. F.-J. Willemsen, R. Schoonhoven, J. Filipovič, J. O. Tørring, R. van Nieuwpoort, B. van
// Werkhoven, "A methodology for comparing optimization algorithms for auto-tuning", Future Generation
// Computer Systems 159 (2024). Pure arithmetic.
//
// Where the paper leaves a choice, or the authors' own package (autotuning-methodology 1.1.0 on PyPI) makes
// another one, this follows the package, so that scores can be compared: `results/score_peer.md` has both on
// the same runs. What follows the package and is not in the paper is said at each function.
#pragma once

#include <cstddef>
#include <vector>

#include "tuner/replay/recorded_space.h"

namespace rooftune {

/// One run of a strategy: after each evaluation the seconds spent and the best time so far. Before the first
/// that works, `best` is infinite.
struct ReplayRun {
    std::vector<double> spent;        ///< ascending
    std::vector<double> best;         ///< never rising
    std::vector<std::size_t> points;  ///< which configuration each evaluation measured; may be empty
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
    /// first of the N times, worst first, that is no longer than T(p). As in the package, i is one less where
    /// that time is the best itself and p is not 1: else a space with one good configuration would have a
    /// budget that ends at the optimum, where nothing is left to be ahead of.
    double evaluations(double p) const;

    /// The evaluations over which strategies are compared: from evaluations(0.01) to evaluations(0.95). Where
    /// these are fewer than two apart, the package widens them, because there would be one time or none to
    /// compare at: by one at both ends, or by two at the upper end where the lower one is 0.
    ///
    /// The package then limits the upper end to the best *time*, in the milliseconds of its files, where it
    /// must mean the evaluations that finding the best takes: cutoff_point_fevals_time_start_end takes
    /// element 0 of the pair that cutoff_point returns, and element 1 is the evaluations. So its score of
    /// such a space depends on the unit of its file. One space was compared over 2 evaluations with a best
    /// time of 10 ms, over 1.9 with 1.9 ms, and with 0.019 ms over 0.019, for which it had no score. That is
    /// followed as far as the package gives one, which it does not where a run has fewer than two evaluations
    /// within at most 1.225 of the budget; where the best time would leave no room for two, it limits nothing
    /// here.
    struct Window {
        double from = 0.0, to = 0.0;
    };
    Window window() const;
    /// Evaluations that the budget holds before it is widened: those after which random sampling is expected
    /// to be at the cutoff, or fewer where most of what evaluations cost falls to few of them, since the
    /// budget is told in median costs.
    double budget_evaluations() const;
    /// `points` times, evenly over the window; an evaluation takes the median cost of a configuration,
    /// failures included.
    std::vector<double> grid(std::size_t points = 1000) const;

    /// Best time that random sampling is expected to have found after m evaluations: that at place
    /// m(N + 1)/(m + 1) of the N, worst first. Halves go to the even neighbour, as in the package's language.
    double drawn(double m) const;
    /// The same after each of `times`, which ascend: S(t). After t seconds m = max(1, round(t/τ)) evaluations
    /// are made. As in the package, τ is the mean cost of a valid configuration plus the mean cost of a
    /// failure times the share of failures, and the steps of S are smoothed by a monotone cubic over
    /// evaluations, from the first m to the last, which is spread evenly over `times`.
    std::vector<double> found(const std::vector<double>& times) const;

    /// How many configurations are faster than this.
    std::size_t rank(double seconds) const;
    /// The time of that rank: 0 is the best.
    double at_rank(std::size_t rank) const { return worst_first_[worst_first_.size() - 1 - rank]; }
    std::size_t valid() const { return worst_first_.size(); }

private:
    std::vector<double> worst_first_;
    double median_ = 0.0;
    double median_cost_ = 0.0, evaluation_cost_ = 0.0;
};

/// F(t): what the runs have found by each time of the grid. Every evaluation of every run is a point, at the
/// seconds spent, with the *rank* of the best time so far; the falling least-squares fit through them,
/// rounded, is the rank whose time is F. Ranks, because one slow run would decide over a mean of times.
///
/// The package does what the paper does not tell. Of R runs, max(3, R) fits are averaged, each to
/// n/√max(3, R) of the n points, drawn with replacement from a generator that it does not seed. Its score of
/// short runs scatters by that, where the time jumps from one rank to the next. Here it is the mean over many
/// such groups of fits, whose draws are the same each time: what the package's scores scatter around.
///
/// Only points within the grid count, and a tenth more on both sides, plus 0.25 over the number of
/// evaluations of the longest run. Evaluations before a run's first valid configuration are no points, so
/// that a run which has not found anything yet is left out, and does not count with the worst time of the
/// space. Where more than half of the runs end before the grid does, the curve is level from where the next
/// run ends.
///
/// The package gives no score where a run has fewer than two points. Here one that ended before has a point
/// at the beginning, with what it had found; else the other runs speak for it; and without any point at all
/// the worst time is what was found.
std::vector<double> reached(const RandomBaseline& baseline, const std::vector<ReplayRun>& runs,
                            const std::vector<double>& grid);

/// P(t) at each time of the grid: (S − F)/(S − f*). It ends where random sampling is at the optimum already,
/// since nobody can be ahead of it; the package gives no score for such a space.
std::vector<double> score_curve(const RandomBaseline& baseline, const std::vector<ReplayRun>& runs,
                                const std::vector<double>& grid);

/// Mean over the times; NaN for none.
double mean(const std::vector<double>& values);

}  // namespace rooftune
