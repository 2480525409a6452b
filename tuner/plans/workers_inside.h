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

    /// What a run holds while it lasts.
    struct Alone {
        std::unique_lock<OneAtATime> plan, team;
    };

    /// The plan and the team for as long as the locks are held: each does one thing at a time. A team of one
    /// has no threads that would be in each other's way: then plans do not wait for each other, and what
    /// makes a plan, which nobody else has yet, holds nothing. The plan's lock alone is that of runs on
    /// threads of the caller's. Throws EnvironmentError in a child of fork() where there are threads, which
    /// it does not have.
    Alone lock(OneAtATime* plan = nullptr) {
        team.check_is_here();
        Alone alone;
        if (plan != nullptr) alone.plan = std::unique_lock(*plan);
        if (team.size() > 1) alone.team = std::unique_lock(one_run);
        return alone;
    }
};

}  // namespace rooftune
