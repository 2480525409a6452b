// How fast a machine reads some lines and writes as many others. Most mixes do not tell: those that only load
// write nothing, and those that update find each line already there when they write it.
#pragma once

#include <vector>

#include "models/staircase.h"

namespace rooftune {

/// Fills in BandwidthStep::apart: the highest rate, over footprints of at least the step's, of copying (with
/// ordinary or with non-temporal stores) and of any two mixes that do not write what they read, in turn, such
/// that both together read as much as they write. A kernel that overlapped the two of a pair better than any
/// copy that was probed could exceed it, so it is evidence of this machine and no proof; only the second tier
/// uses it. 0 where either copy was not probed on so many threads at a footprint as small, or where fewer
/// than kUndisturbedWindows windows of copies at the step's footprint or beyond were undisturbed.
void add_copy_rates(const Machine& machine, int threads, std::vector<BandwidthStep>& steps);

}  // namespace rooftune
