// Where a coarse grid of footprints is worth a finer one: between neighbours whose rates differ. A grid that
// is fine everywhere spends most of its windows on plateaus, where they say nothing new. Pure.
#pragma once

#include <vector>

#include "models/machine.h"

namespace rooftune {

/// A footprint still to be probed, on so many threads.
struct MissingFootprint {
    Bytes footprint{0.0};
    int threads = 1;
    bool operator==(const MissingFootprint&) const = default;
};

/// Neighbours that differ by more than this are worth a point between them.
inline constexpr double kWorthRefining = 0.15;
/// Footprints nearer to each other than this factor are not divided: a level's edge is no sharper.
inline constexpr double kFinestStep = 1.15;

/// The geometric middle, in whole kilobytes, of each pair of neighbouring footprints between which the
/// bandwidth of any mix falls by more than kWorthRefining, for each number of threads on its own. Rates are
/// the best over streams, and the best at any footprint from there on: noise only lowers them, so a
/// slow spell in the middle of a plateau is no fall. Looked at: plain walks of `seen` on huge pages, without
/// further conditions. Descending footprints.
std::vector<MissingFootprint> footprints_between(const std::vector<Ceiling>& seen);

}  // namespace rooftune
