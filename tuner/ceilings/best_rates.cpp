#include "tuner/ceilings/best_rates.h"

#include <algorithm>

#include "models/staircase.h"

namespace rooftune {
namespace {

bool is_of(const Ceiling& c, Resource resource) {
    const Conditions& w = c.when;
    return c.resource == resource && c.excludes && w.device.empty() && !w.shared && !w.remote && !w.sparse;
}

void set_roof(BestRate& rate, double roof) {
    rate.at_most = roof;
    rate.proven = roof > 0.0 && roof <= rate.seen * (1.0 + 1e-9);
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
        if (!is_of(c, Resource::compute) || c.when.dtype != dtype || c.when.width_bits > width_bits) continue;
        // Of more threads the fastest reached no less than their share.
        const bool of_so_many = threads_of(c.when) >= threads;
        const double rate = share_of(c.when, threads) * c.max;
        if (!of_so_many || rate <= best.seen) continue;
        best.seen = rate;
        best.margin = c.margin();
    }
    set_roof(best, roofs.compute(dtype, width_bits, threads).rate);
    return best;
}

BestRate memory_bandwidth_of(const Machine& machine, const Roofs& roofs, int threads) {
    BestRate best;
    double footprint = 0.0;
    for (const Ceiling& c : machine.ceilings) {
        // A rate without a thread count is the whole machine's.
        const bool fits = is_of(c, Resource::bandwidth) && (c.when.threads == threads || c.when.threads == 0);
        if (!fits || c.when.footprint.value < footprint) continue;
        if (c.when.footprint.value == footprint && c.max <= best.seen) continue;
        footprint = c.when.footprint.value;
        best.seen = c.max;
        best.margin = c.margin();
    }
    const std::vector<BandwidthStep>& steps = roofs.bandwidth(threads);
    if (!steps.empty()) set_roof(best, steps.back().both);
    return best;
}

BestRate ridge_of(const BestRate& peak, const BestRate& bandwidth) {
    if (peak.seen <= 0.0 || bandwidth.seen <= 0.0) return {};
    BestRate ridge;
    ridge.seen = peak.seen / bandwidth.seen;
    ridge.margin = (1.0 + peak.margin) * (1.0 + bandwidth.margin) - 1.0;
    ridge.at_most = bandwidth.at_most > 0.0 ? peak.at_most / bandwidth.at_most : 0.0;
    ridge.proven = peak.proven && bandwidth.proven;
    return ridge;
}

}  // namespace rooftune
