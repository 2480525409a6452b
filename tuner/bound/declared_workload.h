// A kernel of the user's as a workload: what its source declares, at the sizes that are asked for.
#pragma once

#include <memory>
#include <string>

#include "kernels/registry.h"
#include "models/workload.h"

namespace rooftune {

/// Whether a word in a family's place is a source or a description: it has a dot or a slash, and names no
/// kind of workload.
bool is_declared(const std::string& word);

/// Throws InputError as the family does, for a file that is not there, or cannot be read.
void check_declared(const Registry& registry, const std::string& source);

/// The least work of any of its variants: with all parameters open, on as many threads and with vectors as
/// wide as the machine has. Its keys are the sizes that the source declares, each with its value there, and
/// those of all workloads. Throws InputError as the family does: for a file that is not there, or cannot be
/// read.
std::unique_ptr<WorkloadKind> declared_workload(const Registry& registry, const std::string& source,
                                                const Machine& machine);

/// Sizes of a spec as the family takes them, with the source.
ProblemSpec declared_problem(const WorkloadKind& kind, const std::string& source, const WorkloadSpec& spec);

}  // namespace rooftune
