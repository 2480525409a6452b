#include "tuner/engine/recent_probes.h"

#include <algorithm>

namespace rooftune {
namespace {

constexpr double kRecent = 300.0;  // seconds
constexpr double kLeastFootprint = 0.75;

bool stands_for(const Ceiling& probed, const Ceiling& wanted) {
    if (probed.resource != wanted.resource) return false;
    const double smaller = probed.when.footprint.value, w = wanted.when.footprint.value;
    if (smaller > w || smaller < kLeastFootprint * w) return false;
    Conditions same = probed.when;
    same.footprint = wanted.when.footprint;
    return same == wanted.when;
}

}  // namespace

std::vector<Ceiling> RecentProbes::missing(const std::vector<Ceiling>& wanted, double now) const {
    std::vector<Ceiling> left;
    for (const Ceiling& c : wanted) {
        const bool known = std::any_of(probes_.begin(), probes_.end(), [&](const Probe& p) {
            return now - p.when <= kRecent && stands_for(p.ceiling, c);
        });
        if (!known) left.push_back(c);
    }
    return left;
}

std::vector<Ceiling> RecentProbes::probes(double now) const {
    std::vector<Ceiling> recent;
    for (const Probe& p : probes_) {
        if (now - p.when <= kRecent) recent.push_back(p.ceiling);
    }
    return recent;
}

void RecentProbes::add(const std::vector<Ceiling>& probed, double now) {
    std::erase_if(probes_, [&](const Probe& p) { return now - p.when > kRecent; });
    for (const Ceiling& c : probed) {
        if (c.max > 0.0) probes_.push_back({c, now});
    }
}

}  // namespace rooftune
