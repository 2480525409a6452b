// The roofline itself: one horizontal roof, one diagonal, and what they say of a kernel. S. Williams,
// A. Waterman, D. Patterson, "Roofline: an insightful visual performance model for multicore architectures",
// CACM 52(4), 2009.
//
//   attainable(I) = min(peak, bandwidth · I)        ridge I* = peak / bandwidth
//
// On axes with logarithms every diagonal has slope 1 and meets I = 1 at its bandwidth. In time, for F
// operations and Q bytes: T_math = F/peak, T_comms = Q/bandwidth; overlapped perfectly T_lower = max of the
// two, not at all T_serial = their sum, at most twice T_lower. Drawn as performance, T_serial is a rounded
// roof that reaches half of the sharp one at the ridge.
//
// Nothing here knows what is counted. The operations may be flops of one type, integer operations,
// instructions or pixels; the bytes may cross any boundary (L1, DRAM, PCIe, a network). A picture is right as
// long as all of it counts the same operations over the same boundary.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "models/units.h"

namespace rooftune {

struct Roofline {
    OperationsPerSecond peak{0.0};
    BytesPerSecond bandwidth{0.0};

    Intensity ridge() const { return peak / bandwidth; }

    OperationsPerSecond attainable(Intensity i) const { return std::min(peak, bandwidth * i); }
    /// Without any overlap of computing and moving; half of attainable at the ridge, and never less.
    OperationsPerSecond attainable_serial(Intensity i) const {
        if (i.value <= 0.0) return OperationsPerSecond(0.0);
        return OperationsPerSecond(1.0 / (1.0 / peak.value + 1.0 / (bandwidth * i).value));
    }

    Seconds lower(Operations f, Bytes q) const { return std::max(f / peak, q / bandwidth); }
    Seconds serial(Operations f, Bytes q) const { return f / peak + q / bandwidth; }
    bool compute_bound(Intensity i) const { return i >= ridge(); }
};

/// Where a kernel may lie: from probable to least traffic along the axis, from no overlap to all of it above.
struct RooflineBand {
    Intensity low, high;                  ///< with probable, with least traffic
    OperationsPerSecond attainable_low;   ///< without overlap, at the low intensity
    OperationsPerSecond attainable_high;  ///< the roof at the high intensity
};
inline RooflineBand band(const Roofline& roof, Intensity low, Intensity high) {
    return {low, high, roof.attainable_serial(low), roof.attainable(high)};
}

/// A lower ceiling: what remains when one optimisation is missing.
struct MissingCeiling {
    std::string name;     ///< the optimisation: "SIMD", "non-unit stride"
    bool memory = false;  ///< a diagonal, in byte/s; else a horizontal, in operations/s
    double rate = 0.0;
};

/// Which optimisations pay at an intensity, all ceilings of a picture taken together.
enum class PayingRegion { none, memory, compute, both };

/// Left of where the best bandwidth meets the lowest compute ceiling only memory pays; right of where the
/// worst bandwidth meets the peak only compute; between them both. Without a ceiling of a kind that kind has
/// nothing to give.
PayingRegion paying_region(const Roofline& roof, const std::vector<MissingCeiling>& ceilings, Intensity i);

/// What one missing optimisation costs by itself at an intensity.
struct MissingCost {
    MissingCeiling ceiling;
    double factor = 1.0;  ///< attainable under the roof over attainable under this ceiling; 1: nothing
};

/// All of them, the costliest first.
std::vector<MissingCost> missing_costs(const Roofline& roof, const std::vector<MissingCeiling>& ceilings,
                                       Intensity i);

}  // namespace rooftune
