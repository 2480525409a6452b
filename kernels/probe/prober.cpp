#include "kernels/probe/prober.h"

#include <algorithm>
#include <cmath>

#include "kernels/probe/opencl_prober.h"
#include "kernels/runtime/core_kinds.h"
#include "kernels/runtime/error.h"
#include "kernels/runtime/numa.h"
#include "kernels/runtime/pinned_caller.h"

namespace rooftune::probe {
namespace {

Pages pages_of(const Conditions& when) {
    return when.huge_pages ? Pages::huge : Pages::small;
}

StridedWay strided_way(const Conditions& when) {
    return {when.dtype, static_cast<std::size_t>(when.stride.value)};
}

// Beyond this share a walk is no longer in a private cache, and prefetching may pay.
constexpr double kLargeShare = 1.0 * (1 << 20);

}  // namespace

Prober::Prober(Team& team, int width_bits, std::vector<int> alone_on)
    : team_(team),
      width_bits_(width_bits),
      alone_on_(alone_on.empty() ? fastest_of_kinds(read_cores(team.cpus())) : std::move(alone_on)),
      remote_owners_(remote_owners(numa_nodes_of(team.cpus()))) {}
Prober::~Prober() = default;

OpenclProber& Prober::on_device(const std::string& id) const {
    std::unique_ptr<OpenclProber>& prober = devices_[id];
    if (!prober) prober = std::make_unique<OpenclProber>(id, team_.cpus());
    return *prober;
}

std::vector<BandwidthWay> Prober::bandwidth_ways(const Conditions& when) const {
    std::vector<BandwidthWay> ways;
    const auto add = [&](int width, int prefetch) {
        if (when.prefetch != Prefetch::any && (when.prefetch == Prefetch::on) != (prefetch > 0)) return;
        const BandwidthWay way{when.mix, width, std::max(1, when.streams), prefetch, when.shared};
        if (width <= width_bits_ && can_walk(way, when.footprint, when.threads)) ways.push_back(way);
    };
    if (when.width_bits > 0) {
        for (const int prefetch : prefetches_of(when.mix)) add(when.width_bits, prefetch);
        return ways;
    }
    const bool large = when.footprint.value / (when.shared ? 1 : when.threads) > kLargeShare;
    if (large || when.prefetch == Prefetch::on) {
        // The widest vectors with and without prefetch; narrower ones were never faster out here.
        for (const int prefetch : prefetches_of(when.mix)) add(width_bits_, prefetch);
    } else {
        // Inside the private caches the widest win most of the time. Where they do not (two narrow
        // stores to a line that leaves for the next level), one stream shows it.
        add(width_bits_, 0);
        if (when.streams <= 1) {
            for (int width = width_bits_ / 2; width >= 128; width /= 2) add(width, 0);
        }
    }
    return ways;
}

// The widest vectors at each distance. Narrower ones where they may be faster: gathers, and one stream in
// private caches, as bandwidth_ways() has it.
std::vector<JointWay> Prober::joint_ways(const Conditions& when) const {
    std::vector<JointWay> ways;
    const auto add = [&](int width, int ahead) {
        const JointWay way{{when.mix, width, std::max(1, when.streams), ahead, false}, when.besides};
        if (can_join(way, when.footprint, when.threads)) ways.push_back(way);
    };
    for (const int ahead : kJointAhead) add(width_bits_, ahead);
    const bool small = when.footprint.value / when.threads <= kLargeShare;
    for (int width = width_bits_ / 2; width >= 128; width /= 2) {
        const bool indexed = when.besides.gathered + when.besides.scalars > 0;
        if (when.streams <= 1 && (small || indexed)) add(width, 0);
        if (when.streams <= 1 && indexed) add(width, kJointAhead.back());
    }
    return ways;
}

std::vector<ComputeWay> Prober::compute_ways(const Conditions& when) const {
    std::vector<ComputeWay> ways;
    const int scalar = 8 * static_cast<int>(size_of(when.dtype));
    if (when.width_bits > width_bits_ && when.width_bits != scalar) return ways;
    for (const FmaShare share : shares_of(when.mix)) {
        ComputeWay way{when.dtype, when.width_bits, when.mix, when.chains, share, when.unit};
        for (; can_compute(way); ++way.form) ways.push_back(way);
    }
    return ways;
}

std::vector<GatherWay> Prober::gather_ways(const Conditions& when) const {
    std::vector<GatherWay> ways;
    for (const int width : {8 * static_cast<int>(size_of(when.dtype)), 256, 512}) {
        if (when.width_bits > 0 && width != when.width_bits) continue;
        const GatherWay way{when.dtype, width};
        if (width <= width_bits_ && can_gather(way)) ways.push_back(way);
    }
    return ways;
}

// What several threads do together they do on the units that a kernel's threads have too, the team's first.
// What one thread does bounds each thread of a kernel, and so must hold for the fastest core that any of them
// has.
int Prober::cores_for(const Target& target) const {
    return target.when.device.empty() && target.when.threads == 1 ? static_cast<int>(alone_on_.size()) : 1;
}

int Prober::ways(const Target& target) const {
    return ways_of_one(target) * cores_for(target);
}

int Prober::ways_of_one(const Target& target) const {
    const Conditions& when = target.when;
    if (!when.device.empty()) return on_device(when.device).ways(target);
    if (when.threads < 1 || when.threads > team_.size() || !can_place(when)) return 0;
    switch (target.resource) {
        case Resource::compute:
            return static_cast<int>(compute_ways(when).size());
        case Resource::bandwidth:
            return static_cast<int>(bandwidth_ways(when).size());
        case Resource::joint:
            return static_cast<int>(joint_ways(when).size());
        case Resource::gather:
            return static_cast<int>(gather_ways(when).size());
        case Resource::issue:
            return when.threads > 1
                       ? 0
                       : static_cast<int>(issue_mixes(when.mix, width_bits_, when.width_bits).size());
        case Resource::clock:
        case Resource::window:
            return when.threads > 1 ? 0 : 1;
        case Resource::local:
        case Resource::transfer:
        case Resource::launch:
            return 0;  // only a device has them
        case Resource::strided:
            return can_stride(strided_way(when), when.footprint, when.threads) ? 1 : 0;
        case Resource::latency:
            return when.threads == 1 && can_chase(when.footprint) ? 1 : 0;
        case Resource::link:
            return 0;
    }
    return 0;
}

bool Prober::can_place(const Conditions& when) const {
    return !when.remote || !remote_owners_.empty();
}

// Whoever asks may write there: a chase that was in it is gone.
Memory& Prober::reserved(const Conditions& when, int threads) {
    Memory& memory = when.remote ? remote_ : memory_;
    memory.reserve(team_, pages_of(when), threads, when.footprint,
                   when.remote ? remote_owners_ : std::vector<int>{});
    chased_.reset();
    return memory;
}

Work Prober::chase(const Conditions& when) {
    if (chased_ != when) {
        chase_at_ = prepare_chase(reserved(when, 1).region(pages_of(when), 0), when.footprint);
        chased_ = when;
    }
    return chase_work(chase_at_);
}

Work Prober::work(const Target& target, int way) {
    const Conditions& when = target.when;
    const auto at = static_cast<std::size_t>(way);
    switch (target.resource) {
        case Resource::compute:
            return compute_work(compute_ways(when).at(at), when.threads);
        case Resource::bandwidth:
            return bandwidth_work(bandwidth_ways(when).at(at), when.footprint, when.threads, pages_of(when),
                                  reserved(when, when.shared ? 1 : when.threads));
        case Resource::joint:
            return joint_work(joint_ways(when).at(at), when.footprint, when.threads, pages_of(when),
                              reserved(when, when.threads));
        case Resource::gather: {
            const Memory& memory = reserved(when, 1);
            std::vector<std::uint32_t>& indices = indices_[{when.footprint.value, when.dtype}];
            if (indices.empty()) indices = gather_indices(when.dtype, when.footprint);
            return gather_work(gather_ways(when).at(at), when.threads, pages_of(when), memory, indices);
        }
        case Resource::strided:
            return strided_work(strided_way(when), when.footprint, when.threads, pages_of(when),
                                reserved(when, when.threads));
        case Resource::latency:
            return chase(when);
        case Resource::issue:
            return issue_work(issue_mixes(when.mix, width_bits_, when.width_bits).at(at));
        case Resource::clock:
        case Resource::window:
        case Resource::local:
        case Resource::transfer:
        case Resource::launch:
        case Resource::link:
            break;
    }
    return clock_work();
}

Window Prober::run(const Target& target, int way, double seconds, double rate_hint) {
    const int cores = cores_for(target);
    const int position = cores > 1 ? alone_on_[static_cast<std::size_t>(way % cores)] : 0;
    if (position == 0) return run_here(target, way / cores, seconds, rate_hint);
    const int cpu = team_.cpus()[static_cast<std::size_t>(position)];
    PinnedCaller there;
    if (!there.pin(cpu)) {
        throw EnvironmentError("could not go to processing unit " + std::to_string(cpu) +
                               " to probe it: this process may no longer run there; choose others (--cpus)");
    }
    return run_here(target, way / cores, seconds, rate_hint);
}

Window Prober::run_here(const Target& target, int way, double seconds, double rate_hint) {
    if (!target.when.device.empty())
        return on_device(target.when.device).run(target, way, seconds, rate_hint);
    if (target.resource == Resource::window) {
        const double start = now();
        const double size = window_size(target);
        return {size, now() - start, 1.0, 1};
    }
    const Work what = work(target, way);
    std::int64_t guess = 1;
    if (rate_hint > 0.0 && what.amount > 0.0) {
        guess =
            std::max<std::int64_t>(1, std::llround(std::min(0.8 * seconds * rate_hint / what.amount, 1e12)));
    }
    return run_window(team_, what, seconds, guess);
}

double Prober::window_size(const Target& target) {
    const Pages pages = pages_of(target.when);
    Conditions when = target.when;
    when.footprint = window_footprint();
    reserved(when, 1);
    prepare_window(pages, memory_);
    const std::vector<int>& fillers = window_fillers();
    std::vector<double> fastest(fillers.size(), 0.0);
    std::int64_t rounds = 2000;
    // Several sweeps and the fastest of each filler: a slow spell then touches every filler alike.
    for (int sweep = 0; sweep < 4; ++sweep) {
        for (std::size_t i = 0; i < fillers.size(); ++i) {
            const Window w = time_repetitions(team_, window_work(fillers[i], pages, memory_), rounds);
            const double seconds = w.seconds / static_cast<double>(w.repetitions);
            if (fastest[i] <= 0.0 || seconds < fastest[i]) fastest[i] = seconds;
        }
    }
    return window_from_times(fillers, fastest);
}

void Prober::warm(const Target& target) {
    const bool walks = target.resource == Resource::bandwidth || target.resource == Resource::joint;
    if (!walks || !target.when.device.empty()) return;
    Target load = target;
    load.resource = Resource::bandwidth;
    load.when.besides = {};
    load.when.mix = Mix::load;
    load.when.streams = 1;
    load.when.width_bits = 0;
    load.when.prefetch = Prefetch::any;
    if (ways(load) > 0) run(load, 0, 0.0);
}

void Prober::release() {
    memory_ = Memory();
    remote_ = Memory();
    chased_.reset();
    indices_.clear();
    for (auto& [id, prober] : devices_) prober->release();
}

}  // namespace rooftune::probe
