// The affinity mask of the thread that asks.
#pragma once

#include <sched.h>

#include <vector>

#include "tests/support/catch.h"

namespace rooftune::test {

inline std::vector<int> mask_of_this_thread() {
    cpu_set_t set;
    CPU_ZERO(&set);
    REQUIRE(sched_getaffinity(0, sizeof set, &set) == 0);
    std::vector<int> cpus;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
        if (CPU_ISSET(static_cast<std::size_t>(cpu), &set)) cpus.push_back(cpu);
    return cpus;
}

inline void set_mask(const std::vector<int>& cpus) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const int cpu : cpus) CPU_SET(static_cast<std::size_t>(cpu), &set);
    REQUIRE(sched_setaffinity(0, sizeof set, &set) == 0);
}

}  // namespace rooftune::test
