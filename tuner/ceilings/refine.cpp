#include "tuner/ceilings/refine.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

namespace rooftune {
namespace {

using Curve = std::map<double, double>;  // footprint to rate

// A ceiling that counts towards the curve of its mix and thread count: every condition beyond these at its
// usual value, since the others are probed on a coarser grid.
bool plain(const Ceiling& c) {
    Conditions usual;
    usual.mix = c.when.mix;
    usual.threads = c.when.threads;
    usual.footprint = c.when.footprint;
    usual.streams = c.when.streams;
    usual.huge_pages = true;
    return c.resource == Resource::bandwidth && c.when == usual;
}

bool between(const Curve& curve, double low, double high) {
    const auto at_low = curve.find(low);
    const auto at_high = curve.find(high);
    if (at_low == curve.end() || at_high == curve.end()) return false;
    return at_high->second < (1.0 - kWorthRefining) * at_low->second;
}

}  // namespace

std::vector<MissingFootprint> footprints_between(const std::vector<Ceiling>& seen) {
    std::map<int, std::map<Mix, Curve>> by_threads;
    for (const Ceiling& c : seen) {
        if (!plain(c) || c.max <= 0.0) continue;
        double& rate = by_threads[c.when.threads][c.when.mix][c.when.footprint.value];
        rate = std::max(rate, c.max);
    }
    std::vector<MissingFootprint> missing;
    for (auto& [threads, curves] : by_threads) {
        Curve all;
        for (auto& [mix, curve] : curves) {
            double best = 0.0;
            for (auto at = curve.rbegin(); at != curve.rend(); ++at)
                best = at->second = std::max(best, at->second);
            all.insert(curve.begin(), curve.end());
        }
        for (auto at = all.begin(); at != all.end() && std::next(at) != all.end(); ++at) {
            const double low = at->first;
            const double high = std::next(at)->first;
            const double middle = std::round(std::sqrt(low * high) / 1024.0) * 1024.0;
            if (high < kFinestStep * kFinestStep * low || middle <= low || middle >= high) continue;
            const bool falls = std::any_of(curves.begin(), curves.end(), [&](const auto& entry) {
                return between(entry.second, low, high);
            });
            if (falls) missing.push_back({Bytes(middle), threads});
        }
    }
    std::stable_sort(
        missing.begin(), missing.end(),
        [](const MissingFootprint& a, const MissingFootprint& b) { return a.footprint > b.footprint; });
    return missing;
}

}  // namespace rooftune
