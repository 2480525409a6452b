// OpenMP's threads on a processing unit each, as our own team is: free to move, two may meet on one.
#pragma once

#include <omp.h>
#include <sched.h>

#include <vector>

namespace rooftune::peers {

/// As many threads as `cpus`, each on its own, for whatever uses this process's OpenMP runtime from now on.
inline void pin_openmp(const std::vector<int>& cpus) {
    const int threads = static_cast<int>(cpus.size());
    omp_set_dynamic(0);
    omp_set_num_threads(threads);
#pragma omp parallel num_threads(threads)
    {
        cpu_set_t mask;
        CPU_ZERO(&mask);
        CPU_SET(static_cast<std::size_t>(cpus[static_cast<std::size_t>(omp_get_thread_num())]), &mask);
        sched_setaffinity(0, sizeof mask, &mask);
    }
}

}  // namespace rooftune::peers
