#include "tuner/ceilings/best_rates.h"

#include <algorithm>

namespace rooftune {
namespace {

// A rate without a thread count is the whole machine's.
bool is_of(const Ceiling& c, Resource resource, int threads) {
    const Conditions& w = c.when;
    return c.resource == resource && c.excludes && w.device.empty() && !w.shared && !w.remote && !w.sparse &&
           (c.when.threads == threads || c.when.threads == 0);
}

double margin_of(const Machine& machine, int ceiling) {
    return ceiling >= 0 ? machine.ceilings[static_cast<std::size_t>(ceiling)].margin() : 0.0;
}

}  // namespace

int all_threads(const Machine& machine) {
    int most = 0;
    for (const Ceiling& c : machine.ceilings) {
        if (c.resource != Resource::compute && c.resource != Resource::bandwidth) continue;
        if (c.when.threads == 0) return machine.topology.threads;
        most = std::max(most, c.when.threads);
    }
    return most > 0 ? most : machine.topology.threads;
}

BestRate peak_of(const Machine& machine, const Roofs& roofs, DType dtype, int width_bits, int threads) {
    BestRate best;
    for (const Ceiling& c : machine.ceilings) {
        const bool fits =
            is_of(c, Resource::compute, threads) && c.when.dtype == dtype && c.when.width_bits <= width_bits;
        if (!fits || c.max <= best.seen) continue;
        best.rate = best.seen = c.max;
        best.margin = c.margin();
    }
    const Roof roof = roofs.compute(dtype, width_bits, threads);
    if (!roof) return best;
    best.rate = roof.rate;
    best.margin = margin_of(machine, roof.ceiling);
    return best;
}

BestRate memory_bandwidth_of(const Machine& machine, const Roofs& roofs, int threads) {
    BestRate best;
    double footprint = 0.0;
    for (const Ceiling& c : machine.ceilings) {
        if (!is_of(c, Resource::bandwidth, threads) || c.when.footprint.value < footprint) continue;
        if (c.when.footprint.value == footprint && c.max <= best.seen) continue;
        footprint = c.when.footprint.value;
        best.rate = best.seen = c.max;
        best.margin = c.margin();
    }
    const std::vector<BandwidthStep>& steps = roofs.bandwidth(threads);
    if (steps.empty() || steps.back().both <= 0.0) return best;
    best.rate = steps.back().both;
    best.margin = margin_of(machine, steps.back().both_ceiling);
    return best;
}

}  // namespace rooftune
