#include "tuner/engine/warm_start.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "tuner/choose/closest_variant.h"
#include "tuner/search/run_state.h"

namespace rooftune {
namespace {

// Experience outvotes what the run itself sees when there is too much of it.
constexpr std::size_t kMostExperience = 240;
// One value that does not exist here leaves a variant that still says something about the others.
constexpr int kMostChanged = 1;

double ratio_of_best(const WarmStart& warm_start) {
    for (const WarmStart::Timing& t : warm_start.timings) {
        if (t.variant == warm_start.best) return t.log_ratio;
    }
    double least = 0.0;
    for (const WarmStart::Timing& t : warm_start.timings) least = std::min(least, t.log_ratio);
    return least;
}

}  // namespace

int taught_patience(std::uint64_t variants) {
    constexpr double kShare = 0.5;
    constexpr int kLeast = 20;
    return std::max(kLeast, static_cast<int>(kShare * usual_patience(variants).unrewarded));
}

double teach(std::span<const WarmStart* const> neighbours, SearchInput& input) {
    double common = 0.0;
    if (neighbours.empty()) return common;
    for (const WarmStart* warm_start : neighbours)
        common += ratio_of_best(*warm_start) / static_cast<double>(neighbours.size());
    std::set<Variant> started, told;
    for (const WarmStart* warm_start : neighbours) {
        const auto start = closest_variant(*input.space, warm_start->best);
        if (start && started.insert(start->variant).second) input.starts.push_back(start->variant);
    }
    for (const WarmStart* warm_start : neighbours) {
        const double shift = common - ratio_of_best(*warm_start);
        for (const WarmStart::Timing& t : warm_start->timings) {
            if (input.experience.size() >= kMostExperience) return common;
            const auto here = closest_variant(*input.space, t.variant);
            // Of a variant that several have measured the nearest problem's timing counts.
            if (!here || here->changed > kMostChanged || !told.insert(here->variant).second) continue;
            input.experience.push_back({here->variant, t.log_ratio + shift});
        }
    }
    return common;
}

WarmStart warm_start_of(const SearchResult& found, const SearchInput& input, double taught) {
    const Roofs roofs(found.machine);
    const BoundModel bound(roofs, found.demoted);
    const BoundSource source{input.space, input.model, &bound};
    WarmStart warm_start;
    if (found.best) warm_start.best = input.space->to_map(*found.best);
    std::set<Variant> timed;
    for (const auto& [variant, record] : input.known) warm_start.tried.insert(input.space->to_map(variant));
    for (const Observation& o : found.observations) {
        warm_start.tried.insert(input.space->to_map(o.variant));
        const double seconds = typical(o.record);
        const bool right = o.record.outcome == Outcome::measured || o.record.outcome == Outcome::raced_out;
        const double estimate = source.rank(o.variant);
        if (!right || !std::isfinite(seconds) || !(seconds > 0.0) || !(estimate > 0.0)) continue;
        timed.insert(o.variant);
        warm_start.timings.push_back({input.space->to_map(o.variant), std::log(seconds / estimate)});
    }
    const double shift = ratio_of_best(warm_start) - taught;
    for (const Experience& e : input.experience) {
        if (!timed.contains(e.variant))
            warm_start.timings.push_back({input.space->to_map(e.variant), e.log_ratio + shift});
    }
    return warm_start;
}

}  // namespace rooftune
