// What a random forest would measure next, beside what the ranker would (ranker.h). The ranker's process
// believes that like variants take like times, so a search that follows it alone stays where it is good
// already; trees know of thresholds and of pairs of values that only together are good. Neither is the
// better one: in replays of the spaces in results/, 40 each, the two in turn missed the best by more than 1 %
// 3 times on matmul, where the ranker alone did 7 times, and 15 times on the stencil (20 times).
#pragma once

#include <optional>
#include <vector>

#include "tuner/search/run_state.h"

namespace rooftune {

/// Of `asked`, the variant with the largest expected improvement upon the best so far, by what this run has
/// timed, what the store knows and what like problems taught. Only the neighbours of `parents` and a sample
/// of the others are asked about. nullopt when nothing was timed or `asked` is empty.
std::optional<Variant> second_opinion(RunState& run, const std::vector<const Node*>& asked,
                                      const std::vector<Variant>& parents);

}  // namespace rooftune
