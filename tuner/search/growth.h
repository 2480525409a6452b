// Spaces that grow. While the best has the greatest value on offer of a parameter with more, and is faster by
// it than with the value before, one more is offered and the best is raced with it at once: an edge says that
// the list ended, not that the kernel has had enough. What could not be extended is told with the result.
#pragma once

#include "tuner/search/run_state.h"

namespace rooftune {

/// Extends the offer by one value where the incumbent sits on an edge that pays and could have the next one;
/// tells so, and races the incumbent with that value unless it is excluded. Where nobody knows yet whether
/// the edge pays, the value before is raced. False: nothing was done.
bool grow(RunState& run);

/// Between the first offer and the last.
std::vector<GrowthReport> growth_of(const Space& whole, const SpaceOffer& first, const SpaceOffer& last);

/// Where `winner` has the greatest value of an ordered parameter. Natural ends are none: the least value, and
/// the greatest where the parameter has no reason for its end.
std::vector<EdgeReport> edges_of(const RunState& run, const Variant& winner);

}  // namespace rooftune
