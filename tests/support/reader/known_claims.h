// What is said without measuring: bounds, machines, recorded spaces, other tools' points, lists, and what a
// machine suffers from.
#pragma once

#include "models/machine.h"
#include "tests/support/reader/result_claims.h"

namespace rooftune::test {

/// `bound`, its levels, sweep and transfers; and the drawing of a sweep.
void claim_bound(Reader& reader, const nlohmann::json& document);
/// `machine --show`, by the machine's file.
void claim_machine(Reader& reader, const Machine& machine);
/// `replay`, of one space or several.
void claim_replay(Reader& reader, const nlohmann::json& document);
/// `import`, without a machine to judge by.
void claim_points(Reader& reader, const nlohmann::json& document);
/// `list machines`, `list jobs`, `list families` and `list parameters`.
void claim_machine_list(Reader& reader, const nlohmann::json& document);
void claim_problem_list(Reader& reader, const nlohmann::json& document);
void claim_families(Reader& reader, const nlohmann::json& document);
void claim_parameters(Reader& reader, const nlohmann::json& document);

}  // namespace rooftune::test
