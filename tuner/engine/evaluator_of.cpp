#include "tuner/engine/evaluator_of.h"

#include <optional>

#include "tuner/ceilings/probe_machine.h"
#include "tuner/engine/worker_program.h"
#include "tuner/measure/in_process_evaluator.h"
#include "tuner/measure/worker_evaluator.h"

namespace rooftune {
namespace {

// Probes on one team, which must live as long as they do: not the ones of the whole process, since a program
// that tunes several kernels has a team for each.
InProcessProbes probes_of_one_team() {
    const auto prober = std::make_shared<std::optional<Reprober>>();
    return {[prober](const std::vector<Ceiling>& ceilings, Team& team, double seconds) {
                if (!*prober) prober->emplace(team);
                return (**prober)(ceilings, seconds);
            },
            [prober] {
                if (*prober) (*prober)->release();
            }};
}

}  // namespace

std::unique_ptr<Evaluator> evaluator_of(const Setting& setting, const Job& job, const TuneOptions& options,
                                        const SharedProblem& shared) {
    const WorkerSetup setup = worker_setup(setting, job);
    const std::uint64_t seed = options.common.seed;
    if (setting.family->runs_in_this_process())
        return std::make_unique<InProcessEvaluator>(*setting.family, setting.problem, *setting.space, setup,
                                                    probes_of_one_team(), seed);
    return std::make_unique<WorkerEvaluator>(*setting.space, worker_of(options), setup, shared.descriptor(),
                                             seed);
}

}  // namespace rooftune
