#include "models/roofline.h"

#include <limits>

namespace rooftune {
namespace {

// The roof with one ceiling in place of the roof of its kind.
Roofline under(const Roofline& roof, const MissingCeiling& ceiling) {
    Roofline lower = roof;
    if (ceiling.memory) {
        lower.bandwidth = std::min(roof.bandwidth, BytesPerSecond(ceiling.rate));
    } else {
        lower.peak = std::min(roof.peak, OperationsPerSecond(ceiling.rate));
    }
    return lower;
}

}  // namespace

PayingRegion paying_region(const Roofline& roof, const std::vector<MissingCeiling>& ceilings, Intensity i) {
    Roofline lowest = roof;
    for (const MissingCeiling& ceiling : ceilings) {
        const Roofline one = under(roof, ceiling);
        lowest.peak = std::min(lowest.peak, one.peak);
        lowest.bandwidth = std::min(lowest.bandwidth, one.bandwidth);
    }
    const bool compute = lowest.peak < roof.peak && lowest.peak < roof.bandwidth * i;
    const bool memory = lowest.bandwidth < roof.bandwidth && lowest.bandwidth * i < roof.peak;
    if (compute) return memory ? PayingRegion::both : PayingRegion::compute;
    return memory ? PayingRegion::memory : PayingRegion::none;
}

std::vector<MissingCost> missing_costs(const Roofline& roof, const std::vector<MissingCeiling>& ceilings,
                                       Intensity i) {
    std::vector<MissingCost> costs;
    for (const MissingCeiling& ceiling : ceilings) {
        const OperationsPerSecond without = under(roof, ceiling).attainable(i);
        const double factor = without.value > 0.0              ? roof.attainable(i) / without
                              : roof.attainable(i).value > 0.0 ? std::numeric_limits<double>::infinity()
                                                               : 1.0;
        costs.push_back({ceiling, factor});
    }
    std::stable_sort(costs.begin(), costs.end(),
                     [](const MissingCost& a, const MissingCost& b) { return a.factor > b.factor; });
    return costs;
}

}  // namespace rooftune
