// What to probe, and for how long. Pure: the machine's topology and the memory at hand go in, a list of
// conditions comes out.
#pragma once

#include <vector>

#include "kernels/probe/prober.h"
#include "models/machine.h"

namespace rooftune {

struct ProbePlan {
    /// Targets of a group are probed one after the other, since they share threads and footprint and
    /// so find the caches as the one before left them; rounds go over all groups.
    std::vector<std::vector<probe::Target>> groups;
    int rounds = 1;  ///< at most
    /// No new round or group after this, except what may exclude in the first round.
    Seconds deadline{0.0};
    int refinements = 0;  ///< after each of so many first rounds, footprints are added by refine.h
    std::size_t targets() const;
};

/// The first machine model: peak at every width, chains of 1 and of 8 to 24, 1 and all threads; every
/// memory mix at footprints x2 apart, loads with 1 to 32 streams, updates with up to 16, non-temporal copies
/// with up to 8; core and gather; latency inside each cache level and in memory. `memory`: bytes that may be
/// taken (a quarter of it is).
ProbePlan quick_plan(const Topology& topology, int threads, Bytes memory);

/// The wider sweep: every chain and mix; divisions, roots, integers and narrow products; powers of two of the
/// threads; footprints x2 apart, refined down to x1.2 where rates fall; and what lies below the roof: small
/// pages, narrow vectors, no prefetch, shared data, another node's memory; latency, strides and gathers
/// over all levels.
ProbePlan full_plan(const Topology& topology, int threads, Bytes memory);

/// The peaks of one element type at every width, on 1 and on `threads` threads.
ProbePlan peak_conditions_for(const Topology& topology, DType dtype, int threads);

/// What is probed before a tune, because the clock and the share of a shared cache drift: the peaks of the
/// problem's element type, its chains, what a core issues and holds, and bandwidth at the problem's
/// footprint, at half and twice of it: every mix and number of streams, on 1 and on `threads` threads.
ProbePlan probe_conditions_for(const Topology& topology, Bytes footprint, DType dtype, int threads,
                               Bytes memory);

/// The second tier's walks with work besides, over the problem's footprint (or the largest that is probed) on
/// `threads` threads: those that gather elements, or those that load vectors, with copies.
ProbePlan joint_conditions_for(const Topology& topology, Bytes footprint, int threads, Bytes memory,
                               bool gathers);

/// The bandwidth of the memory itself, on which bounds of cold caches rest: the walks over the largest
/// footprint, on 1 and on `threads` threads.
ProbePlan memory_conditions_for(const Topology& topology, int threads, Bytes memory);

/// What only ranks variants of a problem: latency at its footprint (the next power of two), and gathers of
/// its element type where it has any (`gather_footprint` above 0). Worth probing only where missing_or_old()
/// leaves something of it.
ProbePlan ranking_conditions_for(const Topology& topology, Bytes footprint, Bytes gather_footprint,
                                 DType dtype, int threads, Bytes memory);

/// Footprints from 4 KiB to at least `last` in steps of `factor`, `last` itself included.
std::vector<Bytes> footprints(Bytes last, double factor);

/// Largest footprint worth probing: eight times the private caches of all threads and at least 256 MiB,
/// at most a quarter of the memory.
Bytes largest_footprint(const Topology& topology, int threads, Bytes memory);

}  // namespace rooftune
