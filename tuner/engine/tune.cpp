#include "tuner/engine/tune.h"

#include <utility>

#include "kernels/registry.h"
#include "tuner/engine/job.h"
#include "tuner/engine/tune_within.h"
#include "tuner/engine/worker_program.h"

namespace rooftune {

std::optional<int> serve_worker(int argc, char** argv) {
    return serve_worker(argc, argv, built_in_families());
}

TuneResult tune(const TuneProblem& problem, const TuneOptions& options, TuneObserver* observer) {
    if (options.worker.empty() && !can_be_worker())
        throw EnvironmentError(
            "tune() was called in a program that cannot be its own worker; call serve_worker(argc, argv) at "
            "the beginning of main(), or name an installed rooftune in TuneOptions::worker");
    const Registry registry = built_in_families();
    Job job;
    job.family = &family_named(registry, problem.family);
    job.problem = problem.keys;
    job.budget = problem.budget;
    job.budget_given = true;
    for (const std::string& rule : problem.where) job.constraints.push_back({rule, "where"});
    return tune_within(std::move(job), options, observer);
}

}  // namespace rooftune
