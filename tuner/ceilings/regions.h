// Footprints by the level of memory that serves them, as labels.
#pragma once

#include <string>
#include <vector>

#include "models/machine.h"

namespace rooftune {

/// A stretch of footprints served by one level, with its name and an end ("L1", up to 32 KiB).
struct Region {
    std::string name;
    Bytes from{0.0}, to{0.0};  ///< footprints of all threads; the last ends at infinity
};

/// Regions by the probed cache sizes, or the reported ones where nothing was probed. The names are
/// labels only: bounds use the surface itself. A cache that threads share is not larger for all of them than
/// it is reported to be.
std::vector<Region> regions_of(const Topology& topology, int threads = 1);

}  // namespace rooftune
