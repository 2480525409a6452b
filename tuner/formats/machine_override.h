// `--set path=value`: one value of a machine that a user replaces, to ask "what if", or because another
// source states another figure. What was replaced is kept, so that an answer can say so.
#pragma once

#include <string>
#include <vector>

#include "models/machine.h"

namespace rooftune {

struct MachineOverride {
    std::string path;      ///< "memory.bandwidth"
    double value = 0.0;    ///< in `unit`
    std::string unit;      ///< "flop/s", "op/s", "byte/s" or "byte"
    double was = 0.0;      ///< 0: the machine had none
    std::string source{};  ///< where the replaced value was from; empty when there was none
};

/// What a path leaves open: a bare "peak" is that of the element type, and of the unit, that the workload
/// asks for, a bare "link.bandwidth" that of its link. Empty names: the fastest.
struct OverrideContext {
    DType dtype = DType::f64;
    std::string unit{};
    std::string link{};
};

/// Paths that can be set on this machine: peak, peak.DTYPE, peak.DTYPE.UNIT, memory.bandwidth,
/// memory.capacity, link.bandwidth, link.bandwidth.NAME.
std::vector<std::string> override_paths(const Machine& machine);

/// Replaces the values behind the paths, in order. "peak" is the roof of an element type: every faster rate
/// of it goes as well. "memory.bandwidth" is that of the largest footprints measured (all, of a preset), in
/// either direction and both together. Throws InputError: not PATH=VALUE, a path that is not known (with the
/// nearest), a path given twice, a value that is no positive number.
std::vector<MachineOverride> apply_overrides(Machine& machine, const std::vector<std::string>& texts,
                                             const OverrideContext& context);

/// The source that a replaced ceiling gets.
inline constexpr std::string_view kOverrideSource = "--set";

}  // namespace rooftune
