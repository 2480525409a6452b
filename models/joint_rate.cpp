#include "models/joint_rate.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "models/staircase.h"

namespace rooftune {
namespace {

constexpr double kLine = 64.0;        // bytes
constexpr double kRounding = 1024.0;  // probes' footprints are whole kilobytes
constexpr double kNearlyAll = 1.0 - 1e-9;

bool is_copy(Mix mix) {
    return mix == Mix::copy || mix == Mix::nt_copy;
}

// The lowest of the rates that a variant with so much besides could exceed only by overlapping better: each
// is the highest of walks over as much and with as much besides, or more. Nullptr where there is none.
const JointRate* lowest_met(const std::vector<JointRate>& rates, bool copies, const Besides& own,
                            double footprint) {
    const JointRate* met = nullptr;
    for (const JointRate& r : rates) {
        const bool is_met = r.copies == copies && r.from <= footprint + kRounding &&
                            kNearlyAll * r.loads <= own.loads && kNearlyAll * r.gathered <= own.gathered;
        if (is_met && (!met || r.rate < met->rate)) met = &r;
    }
    return met;
}

}  // namespace

std::vector<JointRate> joint_rates(const Machine& machine, int threads) {
    // Of each kind of work at each footprint, whether ordinary and non-temporal copies were both probed.
    using Key = std::tuple<double, bool, int, int>;
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
        Probed& probed = keys[{w.footprint.value, is_copy(w.mix), w.loads, w.gathered}];
        (w.mix == Mix::nt_copy ? probed.streamed : probed.ordinary) = true;
    }
    std::vector<JointRate> rates;
    for (const auto& [key, probed] : keys) {
        const auto [from, copies, loads, gathered] = key;
        if (copies && !(probed.ordinary && probed.streamed)) continue;
        JointRate joint{copies, loads, gathered, from, 0.0};
        int undisturbed = 0;
        for (const Ceiling& c : machine.ceilings) {
            const Conditions& w = c.when;
            if (!fits(c) || is_copy(w.mix) != copies || w.footprint.value < from || w.loads < loads ||
                w.gathered < gathered)
                continue;
            joint.rate = std::max(joint.rate, c.max);
            undisturbed += c.undisturbed < 0 ? kUndisturbedWindows : c.undisturbed;
        }
        if (undisturbed >= kUndisturbedWindows) rates.push_back(joint);
    }
    return rates;
}

Besides besides(const Work& work, const Traits& traits) {
    const double lines = work.traffic.passes * work.traffic.reads.value / kLine;
    Besides own;
    if (lines <= 0.0) return own;
    if (traits.load_bits >= 128)
        own.loads = std::max(0.0, work.total.wide_loads.value / lines - 8.0 * kLine / traits.load_bits);
    // Gathers of f32 may load more elements a cycle than those that were probed.
    if (traits.dtype == DType::f64) own.gathered = work.total.gathered.value / lines;
    return own;
}

Seconds joint_seconds(const std::vector<JointRate>& rates, const Work& work, const Traits& traits,
                      double write_rate) {
    const TrafficProfile& t = work.traffic;
    const Besides own = besides(work, traits);
    const double footprint = t.reads.value + t.writes.value;
    const JointRate* const reading = lowest_met(rates, false, own, footprint);
    if (!reading) return Seconds(0.0);
    const double reads = t.passes * t.reads.value / reading->rate;
    const JointRate* const copying = t.apart ? lowest_met(rates, true, own, footprint) : nullptr;
    if (!copying || write_rate <= 0.0) return Seconds(reads);
    const double both = 2.0 * t.passes * std::min(t.reads, t.writes).value / copying->rate;
    const double in_turn = reads + t.passes * t.writes.value / write_rate;
    return Seconds(std::max(reads, std::min(both, in_turn)));
}

}  // namespace rooftune
