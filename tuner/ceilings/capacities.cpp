#include "tuner/ceilings/capacities.h"

#include <algorithm>
#include <map>

namespace rooftune {

std::vector<BandwidthPoint> load_curve(const Machine& machine) {
    std::map<double, double> best;
    for (const Ceiling& c : machine.ceilings) {
        if (c.resource != Resource::bandwidth || c.when.mix != Mix::load || c.when.threads != 1) continue;
        if (!c.when.device.empty() || c.when.shared || c.when.remote) continue;
        double& rate = best[c.when.footprint.value];
        rate = std::max(rate, c.max);
    }
    std::vector<BandwidthPoint> curve;
    for (const auto& [footprint, rate] : best) curve.emplace_back(Bytes(footprint), rate);
    return curve;
}

std::vector<Bytes> find_capacities(const std::vector<BandwidthPoint>& curve) {
    std::vector<double> rate;
    for (const auto& point : curve) rate.push_back(point.second);
    for (std::size_t i = rate.size(); i > 1; --i) rate[i - 2] = std::max(rate[i - 2], rate[i - 1]);

    // A fall is a run of steps that each lose more than a twentieth; a capacity is a fall that loses a
    // quarter in all. A step between two flat ones is as good as a fall over several.
    constexpr double kStep = 0.95;
    constexpr double kFall = 0.75;
    std::vector<Bytes> capacities;
    for (std::size_t i = 0; i + 1 < rate.size();) {
        if (rate[i + 1] >= kStep * rate[i]) {
            ++i;
            continue;
        }
        std::size_t end = i + 1;
        while (end + 1 < rate.size() && rate[end + 1] < kStep * rate[end]) ++end;
        if (rate[end] <= kFall * rate[i]) capacities.push_back(curve[i].first);
        i = end;
    }
    return capacities;
}

void set_probed_caches(Machine& machine) {
    const std::vector<Bytes> capacities = find_capacities(load_curve(machine));
    std::size_t next = 0;
    double below = 0.0;
    for (std::size_t level = 0; level < machine.topology.caches.size(); ++level) {
        CacheLevel& cache = machine.topology.caches[level];
        cache.probed = Bytes(0.0);
        const bool shared_last = level + 1 == machine.topology.caches.size() && cache.shared_by > 1;
        for (std::size_t k = next; k < capacities.size(); ++k) {
            const double ratio = capacities[k].value / cache.reported.value;
            const bool near = ratio <= 3.0 && ratio >= 1.0 / 3.0;
            if (!near && !(shared_last && capacities[k].value > 2.0 * below)) continue;
            cache.probed = capacities[k];
            next = k + 1;
            below = capacities[k].value;
            break;
        }
        below = std::max(below, cache.probed.value > 0.0 ? cache.probed.value : cache.reported.value);
    }
}

}  // namespace rooftune
