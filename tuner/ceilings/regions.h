// Footprints by the level of memory that serves them, as labels.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/machine.h"

namespace rooftune {

/// A stretch of footprints served by one level, with its name and an end ("L1", up to 32 KiB).
struct Region {
    std::string name;
    Bytes from{0.0}, to{0.0};  ///< footprints of all threads; the last ends at infinity

    /// Whether a footprint lies safely inside: beyond `above` times the level below, at which most of it is
    /// no longer there, and well within this one.
    bool holds(Bytes footprint, double above = 1.9) const {
        return footprint.value > above * from.value && footprint.value <= 0.76 * to.value;
    }
};

/// Regions by the probed cache sizes, or the reported ones where nothing was probed. The names are
/// labels only: bounds use the surface itself. A cache that threads share is not larger for all of them than
/// it is reported to be.
std::vector<Region> regions_of(const Topology& topology, int threads = 1);

/// The one of so many threads with that name; none where what lies below is no smaller for so many.
std::optional<Region> region_named(const Topology& topology, const std::string& name, int threads);

}  // namespace rooftune
