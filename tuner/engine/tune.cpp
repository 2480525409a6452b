#include "tuner/engine/tune.h"

#include "kernels/registry.h"
#include "kernels/runtime/error.h"
#include "tuner/engine/job.h"
#include "tuner/engine/machine_for.h"
#include "tuner/engine/setting.h"
#include "tuner/engine/strategy_choice.h"
#include "tuner/engine/tune_job.h"
#include "tuner/engine/worker_program.h"

namespace rooftune {

std::optional<int> serve_worker(int argc, char** argv) {
    return serve_worker(argc, argv, built_in_families());
}

TuneResult tune(const TuneProblem& problem, const TuneOptions& options, TuneObserver* observer) {
    if (!can_be_worker())
        throw EnvironmentError(
            "tune() was called in a program that cannot be its own worker; call rooftune::serve_worker(argc, "
            "argv) "
            "at the beginning of main()");
    const Registry registry = built_in_families();
    check_strategy(options.strategy);
    Job job;
    job.family = &family_named(registry, problem.family);
    job.problem = problem.keys;
    job.budget = problem.budget;
    job.budget_given = true;
    for (const std::string& rule : problem.where) job.constraints.push_back({rule, "where"});
    job.loaded = job.family->problem(job.problem);
    check_cuts(job, options.common, options.only, *job.loaded);
    const auto notice = [&](const std::string& text) {
        if (observer) observer->notice(text);
    };
    std::optional<MachineModel> machine = machine_for({job}, options.common, true, notice);
    if (!machine) return {};
    return tune_job(job, options, *machine, observer);
}

}  // namespace rooftune
