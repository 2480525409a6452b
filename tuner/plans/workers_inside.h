// What plans see of their workers.
#pragma once

#include <mutex>

#include "kernels/runtime/one_at_a_time.h"
#include "kernels/runtime/team.h"
#include "tuner/plans/workers.h"

namespace rooftune {

struct ROOFTUNE_HIDDEN Workers::Inside {
    Team team;
    OneAtATime one_run{};

    /// The team for as long as the lock is held: it does one thing at a time. A team of one has no threads
    /// that would be in each other's way: then a plan's run holds the plan, and what makes a plan holds
    /// nothing. Throws EnvironmentError in a child of fork() where there are threads, which it does not have.
    std::unique_lock<OneAtATime> lock(OneAtATime* plan = nullptr) {
        team.check_is_here();
        if (team.size() > 1) return std::unique_lock(one_run);
        return plan != nullptr ? std::unique_lock(*plan) : std::unique_lock<OneAtATime>();
    }
};

}  // namespace rooftune
