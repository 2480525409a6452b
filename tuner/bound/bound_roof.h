// What the families of the registry know of a workload: the counts of a real matrix, and the bound over all
// variants that we have.
#pragma once

#include "kernels/registry.h"
#include "tuner/bound/bound_answer.h"

namespace rooftune {

/// Turns the keys of a problem that only the family understands (gen=poisson27,nx=120 or matrix=FILE) into
/// those of the workload: rows, cols and nnz as counted. Returns the problem's own keys; empty when there are
/// none such. Throws InputError of the family.
ProblemSpec count_problem(const Registry& registry, const std::string& family, WorkloadSpec& spec);

/// The bound of the empty partial variant of the family on the machine's processing units: nullopt when there
/// is no family of that name, when the machine was not measured, or when the spec says what only the workload
/// understands. A problem that the family refuses gives the reason in `why_not`.
std::optional<ProblemRoof> problem_roof(const Registry& registry, const std::string& family,
                                        const ProblemSpec& problem, State state, const Machine& machine);

}  // namespace rooftune
