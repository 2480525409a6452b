// What a job has probed a moment ago, so that each of its problems need not probe it again.
#pragma once

#include <vector>

#include "models/machine.h"

namespace rooftune {

class RecentProbes {
public:
    /// Those of `wanted` that no recent probe stands for at `now` (seconds on any clock that only rises). One
    /// does when its conditions are the same, but that its footprint may be up to a quarter smaller: B*(w) is
    /// the highest rate from the largest measured footprint at or below w upward, so that it still bounds
    /// from above.
    std::vector<Ceiling> missing(const std::vector<Ceiling>& wanted, double now) const;

    /// All that are recent at `now`.
    std::vector<Ceiling> probes(double now) const;

    void add(const std::vector<Ceiling>& probed, double now);

private:
    struct Probe {
        Ceiling ceiling;
        double when;
    };
    std::vector<Probe> probes_;
};

}  // namespace rooftune
