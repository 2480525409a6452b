#include "tuner/replay/scorable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "tuner/base/si.h"
#include "tuner/replay/replay.h"

namespace rooftune {
namespace {

constexpr std::uint64_t kSeed = 1;
constexpr const char* kCountsStand = " How many evaluations each strategy needed stands all the same.";

std::string drawn_unfairly(const RecordedSpace& space) {
    switch (space.drawn) {
        case Drawn::searched:
            return "it holds what a search measured, and not the whole space: bounds or a strategy chose "
                   "which variants, so random sampling of these is not random sampling of the space. "
                   "Measure it whole (`rooftune tune … --exhaustive`) or draw from it (`rooftune tune … "
                   "--strategy random --no-bounds`), and replay that.";
        case Drawn::cut_short:
            return "its run was cut short, and what it had measured by then is not a fair draw from the "
                   "whole space. Let the run go on to its end, and replay that.";
        case Drawn::unknown:
        case Drawn::whole:
        case Drawn::uniform:
            return "";
    }
    return "";
}

/// Every configuration in an order drawn at random, as far as the budget goes.
ReplayRun random_run(const RecordedSpace& space, double unknown_cost, double budget,
                     std::mt19937_64& random) {
    std::vector<std::size_t> order(space.configurations.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    ReplayRun run;
    double spent = 0.0, best = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < order.size() && spent <= budget; ++i) {
        // Not std::shuffle, whose draws differ between libraries.
        std::swap(order[i], order[i + static_cast<std::size_t>(random() % (order.size() - i))]);
        const RecordedConfiguration& c = space.configurations[order[i]];
        spent += c.cost > 0.0 ? c.cost : unknown_cost;
        best = std::min(best, usable_time(c.seconds).value_or(best));
        run.spent.push_back(spent);
        run.best.push_back(best);
    }
    return run;
}

}  // namespace

double score_of_random(const RecordedSpace& space, const RandomBaseline& baseline, int runs) {
    const std::vector<double> grid = baseline.grid();
    const double unknown_cost = space.unknown_cost();
    std::mt19937_64 random(kSeed);
    std::vector<ReplayRun> all;
    for (int i = 0; i < runs; ++i)
        all.push_back(random_run(space, unknown_cost, kReplayBudget * grid.back(), random));
    return mean(score_curve(baseline, all, grid));
}

std::string why_no_score(const RecordedSpace& space, const RandomBaseline& baseline) {
    if (const std::string unfair = drawn_unfairly(space); !unfair.empty()) return unfair + kCountsStand;
    const double held = baseline.budget_evaluations();
    if (held < kLeastBudget)
        return fmt::format(
                   "its budget, the time in which random sampling goes 95 % of the way from the median to "
                   "the best, holds {}, and every strategy here begins with {} at random "
                   "({:.0f} are asked for). Replay a larger space, or one whose good configurations are "
                   "rarer.",
                   format_plural(static_cast<std::int64_t>(held), "evaluation"), kDesign, kLeastBudget) +
               kCountsStand;
    const double random = score_of_random(space, baseline);
    if (!(std::abs(random) <= kZeroWithin))
        return (std::isnan(random)
                    ? std::string("random sampling is at the best from the beginning. Replay a space whose "
                                  "good configurations are rarer.")
                    : fmt::format("random sampling itself scores {:.2f} here, where the scale means 0: what "
                                  "evaluations cost, or how many of them fail, is not what the method takes "
                                  "it to be. Replay a space of which most configurations work and all were "
                                  "measured in the same way.",
                                  random)) +
               kCountsStand;
    return "";
}

}  // namespace rooftune
