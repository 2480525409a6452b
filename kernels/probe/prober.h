// From a ceiling's conditions to windows: the one entry to all probes. A ceiling is the maximum over
// every way of meeting its conditions that is built here (vector width and prefetch of a walk, shares
// of a mix, instruction mixes of an issue rate), since a kernel is free in all of them.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/probe/bandwidth.h"
#include "kernels/probe/compute.h"
#include "kernels/probe/core.h"
#include "kernels/probe/gather.h"
#include "kernels/probe/joint.h"
#include "kernels/probe/latency.h"
#include "kernels/probe/memory.h"
#include "kernels/probe/strided.h"
#include "kernels/probe/window.h"
#include "models/machine.h"

namespace rooftune::probe {

/// What is to be probed: a ceiling without its values.
struct Target {
    Resource resource = Resource::compute;
    Conditions when;
    bool operator==(const Target&) const = default;
};

/// Shortest window that means something: with several threads they must overlap for most of it.
inline double window_seconds(int threads) {
    return threads > 1 ? 4e-3 : 1e-3;
}

class OpenclProber;

class Prober {
public:
    /// The team must outlive the prober. `width_bits`: widest vectors to use. `alone_on`: positions in the
    /// team on whose processing units one thread is probed, the first of them 0; empty: as many as the cores
    /// differ (fastest_of_kinds). Where they are several, each is one more way of meeting the conditions.
    Prober(Team& team, int width_bits, std::vector<int> alone_on = {});
    ~Prober();

    /// Number of ways to probe this; 0 when it cannot be probed here (no such width, more threads than
    /// the team has, a footprint too small for the streams, memory of another node where there is one
    /// node only, no such device).
    int ways(const Target& target) const;

    /// One window of about `seconds` (at least one pass over the footprint). `rate_hint`: a rate to
    /// expect, which saves calibration; 0 when unknown. For `window` the rate is the size found by a
    /// sweep over all fillers, 0 when it found none. Throws std::bad_alloc when memory is short, and
    /// EnvironmentError when a device fails.
    Window run(const Target& target, int way, double seconds, double rate_hint = 0.0);

    /// Places memory for everything up to this footprint, and brings the caches into the state that
    /// loads over it leave.
    void warm(const Target& target);

    /// Gives the probes' memory back.
    void release();

private:
    std::vector<BandwidthWay> bandwidth_ways(const Conditions& when) const;
    std::vector<JointWay> joint_ways(const Conditions& when) const;
    std::vector<ComputeWay> compute_ways(const Conditions& when) const;
    std::vector<GatherWay> gather_ways(const Conditions& when) const;
    int ways_of_one(const Target& target) const;
    int cores_for(const Target& target) const;
    Window run_here(const Target& target, int way, double seconds, double rate_hint);
    Work work(const Target& target, int way);
    double window_size(const Target& target);
    bool can_place(const Conditions& when) const;
    Memory& reserved(const Conditions& when, int threads);
    Work chase(const Conditions& when);
    OpenclProber& on_device(const std::string& id) const;

    Team& team_;
    int width_bits_;
    std::vector<int> alone_on_;
    Memory memory_;
    Memory remote_;  ///< each region placed by a thread of another node than its user's
    std::vector<int> remote_owners_;
    /// Conditions whose chase lies in thread 0's region now, and where it stopped.
    std::optional<Conditions> chased_;
    std::byte* chase_at_ = nullptr;
    std::map<std::pair<double, DType>, std::vector<std::uint32_t>> indices_;
    /// Opened at the first target on each device.
    mutable std::map<std::string, std::unique_ptr<OpenclProber>> devices_;
};

}  // namespace rooftune::probe
