// What plans see of their workers.
#pragma once

#include <mutex>

#include "kernels/runtime/team.h"
#include "tuner/plans/workers.h"

namespace rooftune {

struct Workers::Inside {
    Team team;
    std::mutex one_run;  ///< held during a run: a team does one thing at a time
};

}  // namespace rooftune
