// Which processing units may be faster than others: hybrids have kinds of cores, and of equal cores some may
// run at a higher clock.
#pragma once

#include <string>
#include <vector>

namespace rooftune {

/// What the system says of one processing unit. Higher is faster; 0 where it says nothing.
struct CoreReading {
    int kind = 0;              ///< hwloc's number of its kind of core
    double performance = 0.0;  ///< the firmware's rank (ACPI CPPC), on a scale of its own
    double hertz = 0.0;        ///< highest clock of cpufreq
    bool operator==(const CoreReading&) const = default;
};

/// Readings of the processing units given by their operating-system indices, in that order. `root` stands
/// before the paths of sysfs, for tests. Throws EnvironmentError when hwloc cannot load the topology.
std::vector<CoreReading> read_cores(const std::vector<int>& cpus, const std::string& root = {});

/// Positions in `cores` whose fastest is the fastest of all, whatever is asked of a core: the first, which a
/// program of one thread runs on; and of each kind the one with the highest rank, or of equal ranks the
/// highest clock, where it is not as the first. Which kind is faster depends on the instructions, so each
/// has one. Of equal cores that is the first alone. Empty for none.
std::vector<int> fastest_of_kinds(const std::vector<CoreReading>& cores);

}  // namespace rooftune
