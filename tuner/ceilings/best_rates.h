// The two rates that stand for a machine, its peak and the bandwidth of its memory: the same answer wherever
// one is shown (`machine`, `machine --diff`, `list machines`), and the one that bounds rest on.
#pragma once

#include "models/roofs.h"

namespace rooftune {

/// A rate for people. Where it was never probed undisturbed often enough on so many threads, a roof is that
/// of one thread times the threads, and more than was seen.
struct BestRate {
    double rate = 0.0;    ///< flop/s, op/s or byte/s; 0 where nothing is known
    double margin = 0.0;  ///< of the ceiling behind it
    double seen = 0.0;    ///< the highest that was probed or published under the same conditions
    bool proven() const { return rate <= seen * (1.0 + 1e-9); }
};

/// The thread count that stands for all of a machine: the most that anything was probed on, or what the
/// topology has where rates are of the whole machine.
int all_threads(const Machine& machine);

/// Of vectors of at most `width_bits` (or kAnyWidth), over all mixes and chains. `roofs` are the machine's.
BestRate peak_of(const Machine& machine, const Roofs& roofs, DType dtype, int width_bits, int threads);

/// At the largest footprint that was walked, reads and writes together.
BestRate memory_bandwidth_of(const Machine& machine, const Roofs& roofs, int threads);

}  // namespace rooftune
