// From words to the answer of `rooftune bound`: machine, workload, replaced values, critical size, sweep.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/registry.h"
#include "tuner/bound/bound_answer.h"

namespace rooftune {

struct BoundQuestion {
    std::string family;
    WorkloadSpec spec;
    std::vector<std::string> set;   ///< "memory.bandwidth=8.1e11"; "host.peak.f64=1e11" of the host
    std::string solve;              ///< a size; empty: none
    std::string sweep;              ///< "n=1:32768:x2"; empty: none
    std::optional<Machine> host{};  ///< that sends the work and gets the result back
};

/// The workload kind by name. Throws InputError with the nearest known one.
const WorkloadKind& workload_named(const std::string& name);

/// Throws InputError: an unknown family or key (with the nearest), a missing or senseless value, numbers that
/// overflow, an element type or a compute unit that the machine states no rate of (and which it does).
/// Without a dtype, a preset's is that of its first stated peak, any other machine's f64. A size that is
/// solved for or swept needs no value: the critical one, or the largest of the sweep, stands for it.
BoundAnswer answer(const BoundQuestion& question, const Machine& machine, const Registry& registry);

}  // namespace rooftune
