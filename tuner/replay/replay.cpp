#include "tuner/replay/replay.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

namespace rooftune {
namespace {

constexpr int kPatience = 100;

// Points in a random order, those seen passed over.
class Unseen {
public:
    Unseen(std::size_t size, std::uint64_t seed) : order_(size), seen_(size, false) {
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        std::mt19937_64 random(seed ^ 0x9e3779b97f4a7c15ULL);
        std::shuffle(order_.begin(), order_.end(), random);
    }
    bool seen(std::size_t point) const { return seen_[point]; }
    void see(std::size_t point) { seen_[point] = true; }
    std::size_t any() {
        while (seen_[order_[next_]]) ++next_;
        return order_[next_];
    }

private:
    std::vector<std::size_t> order_;
    std::vector<bool> seen_;
    std::size_t next_ = 0;
};

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

double evaluations_until(const ReplayRun& run, double limit) {
    const auto first = std::find_if(run.best.begin(), run.best.end(), [&](double b) { return b <= limit; });
    return static_cast<double>(first - run.best.begin()) + 1.0;
}

}  // namespace

ReplayRun replay_once(const RecordedSpace& space, const Landscape& landscape, Strategy& strategy,
                      std::uint64_t seed) {
    const double best = space.sorted().front();
    ReplayRun run;
    Unseen unseen(landscape.size(), seed);
    double spent = 0.0, found = std::numeric_limits<double>::infinity();
    int repeated = 0;
    while (run.best.size() < landscape.size() && found > best) {
        std::size_t point = strategy.propose();
        if (point >= landscape.size() || (unseen.seen(point) && ++repeated > kPatience)) point = unseen.any();
        const RecordedConfiguration& c = space.configurations[point];
        if (!unseen.seen(point)) {
            repeated = 0;
            unseen.see(point);
            spent += c.cost > 0.0 ? c.cost : 1.0;
            if (c.seconds) found = std::min(found, *c.seconds);
            run.spent.push_back(spent);
            run.best.push_back(found);
        }
        strategy.observe(point, c.seconds);
    }
    return run;
}

Replay replay(const RecordedSpace& space, const std::vector<const StrategyKind*>& strategies,
              const ReplayRules& rules, const std::function<void(int)>& progress) {
    const Landscape landscape = space.landscape();
    const RandomBaseline baseline(space);
    Replay result;
    result.space = space.name;
    result.configurations = space.configurations.size();
    result.valid = space.sorted().size();
    result.best = baseline.best();
    result.median = baseline.median();
    result.worst = baseline.worst();
    result.grid = baseline.grid();
    for (const StrategyKind* kind : strategies) {
        std::vector<ReplayRun> runs;
        std::vector<double> near, nearer, there;
        for (int i = 0; i < rules.runs; ++i) {
            const std::uint64_t seed = rules.seed * 1000003 + static_cast<std::uint64_t>(i);
            const auto strategy = kind->make(landscape, seed);
            runs.push_back(replay_once(space, landscape, *strategy, seed));
            near.push_back(evaluations_until(runs.back(), 1.05 * result.best));
            nearer.push_back(evaluations_until(runs.back(), 1.01 * result.best));
            there.push_back(evaluations_until(runs.back(), result.best));
            if (progress) progress(static_cast<int>(result.strategies.size()) * rules.runs + i + 1);
        }
        StrategyReplay s;
        s.name = std::string(kind->name);
        s.within_5pct = spread_of(near);
        s.within_1pct = spread_of(nearer);
        s.optimum = spread_of(there);
        s.curve = score_curve(baseline, runs, result.grid);
        s.score = mean(s.curve);
        result.strategies.push_back(std::move(s));
    }
    return result;
}

}  // namespace rooftune
