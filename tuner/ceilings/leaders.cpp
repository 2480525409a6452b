#include "tuner/ceilings/leaders.h"

#include <algorithm>

namespace rooftune {
namespace {

bool is_peak(const Ceiling& c) {
    return c.resource == Resource::compute && c.when.mix != Mix::div && c.when.mix != Mix::sqrt;
}

}  // namespace

Leaders::Leaders(const std::vector<Ceiling>& seen) {
    for (const Ceiling& c : seen) {
        const Conditions& w = c.when;
        if (c.resource == Resource::bandwidth) {
            const ReadWriteShare share = read_write_share(w.mix);
            Walk& best = walks_[{w.threads, w.footprint.value, w.shared, w.remote}];
            best.read = std::max(best.read, share.read * c.max);
            best.write = std::max(best.write, share.write * c.max);
            best.both = std::max(best.both, c.max);
        } else if (is_peak(c)) {
            double& best = peaks_[{w.dtype, w.width_bits, w.threads, w.unit}];
            best = std::max(best, c.max);
        }
    }
}

bool Leaders::worth_more(const Ceiling& c) const {
    const Conditions& w = c.when;
    const auto near = [](double rate, double best) { return rate > 0.0 && rate >= kShare * best; };
    if (c.resource == Resource::bandwidth) {
        const auto found = walks_.find({w.threads, w.footprint.value, w.shared, w.remote});
        if (found == walks_.end()) return true;
        const ReadWriteShare share = read_write_share(w.mix);
        const Walk& best = found->second;
        return near(share.read * c.max, best.read) || near(share.write * c.max, best.write) ||
               near(c.max, best.both);
    }
    if (is_peak(c)) {
        if (w.chains == 1 && w.threads == 1) return true;
        const auto found = peaks_.find({w.dtype, w.width_bits, w.threads, w.unit});
        return found == peaks_.end() || near(c.max, found->second);
    }
    return true;
}

}  // namespace rooftune
