#include "tuner/ladder/ladder_field.h"

#include "tuner/base/interrupt.h"
#include "tuner/engine/worker_program.h"

namespace rooftune {
namespace {

// Three batches a turn: a ladder has more rounds than a comparison.
constexpr int kBatches = 3;
constexpr double kBatchSeconds = 0.02;
constexpr double kProbeSeconds = 0.03;

WorkerSetup alone(WorkerSetup setup) {
    setup.target.threads = 1;
    if (!setup.cpus.empty()) setup.cpus.resize(1);
    return setup;
}

std::vector<VariantTurns::Values> values_of(const ladder::Plan& plan) {
    std::vector<VariantTurns::Values> all;
    for (const ladder::Stand& stand : plan.variants) all.push_back(stand.values);
    return all;
}

}  // namespace

LadderField::LadderField(const Setting& setting, const Job& job, int shared_descriptor,
                         const ladder::Plan& plan, const std::vector<Ceiling>& watched, double limit,
                         double budget_seconds, const CommonFlags& common)
    : plan_(&plan),
      together_(kThisProgram, worker_setup(setting, job), shared_descriptor, values_of(plan),
                {kBatches, kBatchSeconds, limit, common.seed}),
      alone_(kThisProgram, alone(worker_setup(setting, job)), shared_descriptor, values_of(plan),
             {kBatches, kBatchSeconds, limit, common.seed}),
      watched_(watched),
      rates_(watched.size()),
      bar_(common.quiet),
      started_(clock_.now()) {
    state_.phase = "ladder of " + setting.problem->title();
    state_.budget_seconds = budget_seconds;
}

bool LadderField::interrupted() {
    return rooftune::interrupted();
}

void LadderField::begin(int) {
    together_.renew();
    alone_.renew();
    if (watched_.empty()) return;
    std::string why;
    const std::vector<Ceiling> fresh = together_.probe(watched_, kProbeSeconds, why);
    for (std::size_t i = 0; i < fresh.size(); ++i) {
        // What cannot be probed here gives no rate; it is not the end of the ladder.
        if (fresh[i].max > 0.0) rates_[i].push_back(fresh[i].max);
    }
}

VariantTurns& LadderField::turns_of(std::size_t variant) {
    return plan_->variants[variant].alone ? alone_ : together_;
}

Turn LadderField::take(std::size_t variant) {
    return turns_of(variant).take(variant);
}

void LadderField::progress(int round, std::size_t variant) {
    ++state_.measured;
    if (static_cast<int>(variant) == plan_->best())
        state_.best_seconds = turns_of(variant).seconds_of(variant);
    state_.elapsed_seconds = clock_.now() - started_;
    (void)round;
    bar_.update(state_);
}

}  // namespace rooftune
