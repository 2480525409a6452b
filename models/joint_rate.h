// How fast lines come from a level of the memory while the core loads from its first-level cache besides. A
// bound takes the larger of the two as if they overlapped; in caches, and in a memory that is fast enough,
// they add up to a good part, and how much is a matter of the core.
#pragma once

#include <vector>

#include "models/machine.h"
#include "models/work.h"

namespace rooftune {

/// The highest rate of walks over `from` bytes and more, with so much or more besides for each line of 64
/// bytes that they read.
struct JointRate {
    bool copies = false;  ///< writes as many other lines as it reads (ordinary or non-temporal stores)
    LoadsBesides besides{};
    double from = 0.0;  ///< distinct bytes of all threads
    double rate = 0.0;  ///< byte/s, reads and writes together
};

/// Of walks on so many threads, by rising footprints. None of what was not seen in kUndisturbedWindows
/// undisturbed windows, nor of copies of which only one kind of store was probed.
std::vector<JointRate> joint_rates(const Machine& machine, int threads);

/// What a complete variant loads besides for each line that it reads, at least.
struct Besides {
    double vectors = 0.0;   ///< whole ones beyond those that bring the line in
    double crossing = 0.0;  ///< of those
    /// Loads of any width beyond the whole vectors, and beyond as many as bring a line in if these are fewer.
    double scalars = 0.0;
    double gathered = 0.0;  ///< f64 elements

    /// What the variant does of so much, at most 1: the least of the kinds.
    double share_of(const LoadsBesides& probed) const;
};
Besides besides(const Work& work, const Traits& traits);

/// Of what a walk does besides, the share that a variant must do at least to be held against it.
inline constexpr double kNearlyAll = 0.9;

/// An estimate from below of a complete variant's seconds, for the second tier: its reads over the rate of
/// walks with as much besides as it has, or less. Where it writes other lines (TrafficProfile::apart), also
/// as many bytes each way over that of copies, or its reads and then its writes at `write_rate` (byte/s),
/// whichever takes less. Where a variant does nearly as much as a walk (the lines of a grid's boundary count,
/// and nothing is loaded besides them), it takes that share of the walk's time at least: what each load
/// besides costs does not rise with their number less than in proportion, time is a sum or a maximum of both.
/// Probed vectors are of 128 bits, and no core loads wider ones faster. 0 where nothing was probed that the
/// variant does, too. No proof: a kernel may overlap the two better than the probes do.
Seconds joint_seconds(const std::vector<JointRate>& rates, const Work& work, const Traits& traits,
                      double write_rate);

}  // namespace rooftune
