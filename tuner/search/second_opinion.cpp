#include "tuner/search/second_opinion.h"

#include <algorithm>
#include <cmath>

#include "tuner/search/strategies/draws.h"
#include "tuner/search/strategies/forest.h"

namespace rooftune {
namespace {

constexpr std::size_t kForestAsked = 512;  // the best of them is most likely in the best percent
constexpr std::size_t kBest = 256, kOthers = 256;

struct Timed {
    const Variant* variant;
    double seconds;
};

std::vector<Timed> timed(RunState& run) {
    std::vector<Timed> all;
    for (const auto& [variant, record] : run.ledger.records()) {
        if (const double seconds = typical(record); std::isfinite(seconds))
            all.push_back({&variant, seconds});
    }
    std::sort(all.begin(), all.end(), [](const Timed& a, const Timed& b) {
        return a.seconds != b.seconds ? a.seconds < b.seconds : *a.variant < *b.variant;
    });
    // The store may know thousands.
    keep_first_and_others(all, kBest, kOthers, run.random);
    return all;
}

// Absent parameters have the coordinate −1.
std::vector<int> coordinates(const Space& space, const Variant& variant) {
    std::vector<int> point;
    for (int p = 0; p < space.size(); ++p) point.push_back(std::max(-1, static_cast<int>(variant[p])));
    return point;
}

}  // namespace

std::optional<Variant> second_opinion(RunState& run, const std::vector<const Node*>& asked,
                                      const std::vector<Variant>& parents) {
    const Space& space = run.space();
    const std::vector<Timed> own = timed(run);
    if (own.empty()) return std::nullopt;
    const double best = own.front().seconds;
    std::vector<std::vector<int>> points;
    std::vector<double> values;
    const auto learn = [&](const Variant& variant, double seconds) {
        points.push_back(coordinates(space, variant));
        // The root draws out the last percents, which decide in the end.
        values.push_back(std::sqrt(std::log(std::max(1.0, seconds / best))));
    };
    for (const Timed& t : own) learn(*t.variant, t.seconds);
    for (const Experience& e : run.input.experience)
        learn(e.variant, run.source().rank(e.variant) * std::exp(e.log_ratio));
    const Forest forest(points, values, run.random);
    std::optional<Variant> choice;
    double most = -1.0;
    for (const Node* node : asked) {
        const bool beside = std::any_of(parents.begin(), parents.end(), [&](const Variant& parent) {
            return differences(space, node->partial, parent, 2) < 2;
        });
        if (!beside && below(run.random, asked.size()) >= kForestAsked) continue;
        const double improvement = expected_improvement(forest.at(coordinates(space, node->partial)));
        if (improvement > most) {
            most = improvement;
            choice = node->partial;
        }
    }
    return choice;
}

}  // namespace rooftune
