#include "models/joint_rate.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "models/staircase.h"

namespace rooftune {
namespace {

constexpr double kLine = 64.0;        // bytes
constexpr double kRounding = 1024.0;  // probes' footprints are whole kilobytes

bool is_copy(Mix mix) {
    return mix == Mix::copy || mix == Mix::nt_copy;
}

// The lowest of the rates that a variant with so much besides could exceed only by overlapping better: each
// is the highest of walks over as much and with as much besides, or more, and of one with a little more
// besides its share. 0 where there is none.
double lowest_met(const std::vector<JointRate>& rates, bool copies, const Besides& own, double footprint) {
    double met = 0.0;
    for (const JointRate& r : rates) {
        const double share = own.share_of(r.besides);
        if (r.copies != copies || r.from > footprint + kRounding || share < kNearlyAll) continue;
        const double rate = r.rate / share;
        if (met <= 0.0 || rate < met) met = rate;
    }
    return met;
}

}  // namespace

std::vector<JointRate> joint_rates(const Machine& machine, int threads) {
    // Of each kind of work at each footprint, whether ordinary and non-temporal copies were both probed.
    using Key = std::tuple<double, bool, LoadsBesides>;
    struct Probed {
        bool ordinary = false, streamed = false;
    };
    std::map<Key, Probed> keys;
    const auto fits = [&](const Ceiling& c) {
        return c.resource == Resource::joint && threads_of(c.when) == threads && c.max > 0.0;
    };
    for (const Ceiling& c : machine.ceilings) {
        if (!fits(c)) continue;
        const Conditions& w = c.when;
        Probed& probed = keys[{w.footprint.value, is_copy(w.mix), w.besides}];
        (w.mix == Mix::nt_copy ? probed.streamed : probed.ordinary) = true;
    }
    std::vector<JointRate> rates;
    for (const auto& [key, probed] : keys) {
        const auto& [from, copies, besides] = key;
        if (copies && !(probed.ordinary && probed.streamed)) continue;
        JointRate joint{copies, besides, from, 0.0};
        int undisturbed = 0;  // of this very work at this footprint: what was disturbed each time is too low
        for (const Ceiling& c : machine.ceilings) {
            const Conditions& w = c.when;
            if (!fits(c) || is_copy(w.mix) != copies || w.footprint.value < from || !w.besides.cover(besides))
                continue;
            joint.rate = std::max(joint.rate, c.max);
            const bool same = w.footprint.value == from && w.besides == besides;
            if (same) undisturbed += c.undisturbed < 0 ? kUndisturbedWindows : c.undisturbed;
        }
        if (undisturbed >= kUndisturbedWindows) rates.push_back(joint);
    }
    return rates;
}

double Besides::share_of(const LoadsBesides& probed) const {
    double share = 1.0;
    const auto count = [&](double own, int its) {
        if (its > 0) share = std::min(share, own / its);
    };
    count(vectors, probed.vectors);
    count(crossing, probed.crossing);
    count(scalars, probed.scalars);
    count(gathered, probed.gathered);
    return share;
}

Besides besides(const Work& work, const Traits& traits) {
    const double lines = work.traffic.passes * work.traffic.reads.value / kLine;
    Besides own;
    if (lines <= 0.0) return own;
    const double wide = work.total.wide_loads.value / lines;
    if (traits.load_bits >= 128) {
        own.vectors = std::max(0.0, wide - 8.0 * kLine / traits.load_bits);
        own.crossing = std::min(own.vectors, work.total.split_loads.value / lines);
    }
    constexpr double kOfLine = 4.0;  // what the narrowest walk loads a line with
    own.scalars = std::max(0.0, work.total.loads.value / lines - std::max(kOfLine, wide));
    // Gathers of f32 may load more elements a cycle than those that were probed.
    if (traits.dtype == DType::f64) own.gathered = work.total.gathered.value / lines;
    return own;
}

Seconds joint_seconds(const std::vector<JointRate>& rates, const Work& work, const Traits& traits,
                      double write_rate) {
    const TrafficProfile& t = work.traffic;
    const Besides own = besides(work, traits);
    const double footprint = t.reads.value + t.writes.value;
    const double reading = lowest_met(rates, false, own, footprint);
    if (reading <= 0.0) return Seconds(0.0);
    const double copying = t.apart ? lowest_met(rates, true, own, footprint) : 0.0;
    // Where stores pass the caches by, only what is read needs room there, and copies may read faster than
    // walks over as much that only read.
    const double read_rate = std::max(reading, 0.5 * copying);
    const double reads = t.passes * t.reads.value / read_rate;
    constexpr double kLittle = 0.1;  // of the reads, whatever the stores do with it
    if (t.apart && copying <= 0.0 && t.writes.value > kLittle * t.reads.value) return Seconds(0.0);
    if (copying <= 0.0 || write_rate <= 0.0) return Seconds(reads);
    const double both = 2.0 * t.passes * std::min(t.reads, t.writes).value / copying;
    const double in_turn = reads + t.passes * t.writes.value / write_rate;
    return Seconds(std::max(reads, std::min(both, in_turn)));
}

}  // namespace rooftune
