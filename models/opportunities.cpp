#include "models/opportunities.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace rooftune {
namespace {

struct BottleneckName {
    std::string_view text;
    std::string_view relief;
};

constexpr std::array<BottleneckName, 6> kBottlenecks{{
    {"arithmetic", "fewer operations for the same answer: another algorithm, or a factored formula"},
    {"issue", "fewer instructions an element: larger register tiles, operands taken straight from memory"},
    {"loads", "fewer loads an element: blocks in registers, values that stay there"},
    {"chain", "shorter dependent chains: long sums split among independent accumulators"},
    {"memory", "fewer bytes: fusion with the kernel before or after, or data used again while it is near"},
    {"link", "fewer devices, or another dimension split between them"},
}};

void even(InCore& heaviest, const InCore& total, double threads) {
    heaviest.ops = std::min(heaviest.ops, total.ops / threads);
    heaviest.fused = std::min(heaviest.fused, total.fused / threads);
    heaviest.added = std::min(heaviest.added, total.added / threads);
    heaviest.instructions = std::min(heaviest.instructions, total.instructions / threads);
    heaviest.loads = std::min(heaviest.loads, total.loads / threads);
    heaviest.fmas = std::min(heaviest.fmas, total.fmas / threads);
    heaviest.wide_loads = std::min(heaviest.wide_loads, total.wide_loads / threads);
    heaviest.split_loads = std::min(heaviest.split_loads, total.split_loads / threads);
    heaviest.gathered = std::min(heaviest.gathered, total.gathered / threads);
}

// Share of a bandwidth ceiling's bytes that a term counts.
double share_of(const Conditions& when, TermKind kind) {
    const ReadWriteShare share = read_write_share(when.mix);
    if (kind == TermKind::reads || kind == TermKind::reads_thread) return share.read;
    if (kind == TermKind::writes || kind == TermKind::writes_thread) return share.write;
    return share.read + share.write > 0.0 ? 1.0 : 0.0;
}

// The highest rate at the binding footprints with the variant's own number of streams, all else as free as
// it is for the roof.
Missing with_own_streams(const Roofs& roofs, const Term& binding, const Traits& traits, int threads) {
    const std::vector<Ceiling>& ceilings = roofs.machine().ceilings;
    Missing missing{.what = "streams", .own = traits.streams, .roof = binding.rate};
    missing.best = ceilings[static_cast<std::size_t>(binding.ceiling)].when.streams;
    for (int i = 0; i < static_cast<int>(ceilings.size()); ++i) {
        const Ceiling& c = ceilings[static_cast<std::size_t>(i)];
        if (c.resource != Resource::bandwidth || !c.excludes || c.when.streams != traits.streams) continue;
        if (c.when.threads != threads || c.when.footprint < binding.beyond) continue;
        const double rate = c.max * share_of(c.when, binding.kind);
        if (rate <= missing.rate) continue;
        missing.rate = rate;
        missing.ceiling = i;
    }
    return missing;
}

// B*(w) of another number of threads, at the capacity where the term is largest.
double memory_roof(const Roofs& roofs, const Term& binding, int threads) {
    for (const BandwidthStep& step : roofs.bandwidth(threads)) {
        if (step.from < binding.beyond.value) continue;
        if (binding.kind == TermKind::reads) return step.read;
        return binding.kind == TermKind::writes ? step.write : step.both;
    }
    return 0.0;
}

}  // namespace

Bottleneck bottleneck_of(TermKind k) {
    switch (k) {
        case TermKind::compute:
        case TermKind::compute_thread:
        case TermKind::fmas:
            return Bottleneck::arithmetic;
        case TermKind::instructions:
            return Bottleneck::issue;
        case TermKind::loads:
            return Bottleneck::loads;
        case TermKind::chain:
            return Bottleneck::chain;
        case TermKind::link:
            return Bottleneck::link;
        default:
            return Bottleneck::memory;
    }
}

bool runs_on_one_thread(TermKind k) {
    return k == TermKind::reads_thread || k == TermKind::writes_thread || k == TermKind::both_thread ||
           k == TermKind::compute_thread;
}

std::string_view to_text(Bottleneck b) {
    return kBottlenecks[static_cast<std::size_t>(b)].text;
}

std::string_view relief_of(Bottleneck b) {
    return kBottlenecks[static_cast<std::size_t>(b)].relief;
}

std::vector<Lift> lifts(const Bound& bound) {
    std::vector<Lift> all;
    int binding = bound.binding;
    while (binding >= 0) {
        Lift lift;
        if (!all.empty()) lift.lifted = all.back().lifted;
        lift.lifted.push_back(bottleneck_of(bound.terms[static_cast<std::size_t>(binding)].kind));
        binding = -1;
        for (int i = 0; i < static_cast<int>(bound.terms.size()) && binding < 0; ++i) {
            const Term& term = bound.terms[static_cast<std::size_t>(i)];
            const bool free = std::find(lift.lifted.begin(), lift.lifted.end(), bottleneck_of(term.kind)) !=
                              lift.lifted.end();
            if (!free && !term.demoted) binding = i;
        }
        lift.binding = binding;
        if (binding >= 0) lift.then = bound.terms[static_cast<std::size_t>(binding)].seconds;
        all.push_back(lift);
    }
    return all;
}

Work evened(const Work& work, int threads) {
    Work even_work = work;
    const double n = std::max(1, threads);
    even(even_work.heaviest, work.total, n);
    TrafficProfile& heaviest = even_work.heaviest_traffic;
    heaviest.reads = std::min(heaviest.reads, work.traffic.reads / n);
    heaviest.writes = std::min(heaviest.writes, work.traffic.writes / n);
    heaviest.products = std::min(heaviest.products, work.traffic.products / n);
    return even_work;
}

Work without_surplus(const Work& work) {
    Work least = work;
    const double ops = work.total.ops.value;
    if (ops <= work.flops_nominal.value || work.flops_nominal.value <= 0.0) return least;
    const double kept = work.flops_nominal.value / ops;
    for (InCore* core : {&least.total, &least.heaviest}) {
        core->ops = core->ops * kept;
        core->fused = core->fused * kept;
        core->added = core->added * kept;
        core->fmas = core->fmas * kept;
    }
    return least;
}

double other_side(const Bound& bound) {
    if (bound.binding < 0 || bound.seconds_lower.value <= 0.0) return 0.0;
    return std::max(0.0, bound.seconds_serial / bound.seconds_lower - 1.0);
}

std::string level_holding(const Topology& topology, int threads, Bytes footprint) {
    std::vector<CacheLevel> levels = topology.caches;
    std::sort(levels.begin(), levels.end(),
              [](const CacheLevel& a, const CacheLevel& b) { return a.level < b.level; });
    for (const CacheLevel& cache : levels) {
        const int shared_by = std::max(1, cache.shared_by);
        const int used = std::clamp(threads, 1, std::max(1, topology.threads / shared_by));
        const double reported = (cache.reported.value > 0.0 ? cache.reported : cache.probed).value * used;
        if (footprint.value > reported) continue;
        const std::string name = "L" + std::to_string(cache.level);
        const bool last = &cache == &levels.back();
        const bool share_is_less = shared_by > 1 && cache.probed.value > 0.0;
        return last && share_is_less && footprint.value > cache.probed.value * used ? name + " or DRAM"
                                                                                    : name;
    }
    return "DRAM";
}

std::vector<Missing> ceilings_above(const Roofs& roofs, const Term& binding, const Traits& traits,
                                    double noise) {
    std::vector<Missing> found;
    if (binding.ceiling < 0) return found;
    const bool alone = runs_on_one_thread(binding.kind);
    const auto add = [&](const Missing& m) {
        if (m.own > 0 && m.own != m.best && m.rate > 0.0 && m.roof > (1.0 + noise) * m.rate)
            found.push_back(m);
    };
    const Machine& machine = roofs.machine();
    const int all = machine.topology.threads;
    const Bottleneck bottleneck = bottleneck_of(binding.kind);
    if (bottleneck == Bottleneck::memory) {
        add(with_own_streams(roofs, binding, traits, alone ? 1 : traits.threads));
        if (!alone && all > traits.threads) {
            add({"threads", traits.threads, all, binding.rate, memory_roof(roofs, binding, all),
                 binding.ceiling});
        }
    } else if (bottleneck == Bottleneck::arithmetic && binding.kind != TermKind::fmas) {
        const int known = machine.topology.width_bits.empty() ? 0 : machine.topology.width_bits.back();
        const int widest = std::max(known, traits.width_bits);
        const Mix mix = machine.ceilings[static_cast<std::size_t>(binding.ceiling)].when.mix;
        const auto peak = [&](int width, int threads) {
            if (mix == Mix::fma) return roofs.fused(traits.dtype, width, threads).rate;
            if (mix == Mix::add) return roofs.added(traits.dtype, width, threads).rate;
            return roofs.compute(traits.dtype, width, threads).rate;
        };
        add({"simd", traits.width_bits, widest, binding.rate, peak(widest, alone ? 1 : traits.threads),
             binding.ceiling});
        if (!alone && all > traits.threads) {
            add({"threads", traits.threads, all, binding.rate, peak(traits.width_bits, all),
                 binding.ceiling});
        }
    }
    return found;
}

}  // namespace rooftune
