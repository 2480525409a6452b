#include "tuner/replay/replay.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "kernels/runtime/error.h"
#include "tuner/replay/scorable.h"
#include "tuner/search/strategies/memory.h"

namespace rooftune {
namespace {

// The k-th smallest of n by the nearest rank.
double quantile(const std::vector<double>& sorted, double q) {
    const auto n = static_cast<double>(sorted.size());
    const double rank = std::clamp(std::ceil(q * n), 1.0, n);
    return sorted[static_cast<std::size_t>(rank) - 1];
}

Spread spread_of(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return {quantile(values, 0.5), quantile(values, 0.25), quantile(values, 0.75)};
}

// The part of a run that the score looks at, and that a tuner would have made that stops after `seconds`.
void cut_after(ReplayRun& run, double seconds) {
    const auto last = std::upper_bound(run.spent.begin(), run.spent.end(), seconds) - run.spent.begin();
    const std::size_t kept = std::min(run.spent.size(), static_cast<std::size_t>(last) + 1);
    run.spent.resize(kept);
    run.best.resize(kept);
    run.points.resize(kept);
}

double evaluations_until(const ReplayRun& run, double limit) {
    const auto first = std::find_if(run.best.begin(), run.best.end(), [&](double b) { return b <= limit; });
    return static_cast<double>(first - run.best.begin()) + 1.0;
}

}  // namespace

ReplayRun replay_once(const RecordedSpace& space, const Landscape& landscape, Strategy& strategy,
                      std::uint64_t seed, double at_least) {
    const double best = space.sorted().front();
    std::optional<double> unknown;  // asked for by few spaces
    ReplayRun run;
    // Its draws are not the strategy's: same seed, other numbers.
    std::mt19937_64 random(seed ^ 0x9e3779b97f4a7c15ULL);
    Memory memory(landscape.size(), random);
    double spent = 0.0;
    int repeated = 0;
    while (!memory.all() && (memory.best_value() > best || spent <= at_least)) {
        std::size_t point = strategy.propose();
        if (point >= landscape.size() || (memory.seen(point) && ++repeated > kReplayPatience))
            point = memory.any();
        const RecordedConfiguration& c = space.configurations[point];
        const std::optional<double> seconds = usable_time(c.seconds);
        if (memory.observe(point, seconds)) {
            repeated = 0;
            if (!(c.cost > 0.0) && !unknown) unknown = space.unknown_cost();
            spent += c.cost > 0.0 ? c.cost : *unknown;
            run.spent.push_back(spent);
            run.best.push_back(memory.best_value());
            run.points.push_back(point);
        }
        strategy.observe(point, seconds);
    }
    return run;
}

Replay replay(const RecordedSpace& space, const std::vector<const StrategyKind*>& strategies,
              const ReplayRules& rules, const std::function<void(int)>& progress) {
    if (space.sorted().empty()) throw InputError(space.name + ": no configuration works; nothing to find");
    const ListedLandscape landscape = space.landscape();
    const RandomBaseline baseline(space);
    Replay result;
    result.space = space.name;
    result.configurations = space.configurations.size();
    result.valid = space.sorted().size();
    result.best = baseline.best();
    result.median = baseline.median();
    result.worst = baseline.worst();
    result.grid = baseline.grid();
    result.budget = kReplayBudget * result.grid.back();
    result.no_score = why_no_score(space, baseline);
    result.of_records = space.of_records;
    if (rules.keep_runs) {
        const double unknown = space.unknown_cost();
        for (const RecordedConfiguration& c : space.configurations)
            result.recorded.push_back({usable_time(c.seconds), c.cost > 0.0 ? c.cost : unknown});
    }
    for (const StrategyKind* kind : strategies) {
        std::vector<ReplayRun> runs;
        std::vector<double> near, nearer, there;
        for (int i = 0; i < rules.runs; ++i) {
            const std::uint64_t seed = rules.seed * 1000003 + static_cast<std::uint64_t>(i);
            const auto strategy = kind->make(landscape, seed);
            runs.push_back(replay_once(space, landscape, *strategy, seed, result.budget));
            near.push_back(evaluations_until(runs.back(), 1.05 * result.best));
            nearer.push_back(evaluations_until(runs.back(), 1.01 * result.best));
            there.push_back(evaluations_until(runs.back(), result.best));
            cut_after(runs.back(), result.budget);
            if (progress) progress(static_cast<int>(result.strategies.size()) * rules.runs + i + 1);
        }
        StrategyReplay s;
        s.name = std::string(kind->name);
        s.within_5pct = spread_of(near);
        s.within_1pct = spread_of(nearer);
        s.optimum = spread_of(there);
        s.curve = score_curve(baseline, runs, result.grid);
        s.score = s.arithmetic = mean(s.curve);
        if (!result.no_score.empty()) {
            s.score = std::numeric_limits<double>::quiet_NaN();
            s.curve.clear();
        }
        if (rules.keep_runs) s.runs = std::move(runs);
        result.strategies.push_back(std::move(s));
    }
    return result;
}

}  // namespace rooftune
