// A plan's run on threads of the caller's. For plans, whose inside has `one_run`, `participants` and
// threads().
#pragma once

#include <mutex>

#include "kernels/runtime/lent_threads.h"
#include "kernels/runtime/participants.h"
#include "tuner/plans/executor_threads.h"

namespace rooftune {

/// One part of a run, which `act` does. What Participants::take_part() says holds.
template <typename Inside, typename Act>
void run_part_of(Inside& plan, int part, int parts, Act&& act) {
    plan.participants->take_part(part, parts, [&] {
        const std::unique_lock alone(plan.one_run);
        act();
    });
}

/// A run, which `act` does, by an executor of the caller's. What ExecutorThreads::run() says holds.
template <typename Inside, typename Act>
void run_by(Inside& plan, const PlanExecution& execution, Act&& act) {
    const std::unique_lock alone(plan.one_run);
    ExecutorThreads threads(execution, plan.threads());
    const Lending lending(&threads);
    act();
}

}  // namespace rooftune
