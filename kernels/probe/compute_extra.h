// Compute beyond FMA, additions and products of f32 and f64: divisions, square roots, integers, and products
// of narrow elements added into wider ones. Which of them are worth a place in a machine's full model.
#pragma once

#include <vector>

#include "models/machine.h"

namespace rooftune::probe {

/// Conditions worth probing on `threads` threads, at most 60 and in a fixed order, for every element type,
/// the widest vectors first. Pure: the CPU is asked by Prober::ways, which answers 0 for what it lacks (a
/// matrix unit, f16 arithmetic). One dependent chain is a latency, which more threads do not shorten: it is
/// listed for one thread only.
std::vector<Conditions> extra_compute_conditions(const Topology& topology, int threads);

}  // namespace rooftune::probe
