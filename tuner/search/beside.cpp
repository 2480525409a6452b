#include "tuner/search/beside.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "models/joint_rate.h"
#include "tuner/measure/statistics.h"

namespace rooftune {
namespace {

constexpr double kRounding = 1024.0;    // probes' footprints are whole kilobytes
constexpr double kLittleWritten = 0.1;  // of the bytes moved
constexpr std::size_t kEnoughRounds = 6;

// The fastest `count` of those that fit, which may be fewer.
template <typename Fits>
void add_fastest(std::vector<Ceiling>& chosen, const Machine& machine, std::size_t count, Fits&& fits) {
    std::vector<const Ceiling*> found;
    for (const Ceiling& c : machine.ceilings) {
        if (c.excludes && fits(c)) found.push_back(&c);
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Ceiling* a, const Ceiling* b) { return a->max > b->max; });
    for (std::size_t i = 0; i < std::min(count, found.size()); ++i) chosen.push_back(*found[i]);
}

// Walks that have no further conditions: the plain ones that are there at each footprint.
bool is_plain_walk(const Ceiling& c, int threads) {
    return c.resource == Resource::bandwidth && c.when.threads == threads && c.when.width_bits == 0 &&
           c.when.prefetch == Prefetch::any && c.when.huge_pages && !c.when.shared && !c.when.remote;
}

// Of walks with loads besides the fastest of each mix, at the largest footprint that is no larger than the
// variant's, with the most besides that it has: of the same kind for each mix, since a copy counts only where
// both stores were probed.
void add_joint(std::vector<Ceiling>& chosen, const Machine& machine, const Work& work, const Traits& traits,
               double footprint, bool writes) {
    const Besides own = besides(work, traits);
    const auto order = [](const Ceiling& c) {
        const LoadsBesides& b = c.when.besides;
        return std::tuple(c.when.footprint.value, b.gathered, b.vectors, b.crossing, b.scalars, c.max);
    };
    for (const Mix mix : {Mix::load, Mix::copy, Mix::nt_copy}) {
        if (mix != Mix::load && !writes) continue;
        const Ceiling* best = nullptr;
        for (const Ceiling& c : machine.ceilings) {
            if (c.resource != Resource::joint || c.when.mix != mix || c.when.threads != traits.threads ||
                c.when.footprint.value > footprint || own.share_of(c.when.besides) < kNearlyAll)
                continue;
            if (!best || order(c) > order(*best)) best = &c;
        }
        if (best) chosen.push_back(*best);
    }
}

}  // namespace

std::vector<Ceiling> ceilings_beside(const Machine& machine, const Work& work, const Traits& traits) {
    const bool on_device = std::any_of(machine.ceilings.begin(), machine.ceilings.end(),
                                       [](const Ceiling& c) { return !c.when.device.empty(); });
    const TrafficProfile& t = work.traffic;
    if (on_device || t.state == State::cold) return {};
    const double footprint = t.reads.value + t.writes.value + kRounding;
    const bool writes = t.writes.value >= kLittleWritten * footprint;
    double walked = 0.0;
    for (const Ceiling& c : machine.ceilings) {
        const double at = c.when.footprint.value;
        if (is_plain_walk(c, traits.threads) && at <= footprint) walked = std::max(walked, at);
    }
    std::vector<Ceiling> chosen;
    const auto add_walks = [&](Mix mix, std::size_t count) {
        add_fastest(chosen, machine, count, [&](const Ceiling& c) {
            return is_plain_walk(c, traits.threads) && c.when.mix == mix && c.when.footprint.value == walked;
        });
    };
    if (walked > 0.0 && t.products <= 0.0) {
        add_walks(Mix::load, 3);
        add_walks(Mix::update, 1);
        for (const Mix mix : {Mix::two_loads_store, Mix::copy, Mix::nt_copy, Mix::store, Mix::nt_store}) {
            if (writes) add_walks(mix, 1);
        }
    }
    if (t.products <= 0.0) add_joint(chosen, machine, work, traits, footprint, writes && t.apart);
    const auto is_peak = [&](const Ceiling& c) {
        return c.resource == Resource::compute && c.when.dtype == traits.dtype &&
               c.when.threads == traits.threads && c.when.width_bits <= traits.width_bits;
    };
    add_fastest(chosen, machine, 2, is_peak);
    // Cores with adders of their own reach the highest rates with mixes; products have a roof of their own.
    const bool has_fused =
        std::any_of(chosen.begin(), chosen.end(), [](const Ceiling& c) { return c.when.mix == Mix::fma; });
    if (!has_fused)
        add_fastest(chosen, machine, 1,
                    [&](const Ceiling& c) { return is_peak(c) && c.when.mix == Mix::fma; });
    return chosen;
}

Machine rates_beside(const std::vector<Ceiling>& ceilings, const std::vector<std::vector<double>>& rates,
                     const std::vector<Slot>& slots, Part part) {
    Machine machine;
    for (std::size_t c = 0; c < std::min(ceilings.size(), rates.size()); ++c) {
        std::vector<double> products;
        for (std::size_t r = 0; r < std::min(rates[c].size(), slots.size()); ++r) {
            if (rates[c][r] <= 0.0 || slots[r].disturbed || !is_time(slots[r].seconds)) continue;
            products.push_back(rates[c][r] * slots[r].seconds);
        }
        if (products.size() < kEnoughRounds) continue;
        Ceiling held = ceilings[c];
        const TimeInterval moved = interval_of_values(products);
        const double of_product = part == Part::low    ? moved.low
                                  : part == Part::high ? moved.high
                                                       : moved.median;
        held.max = held.p95 = held.median = of_product / interval_of(slots).median;
        held.windows = static_cast<int>(products.size());
        held.undisturbed = -1;  // it is not asked what more the machine could give
        held.top.clear();
        machine.ceilings.push_back(held);
    }
    return machine;
}

}  // namespace rooftune
