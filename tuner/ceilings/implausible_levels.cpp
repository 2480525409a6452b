#include "tuner/ceilings/implausible_levels.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tuner/base/joined.h"
#include "tuner/base/si.h"
#include "tuner/ceilings/regions.h"

namespace rooftune {
namespace {

bool is_a_cores_own(const Topology& topology, const CacheLevel& cache) {
    const int threads_of_core = std::max(1, topology.threads / std::max(1, topology.cores));
    return cache.shared_by <= threads_of_core;
}

// The share of a level's rate from which on what lies behind it is too fast.
double too_fast_behind(const Topology& topology, const std::string& level) {
    for (const CacheLevel& cache : topology.caches) {
        if ("L" + std::to_string(cache.level) == level && is_a_cores_own(topology, cache))
            return kAsFastAsOwnCache;
    }
    return kFasterThanSharedCache;
}

double rate_within(const Machine& machine, const Region& region, Mix mix, int threads) {
    double rate = 0.0;
    for (const Ceiling& c : machine.ceilings) {
        const Conditions& w = c.when;
        if (c.resource != Resource::bandwidth || c.source != "probe" || !w.device.empty()) continue;
        if (w.mix != mix || w.threads != threads || w.shared || w.remote) continue;
        if (region.holds(w.footprint)) rate = std::max(rate, c.max);
    }
    return rate;
}

double share_of_nearer(const FlatStep& step) {
    return step.farther_rate / step.nearer_rate;
}

}  // namespace

ImplausibleLevels implausible_levels(const Machine& machine) {
    ImplausibleLevels found;
    const Topology& topology = machine.topology;
    if (!topology.source.empty()) return found;
    for (const CacheLevel& cache : topology.caches) {
        const bool is_small = cache.probed.value > 0.0 && cache.probed < cache.reported * kSmallCache;
        if (is_small && is_a_cores_own(topology, cache))
            found.small.push_back({cache.level, cache.reported, cache.probed});
    }
    std::set<int> thread_counts;
    for (const Ceiling& c : machine.ceilings) {
        if (c.resource == Resource::bandwidth && c.when.threads > 0) thread_counts.insert(c.when.threads);
    }
    for (const int threads : thread_counts) {
        const std::vector<Region> regions = regions_of(topology, threads);
        for (const Mix mix : {Mix::load, Mix::update, Mix::two_loads_store, Mix::store, Mix::copy}) {
            FlatStep step{.nearer = "", .farther = "", .mix = mix, .threads = threads};
            for (const Region& region : regions) {
                step.farther = region.name;
                step.farther_rate = rate_within(machine, region, mix, threads);
                if (step.farther_rate <= 0.0) continue;
                if (step.nearer_rate > 0.0 && share_of_nearer(step) >= too_fast_behind(topology, step.nearer))
                    found.flat.push_back(step);
                step.nearer = step.farther;
                step.nearer_rate = step.farther_rate;
            }
        }
    }
    std::stable_sort(found.flat.begin(), found.flat.end(), [](const FlatStep& a, const FlatStep& b) {
        return share_of_nearer(a) > share_of_nearer(b);
    });
    return found;
}

std::string implausible_levels_text(const Machine& machine, const std::string& again) {
    const ImplausibleLevels found = implausible_levels(machine);
    if (!found.any()) return "";
    std::vector<std::string> parts;
    for (const SmallCache& cache : found.small) {
        parts.push_back(fmt::format("the probes saw {} of the {} of L{}", format_capacity(cache.probed.value),
                                    format_capacity(cache.reported.value), cache.level));
    }
    if (!found.flat.empty()) {
        const FlatStep& worst = found.flat.front();
        std::string mix(to_text(worst.mix));
        std::replace(mix.begin(), mix.end(), '_', ' ');
        parts.push_back(fmt::format(
            "on {} {} is about as fast as {} or faster ({}: {} beside {}){}",
            format_plural(worst.threads, "thread"), worst.farther, worst.nearer, mix,
            format_si(worst.farther_rate, "B/s"), format_si(worst.nearer_rate, "B/s"),
            found.flat.size() > 1
                ? fmt::format(", and {}", format_plural(std::ssize(found.flat) - 1, "more such pair"))
                : ""));
    }
    return fmt::format(
        "The levels of cache cannot be as they stand here: {}. Other processes disturbed the probes, so that "
        "sizes and rates by level are wrong; {} again on a quiet machine draws the levels anew",
        joined(parts, "; "), again);
}

}  // namespace rooftune
