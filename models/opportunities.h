// Opportunities: what would lift a bound, and by how much at most. From the terms alone: the resource that
// binds, what would bind once that were free, and what is lost to an uneven partition or to operations that
// the answer does not need. And from the ceilings: those below the roof that a variant's traits put it under.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/bound.h"

namespace rooftune {

/// What terms share: making one of these free leaves the others as they are.
enum class Bottleneck {
    arithmetic,  ///< floating-point units: operations, and instructions on their ports
    issue,       ///< instructions of any kind
    loads,       ///< load ports of a core
    chain,       ///< latency of dependent operations
    memory,      ///< bytes beyond a cache
    link,        ///< bytes between devices
};

Bottleneck bottleneck_of(TermKind k);
/// Whether a term is of the heaviest thread alone, against one thread's roof.
bool runs_on_one_thread(TermKind k);
std::string_view to_text(Bottleneck b);
/// What would ease it that no parameter of a space need be: "fewer bytes: …".
std::string_view relief_of(Bottleneck b);

/// Bottlenecks made free one after the other, from the one that binds: `lifted` is this one and all before.
struct Lift {
    std::vector<Bottleneck> lifted;
    Seconds then{0.0};  ///< largest term that is left; 0 when none is
    int binding = -1;   ///< that term, an index into Bound::terms
};

/// At least one lift where a term binds; the last leaves nothing. Demoted terms do not count.
std::vector<Lift> lifts(const Bound& bound);

/// The same work with an even share for each thread: what the best partition could leave of the heaviest.
Work evened(const Work& work, int threads);

/// The same work without operations beyond the nominal ones (padding, ghost zones, sums computed twice);
/// floating-point instructions fall in proportion.
Work without_surplus(const Work& work);

/// Share of the binding term's time that the largest term of the other side (in core against traffic) takes:
/// near 1 both sides need attention, near 0 only the binding one does. 0 when nothing binds.
double other_side(const Bound& bound);

/// The smallest level that holds this many bytes of `threads` threads together: "L1", "L2", … or "DRAM". A
/// level counts one instance for every `shared_by` threads, since a team spreads over cores. Sizes as
/// reported, as probed where nothing is. Of a shared last level a machine may have less than it reports (its
/// neighbours have the rest): beyond what was probed of it, "L3 or DRAM".
std::string level_holding(const Topology& topology, int threads, Bytes footprint);

/// A condition that the binding term's roof was measured under and that the variant does not meet.
struct Missing {
    std::string_view what;  ///< "streams", "simd" or "threads"
    int own = 0, best = 0;  ///< the variant's own value, and that of the roof's ceiling
    double rate = 0.0;      ///< highest rate measured under the variant's own condition
    double roof = 0.0;      ///< of the binding term
    int ceiling = -1;       ///< behind `rate`, an index into Machine::ceilings
};

/// Ceilings of the binding term's resource below its roof by more than `noise`, one for each condition that
/// the traits tell and this machine offers more of. Estimates: a ceiling of a probe limits no kernel.
std::vector<Missing> ceilings_above(const Roofs& roofs, const Term& binding, const Traits& traits,
                                    double noise);

}  // namespace rooftune
