// What simulated nodes are given and what they tell: problems without content, ceilings, results.
#pragma once

#include <cstddef>
#include <vector>

#include "models/machine.h"
#include "tests/cluster/simulated_cluster.h"
#include "tuner/engine/set_plan.h"

namespace rooftune::test {

/// The best that a node of a kind reaches. As many ceilings as a node with two threads has, of which the
/// largest walks and arithmetic are compared.
Machine simulated_machine(int kind);

/// A tune's, without problem, winner and times.
TuneResult simulated_result();

/// One of many variants, as a winner.
SetTask::Values simulated_winner(std::size_t i);

/// Problems that are told apart by their keys; nothing is loaded.
JobList simulated_jobs(std::size_t problems);
std::vector<ProblemSketch> simulated_sketches(const SimulatedSettings& settings);

}  // namespace rooftune::test
