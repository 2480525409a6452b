#include "tuner/ceilings/plan.h"

#include <algorithm>
#include <cmath>

#include "kernels/probe/compute_extra.h"
#include "tuner/ceilings/plan_memory.h"

namespace rooftune {
namespace {

using probe::Target;

constexpr double kMiB = 1024.0 * 1024.0;

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

void add_core(ProbePlan& plan, const Topology& topology) {
    std::vector<Target> group;
    group.push_back({Resource::clock, {}});
    for (const Mix mix : {Mix::loads, Mix::gathers, Mix::fmas, Mix::mixed}) {
        Target t;
        t.resource = Resource::issue;
        t.when.mix = mix;
        group.push_back(t);
    }
    for (const int width : topology.width_bits) {
        for (const Mix mix : {Mix::loads, Mix::split_loads})
            group.push_back({Resource::issue, {.width_bits = width, .mix = mix}});
    }
    Target window;
    window.resource = Resource::window;
    window.when.huge_pages = true;
    group.push_back(window);
    plan.groups.push_back(std::move(group));
}

// One dependent chain, on one thread.
void add_chains(ProbePlan& plan, const Topology& topology, DType dtype) {
    std::vector<Target> group;
    for (const int width : compute_widths(topology, dtype)) {
        for (const Mix mix : {Mix::fma, Mix::add, Mix::mul})
            group.push_back(compute(dtype, width, mix, 1, 1));
    }
    plan.groups.push_back(std::move(group));
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

void append(ProbePlan& plan, std::vector<TargetGroup> groups) {
    for (TargetGroup& group : groups) plan.groups.push_back(std::move(group));
}

// The walks of B*(w) at footprints x2 apart, and the peaks in between.
void add_walks(ProbePlan& plan, const Topology& topology, int threads, Bytes last) {
    std::vector<Bytes> sizes = footprints(last, 2.0);
    std::reverse(sizes.begin(), sizes.end());  // memory is placed once, for the largest
    std::size_t at = 0;
    for (const Bytes size : sizes) {
        for (const int n : one_and_all(threads)) plan.groups.push_back(walk_group(size, n));
        constexpr std::size_t kPeaksEvery = 4;
        if (++at % kPeaksEvery == 0) {
            for (const DType dtype : {DType::f64, DType::f32})
                add_peaks(plan, topology, dtype, one_and_all(threads));
        }
    }
}

// One power of two well inside each cache level, and the last footprint, which is in memory.
std::vector<Bytes> inside_levels(const Topology& topology, Bytes last) {
    std::vector<Bytes> sizes;
    for (const CacheLevel& cache : topology.caches) {
        constexpr double kInside = 0.75;
        const Bytes size(std::exp2(std::floor(std::log2(std::max(1.0, kInside * cache.reported.value)))));
        const bool above = sizes.empty() ? size.value >= 4096.0 : size > sizes.back();
        if (above && size < last) sizes.push_back(size);
    }
    sizes.push_back(last);
    return sizes;
}

std::vector<Bytes> at_least(Bytes least, std::vector<Bytes> sizes) {
    std::erase_if(sizes, [&](Bytes size) { return size < least; });
    return sizes;
}

Bytes whole_kilobytes(Bytes footprint, Bytes last) {
    return Bytes(std::round(std::clamp(footprint.value, 4096.0, std::max(4096.0, last.value)) / 1024.0) *
                 1024.0);
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
    plan.deadline = Seconds(8.0);
    for (const int n : one_and_all(threads)) {
        add_compute(plan, topology, n, {Mix::fma, Mix::add, Mix::fma_add}, {8, 12, 16, 24});
    }
    add_compute(plan, topology, 1, {Mix::fma, Mix::add, Mix::mul}, {1});
    add_core(plan, topology);
    const Bytes last = largest_footprint(topology, threads, memory);
    add_walks(plan, topology, threads, last);
    std::vector<Bytes> gathers{Bytes(16384.0), Bytes(kMiB), Bytes(64.0 * kMiB)};
    std::erase_if(gathers, [&](Bytes size) { return size > last; });
    for (const int n : one_and_all(threads)) plan.groups.push_back(gather_group(gathers, n));
    append(plan, latency_groups(inside_levels(topology, last), {true}));
    return plan;
}

ProbePlan full_plan(const Topology& topology, int threads, Bytes memory) {
    ProbePlan plan;
    plan.rounds = 60;
    plan.deadline = Seconds(54.0);
    plan.refinements = 2;  // from x2 apart to x1.2
    for (const int n : powers_and_all(threads)) {
        add_compute(plan, topology, n, {Mix::fma, Mix::add, Mix::mul, Mix::fma_add}, probe::built_chains());
    }
    add_core(plan, topology);
    for (const int n : one_and_all(threads)) {
        TargetGroup group;
        for (const Conditions& when : probe::extra_compute_conditions(topology, n))
            group.push_back({Resource::compute, when});
        plan.groups.push_back(std::move(group));
    }
    const Bytes last = largest_footprint(topology, threads, memory);
    add_walks(plan, topology, threads, last);
    // Everything from here on takes its footprints from the grid of the walks: one without all mixes
    // would be a step of B*(w) that the mixes it lacks do not reach.
    const std::vector<Bytes> sparse = footprints(last, 4.0);
    for (const Bytes size : sparse) {
        for (const int n : powers_and_all(threads)) {
            if (n != 1 && n != threads) plan.groups.push_back(walk_group(size, n));
        }
    }
    const std::vector<Bytes> large = at_least(Bytes(4.0 * kMiB), sparse);
    for (const int n : one_and_all(threads)) {
        for (const Bytes size : sparse) plan.groups.push_back(plain_code_group(topology, size, n));
        for (const Bytes size : large) plan.groups.push_back(prefetch_group(size, n));
        if (topology.numa_nodes > 1) {
            for (const Bytes size : large) plan.groups.push_back(remote_group(size, n));
        }
        append(plan, strided_groups(footprints(last, 8.0), n));
        plan.groups.push_back(gather_group(footprints(last, 2.0), n));
    }
    if (threads > 1) {
        for (const Bytes size : sparse) plan.groups.push_back(shared_group(size, threads));
    }
    append(plan, latency_groups(footprints(last, 2.0), {true, false}));
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
    add_core(plan, topology);
    add_chains(plan, topology, dtype);
    plan.rounds = 3;
    plan.deadline = Seconds(2.0);
    const Bytes last = largest_footprint(topology, threads, Bytes(memory.value * 2.0));
    for (const double factor : {2.0, 1.0, 0.5}) {
        const Bytes size = whole_kilobytes(footprint * factor, last);
        for (const int n : one_and_all(threads)) {
            TargetGroup group = walk_group(size, n);
            const bool there = std::any_of(plan.groups.begin(), plan.groups.end(),
                                           [&](const auto& other) { return other.front() == group.front(); });
            if (!there) plan.groups.push_back(std::move(group));
        }
    }
    return plan;
}

ProbePlan joint_conditions_for(const Topology& topology, Bytes footprint, int threads, Bytes memory,
                               bool gathers) {
    ProbePlan plan;
    const Bytes last = largest_footprint(topology, threads, Bytes(memory.value * 2.0));
    plan.groups.push_back(joint_group(whole_kilobytes(footprint, last), threads, gathers));
    return plan;
}

ProbePlan memory_conditions_for(const Topology& topology, int threads, Bytes memory) {
    ProbePlan plan;
    const Bytes last = largest_footprint(topology, threads, memory);
    for (const int n : one_and_all(threads)) plan.groups.push_back(walk_group(last, n));
    return plan;
}

ProbePlan ranking_conditions_for(const Topology& topology, Bytes footprint, Bytes gather_footprint,
                                 DType dtype, int threads, Bytes memory) {
    ProbePlan plan;
    plan.rounds = 1;
    plan.deadline = Seconds(0.5);
    const Bytes last = largest_footprint(topology, threads, memory);
    // The next power of two: a latency ranks, and problems of nearly the same size share it.
    const Bytes grown(std::exp2(std::ceil(std::log2(std::max(1.0, footprint.value)))));
    append(plan, latency_groups({whole_kilobytes(grown, last)}, {true, false}));
    if (gather_footprint.value > 0.0) {
        TargetGroup group;
        for (const int n : one_and_all(threads)) {
            for (const probe::Target& t : gather_group({whole_kilobytes(gather_footprint, last)}, n)) {
                if (t.when.dtype == dtype) group.push_back(t);
            }
        }
        plan.groups.push_back(std::move(group));
    }
    return plan;
}

}  // namespace rooftune
