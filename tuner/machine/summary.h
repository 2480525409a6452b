// A machine in words and tables, for `rooftune machine`.
#pragma once

#include <string>
#include <vector>

#include "models/machine.h"

namespace rooftune {

/// A stretch of footprints served by one level, with its name and an end ("L1", up to 32 KiB).
struct Region {
    std::string name;
    Bytes from{0.0}, to{0.0};  ///< footprints of one thread; the last ends at infinity
};

/// Regions by the probed cache sizes, or the reported ones where nothing was probed. The names are
/// labels only: bounds use the surface itself.
std::vector<Region> regions_of(const Topology& topology);

/// Processor and caches; peak by width and type, and other operations; bandwidth, latency, gathers, strides
/// and other conditions by region; ridge points; core; which ceilings exclude; when they were last seen. At
/// most about sixty lines without devices. `now`: a date as utc_now() writes it, by which ceilings are called
/// old; empty: none is.
std::string summary_text(const Machine& machine, const std::string& now = {});

}  // namespace rooftune
