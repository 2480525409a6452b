// Why the winner is as fast as it is, worked out when a tune ends, while space, work and ceilings are at
// hand: opportunities with their limits, and estimates of what lies between the bound and the clock.
#pragma once

#include "tuner/engine/result_builder.h"

namespace rooftune {

/// Of the best variant; empty where there is none or no ceiling bounds it.
ExplanationReport explanation_of(const ResultContext& context, const SearchResult& found);

}  // namespace rooftune
