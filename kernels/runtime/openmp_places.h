// Where the OpenMP runtime of this process puts its threads.
#pragma once

#include <vector>

namespace rooftune {

/// Operating-system indices of the processing units in the places of the OpenMP runtime that this process has
/// loaded (OMP_PROC_BIND, OMP_PLACES, GOMP_CPU_AFFINITY), ascending and each once; empty where there is no
/// such runtime, or it binds nothing.
std::vector<int> openmp_places();

}  // namespace rooftune
