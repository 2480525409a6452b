// The bandwidth roofs of a machine: B*(w), the highest rate at any footprint of at least w, made of what was
// measured and of how sure that is.
#pragma once

#include <optional>
#include <vector>

#include "models/machine.h"

namespace rooftune {

/// One step of B*(w): the highest rate at any footprint >= `from`, and the ceiling behind it
/// (an index into Machine::ceilings).
struct BandwidthStep {
    double from = 0.0;                           ///< bytes
    double read = 0.0, write = 0.0, both = 0.0;  ///< byte/s; 0 where never measured
    double apart = 0.0;  ///< byte/s of reading lines and writing as many others (models/copy_rate.h)
    int read_ceiling = -1, write_ceiling = -1, both_ceiling = -1;
};

/// A rate with the ceiling that gave it.
struct Roof {
    double rate = 0.0;
    int ceiling = -1;
    explicit operator bool() const { return ceiling >= 0; }
};

/// Keeps the higher of two rates, with its ceiling.
inline void keep_higher(double& rate, int& ceiling, double candidate, int index) {
    if (candidate > rate) {
        rate = candidate;
        ceiling = index;
    }
}

/// Threads that a rate was measured on. One without a thread count is the whole machine's: within reach of
/// any number of threads.
inline constexpr int kWholeMachine = 1 << 20;
inline int threads_of(const Conditions& when) {
    return when.threads > 0 ? when.threads : kWholeMachine;
}

/// What of a rate the fastest `threads` of its threads had: at least their share of it, since they had it
/// while the others took part. Fewer threads can only do less than more, so theirs counts in full.
inline double share_of(const Conditions& when, int threads) {
    if (when.threads <= threads) return 1.0;
    return static_cast<double>(threads) / when.threads;
}

/// The number of threads to answer for `threads` with: the next one that was measured at all. More threads'
/// share and fewer threads' rates raise a roof, they do not make one: half of what two threads drew from a
/// memory that one can saturate is no limit of one.
template <typename Wanted>
std::optional<int> answering_count(const Machine& machine, int threads, Wanted&& wanted) {
    std::optional<int> count;
    for (const Ceiling& c : machine.ceilings) {
        const int n = threads_of(c.when);
        if (n >= threads && (!count || n < *count) && wanted(c)) count = n;
    }
    return count;
}

/// B*(w) for `threads` threads, by rising footprints: each mix on each number of threads is a curve of its
/// own, and a step has the highest of all curves. Below the first footprint that so many threads walked in a
/// direction nothing is known of it (0).
///
/// A rate makes a step only if it is saturated: at its footprint or beyond, enough undisturbed windows of any
/// mix and number of streams, the fastest of which agree with it, and of every mix some. Where it is not, the
/// step has what the threads could reach each alone (`one`: the staircase of one thread; empty for that one
/// itself) or what a smaller footprint allows, the lesser of the two and no less than what was reached; where
/// neither is known, 0. `doubtful` gets the ceilings of such steps, indices into Machine::ceilings.
std::vector<BandwidthStep> staircase(const Machine& machine, int threads,
                                     const std::vector<BandwidthStep>& one, std::vector<int>& doubtful);

}  // namespace rooftune
