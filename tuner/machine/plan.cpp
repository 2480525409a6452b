#include "tuner/machine/plan.h"

#include <algorithm>
#include <cmath>

namespace rooftune {
namespace {

using probe::Target;

constexpr double kMiB = 1024.0 * 1024.0;

struct MixStreams {
    Mix mix;
    std::vector<int> streams;
};

// Non-temporal mixes last: they leave the footprint out of the caches. Stores get fewer streams than
// the others: every mix must be there at every footprint (a step of B*(w) without one of them would be
// bounded by the rest), but their number of streams matters less.
const std::vector<MixStreams>& memory_mixes() {
    static const std::vector<MixStreams> mixes{
        {Mix::load, {1, 2, 4, 8}}, {Mix::update, {1, 2, 4, 8}},  {Mix::two_loads_store, {1, 4}},
        {Mix::store, {1, 8}},      {Mix::nt_copy, {1, 2, 4, 8}}, {Mix::nt_store, {1, 4}},
    };
    return mixes;
}

Target bandwidth(Mix mix, int streams, int threads, Bytes footprint, bool huge) {
    Target t;
    t.resource = Resource::bandwidth;
    t.when.mix = mix;
    t.when.streams = streams;
    t.when.threads = threads;
    t.when.footprint = footprint;
    t.when.huge_pages = huge;
    return t;
}

void add_footprint(ProbePlan& plan, Bytes footprint, int threads) {
    std::vector<Target> group;
    for (const MixStreams& entry : memory_mixes()) {
        for (const int streams : entry.streams)
            group.push_back(bandwidth(entry.mix, streams, threads, footprint, true));
    }
    plan.groups.push_back(std::move(group));
}

Target compute(DType dtype, int width, Mix mix, int chains, int threads) {
    Target t;
    t.resource = Resource::compute;
    t.when = {.dtype = dtype, .width_bits = width, .mix = mix, .chains = chains, .threads = threads};
    return t;
}

std::vector<int> compute_widths(const Topology& topology, DType dtype) {
    std::vector<int> widths{8 * static_cast<int>(size_of(dtype))};
    widths.insert(widths.end(), topology.width_bits.begin(), topology.width_bits.end());
    return widths;
}

void add_compute(ProbePlan& plan, const Topology& topology, int threads, const std::vector<Mix>& mixes,
                 const std::vector<int>& chains) {
    for (const DType dtype : {DType::f64, DType::f32}) {
        std::vector<Target> group;
        for (const int width : compute_widths(topology, dtype)) {
            for (const Mix mix : mixes) {
                for (const int n : chains) group.push_back(compute(dtype, width, mix, n, threads));
            }
        }
        plan.groups.push_back(std::move(group));
    }
}

void add_core(ProbePlan& plan) {
    std::vector<Target> group;
    group.push_back({Resource::clock, {}});
    for (const Mix mix : {Mix::loads, Mix::fmas, Mix::mixed}) {
        Target t;
        t.resource = Resource::issue;
        t.when.mix = mix;
        group.push_back(t);
    }
    Target window;
    window.resource = Resource::window;
    window.when.huge_pages = true;
    group.push_back(window);
    plan.groups.push_back(std::move(group));
}

void add_gather(ProbePlan& plan, const std::vector<Bytes>& sizes, const std::vector<int>& threads) {
    for (const int n : threads) {
        std::vector<Target> group;
        for (const Bytes size : sizes) {
            for (const DType dtype : {DType::f64, DType::f32}) {
                Target t;
                t.resource = Resource::gather;
                t.when = {.dtype = dtype, .threads = n, .footprint = size, .huge_pages = true};
                group.push_back(t);
            }
        }
        plan.groups.push_back(std::move(group));
    }
}

// The peaks again, in short: on a shared host a core's clock changes by a third from one second to the next,
// so that windows must be spread over the whole of a plan.
void add_peaks(ProbePlan& plan, const Topology& topology, DType dtype, const std::vector<int>& threads) {
    for (const int n : threads) {
        std::vector<Target> group;
        for (const int width : compute_widths(topology, dtype)) {
            for (const Mix mix : {Mix::fma, Mix::add, Mix::fma_add}) {
                for (const int chains : {12, 24}) group.push_back(compute(dtype, width, mix, chains, n));
            }
        }
        plan.groups.push_back(std::move(group));
    }
}

std::vector<int> one_and_all(int threads) {
    return threads > 1 ? std::vector<int>{1, threads} : std::vector<int>{1};
}

std::vector<int> powers_and_all(int threads) {
    std::vector<int> counts;
    for (int n = 1; n < threads; n *= 2) counts.push_back(n);
    counts.push_back(threads);
    return counts;
}

}  // namespace

std::size_t ProbePlan::targets() const {
    std::size_t n = 0;
    for (const auto& group : groups) n += group.size();
    return n;
}

std::vector<Bytes> footprints(Bytes last, double factor) {
    std::vector<Bytes> sizes;
    // Whole kilobytes, so that a footprint has one spelling in files and on the screen.
    for (double size = 4096.0; size < last.value * 0.999; size *= factor) {
        const Bytes rounded(std::round(size / 1024.0) * 1024.0);
        if (sizes.empty() || sizes.back() < rounded) sizes.push_back(rounded);
    }
    if (last.value >= 4096.0) sizes.push_back(Bytes(std::floor(last.value / 1024.0) * 1024.0));
    return sizes;
}

Bytes largest_footprint(const Topology& topology, int threads, Bytes memory) {
    double caches = 0.0;
    for (const CacheLevel& cache : topology.caches) {
        // A cache shared by all threads may be the host's; its share here is what the probe will see.
        if (cache.shared_by < std::max(2, topology.threads))
            caches += cache.reported.value * threads / cache.shared_by;
    }
    double last = 256.0 * kMiB;
    while (last < 8.0 * caches) last *= 2.0;
    while (last > memory.value / 4.0 && last > 64.0 * 1024.0) last /= 2.0;
    return Bytes(last);
}

ProbePlan quick_plan(const Topology& topology, int threads, Bytes memory) {
    ProbePlan plan;
    plan.rounds = 6;
    plan.deadline = Seconds(8.5);
    for (const int n : one_and_all(threads)) {
        add_compute(plan, topology, n, {Mix::fma, Mix::add, Mix::fma_add}, {8, 12, 16, 24});
    }
    add_compute(plan, topology, 1, {Mix::fma, Mix::add, Mix::mul}, {1});
    add_core(plan);
    const Bytes last = largest_footprint(topology, threads, memory);
    std::vector<Bytes> sizes = footprints(last, 2.0);
    std::reverse(sizes.begin(), sizes.end());  // memory is placed once, for the largest
    std::size_t at = 0;
    for (const Bytes size : sizes) {
        for (const int n : one_and_all(threads)) add_footprint(plan, size, n);
        constexpr std::size_t kPeaksEvery = 4;
        if (++at % kPeaksEvery == 0) {
            for (const DType dtype : {DType::f64, DType::f32})
                add_peaks(plan, topology, dtype, one_and_all(threads));
        }
    }
    add_gather(plan, {Bytes(16384.0), Bytes(kMiB), Bytes(std::min(last.value, 64.0 * kMiB))},
               one_and_all(threads));
    return plan;
}

ProbePlan full_plan(const Topology& topology, int threads, Bytes memory) {
    ProbePlan plan;
    plan.rounds = 20;
    plan.deadline = Seconds(54.0);
    for (const int n : powers_and_all(threads)) {
        add_compute(plan, topology, n, {Mix::fma, Mix::add, Mix::mul, Mix::fma_add}, probe::built_chains());
    }
    add_core(plan);
    const Bytes last = largest_footprint(topology, threads, memory);
    std::vector<Bytes> sizes = footprints(last, 1.2);
    std::reverse(sizes.begin(), sizes.end());
    for (const Bytes size : sizes) {
        for (const int n : one_and_all(threads)) add_footprint(plan, size, n);
    }
    const std::vector<int> counts = powers_and_all(threads);
    for (const Bytes size : footprints(last, 4.0)) {
        for (const int n : counts) {
            if (n != 1 && n != threads) add_footprint(plan, size, n);
        }
    }
    // Small pages and narrower vectors are ceilings below the roof: a coarse grid tells how far.
    for (const Bytes size : footprints(Bytes(std::min(last.value, 256.0 * kMiB)), 4.0)) {
        for (const int n : one_and_all(threads)) {
            std::vector<Target> group;
            for (const Mix mix : {Mix::load, Mix::update, Mix::nt_copy}) {
                for (const int streams : {1, 4}) group.push_back(bandwidth(mix, streams, n, size, false));
            }
            for (const int width : topology.width_bits) {
                for (const Mix mix : {Mix::load, Mix::update}) {
                    Target t = bandwidth(mix, 1, n, size, true);
                    t.when.width_bits = width;
                    group.push_back(t);
                }
            }
            plan.groups.push_back(std::move(group));
        }
    }
    add_gather(plan, footprints(last, 4.0), one_and_all(threads));
    return plan;
}

ProbePlan peak_conditions_for(const Topology& topology, DType dtype, int threads) {
    ProbePlan plan;
    add_peaks(plan, topology, dtype, one_and_all(threads));
    return plan;
}

ProbePlan probe_conditions_for(const Topology& topology, Bytes footprint, DType dtype, int threads,
                               Bytes memory) {
    ProbePlan plan = peak_conditions_for(topology, dtype, threads);
    plan.rounds = 3;
    plan.deadline = Seconds(2.0);
    const Bytes last = largest_footprint(topology, threads, Bytes(memory.value * 2.0));
    for (const double factor : {2.0, 1.0, 0.5}) {
        const Bytes size(std::round(std::clamp(footprint.value * factor, 4096.0, last.value) / 1024.0) *
                         1024.0);
        for (const int n : one_and_all(threads)) {
            const Target first = bandwidth(Mix::load, 1, n, size, true);
            const bool there = std::any_of(plan.groups.begin(), plan.groups.end(),
                                           [&](const auto& group) { return group.front() == first; });
            if (!there) add_footprint(plan, size, n);
        }
    }
    return plan;
}

}  // namespace rooftune
