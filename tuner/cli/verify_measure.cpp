#include "tuner/cli/verify_measure.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tuner/cli/binding_ceiling.h"
#include "tuner/cli/compare_arms.h"
#include "tuner/cli/compare_configs.h"
#include "tuner/measure/interrupt.h"
#include "tuner/measure/statistics.h"
#include "tuner/measure/worker_evaluator.h"
#include "tuner/report/phrases.h"
#include "tuner/report/si.h"
#include "tuner/store/machine_lock.h"

namespace rooftune {
namespace {

using validity::Answer;
using validity::Measured;
using validity::Rival;
using Values = std::map<std::string, std::string>;

// Data that neither tune nor finals, which count from the seed upwards, have seen.
constexpr std::uint64_t kNewData = 104'729;
constexpr int kSeeds = 3;
constexpr double kOwnCeilingSeconds = 2.0;
constexpr double kPatience = 120.0;

// A failure of the variant's own; what the machine did not have to give says nothing about its answer.
bool is_its_own(Outcome outcome) {
    return is_failure(outcome) && outcome != Outcome::environment && outcome != Outcome::out_of_memory &&
           outcome != Outcome::out_of_resources;
}

Answer answer_of(const WorkerSetup& setup, int descriptor, const Values& variant, std::uint64_t seed) {
    MeasureRequest ask;
    ask.variant = variant;
    ask.slots = 1;
    ask.rules.batches = 1;
    for (int i = 1; i <= kSeeds; ++i) ask.seeds.push_back(seed + kNewData + static_cast<std::uint64_t>(i));
    Deadlines deadlines;
    deadlines.load = deadlines.prepare = deadlines.run = kPatience;
    Worker worker(this_program(), setup, descriptor);
    const WorkerAnswer said = worker.ask(to_json(ask).dump(), deadlines);
    Answer answer;
    answer.seeds = kSeeds;
    Outcome outcome = said.outcome;
    answer.detail = said.detail;
    if (outcome == Outcome::measured && said.line.records.empty()) outcome = Outcome::environment;
    if (outcome == Outcome::measured) {
        const Record& record = said.line.records.front();
        outcome = record.outcome;
        answer.detail = record.detail;
        answer.error = record.error;
    }
    answer.found = !is_failure(outcome)  ? Answer::Found::right
                   : is_its_own(outcome) ? Answer::Found::wrong
                                         : Answer::Found::unknown;
    if (answer.found != Answer::Found::right)
        answer.detail = std::string(to_text(outcome)) + (answer.detail.empty() ? "" : ": " + answer.detail);
    return answer;
}

// Whom the winner meets, and as what.
struct Opponent {
    Rival as = Rival::nobody;
    Values variant;
    std::string gone;  ///< why it is not the runner-up
};

// Why a variant cannot be met; empty: it can.
std::string objection(const Setting& s, const WorkerSetup& setup, int descriptor, const Values& variant,
                      std::uint64_t seed) {
    std::string why;
    if (!s.space->from_map(variant, why)) return why;
    const Answer answer = answer_of(setup, descriptor, variant, seed);
    return answer.found == Answer::Found::right ? "" : answer.detail;
}

Opponent opponent_of(const TuneResult& tuned, const Setting& s, const WorkerSetup& setup, int descriptor,
                     std::uint64_t seed) {
    Opponent opponent{Rival::nobody, tuned.best, ""};
    if (!tuned.runner_up.empty() && tuned.runner_up != tuned.best) {
        opponent.gone = objection(s, setup, descriptor, tuned.runner_up, seed);
        if (opponent.gone.empty()) return {Rival::runner_up, tuned.runner_up, ""};
    }
    if (interrupted() || tuned.fallback.empty() || tuned.fallback == tuned.best) return opponent;
    if (objection(s, setup, descriptor, tuned.fallback, seed).empty())
        return {Rival::default_variant, tuned.fallback, opponent.gone};
    return opponent;
}

// Clock and share of a shared cache drift: what the problem's bounds need is probed now, as before its tune.
void probe_roof(const Setting& s, const WorkerSetup& setup, int descriptor, const CommonOptions& common,
                Machine& view) {
    WorkerEvaluator evaluator(*s.space, this_program(), setup, descriptor, common.seed);
    for (const Ceiling& fresh : evaluator.reprobe(own_ceilings(s, view.topology), kOwnCeilingSeconds)) {
        if (fresh.max > 0.0) merge(view, fresh);
    }
}

}  // namespace

std::optional<Measured> measure_claim(const validity::Claim& claim, const Setting& s, const Job& job,
                                      const MachineModel& machine, const CommonOptions& common,
                                      const VerifyRules& rules,
                                      const std::function<void(const std::string&)>& notice) {
    const TuneResult& tuned = claim.tuned;
    const SharedProblem shared(s);
    const WorkerSetup setup = worker_setup(s, job);
    const int descriptor = shared.descriptor();
    const MachineLock lock([] { return !interrupted(); });
    if (!lock.held()) return std::nullopt;
    // First, because a history of noise that cannot be read would waste what was measured before.
    const double delta = delta_for(common, {rules.limit, rules.delta}, machine.machine.id);
    Measured m;
    m.answer = answer_of(setup, descriptor, tuned.best, common.seed);
    if (interrupted()) return std::nullopt;
    if (m.answer.found != Answer::Found::right) return m;
    if (tuned.seconds.median > rules.limit) {
        m.no_rounds = "one repetition took " + format_seconds(tuned.seconds.median) +
                      " when it was tuned, longer than --limit " + format_seconds(rules.limit) + "; raise it";
        return m;
    }
    const Opponent opponent = opponent_of(tuned, s, setup, descriptor, common.seed);
    Machine view = machine_of(machine.machine, s.target.device.id);
    if (interrupted()) return std::nullopt;
    if (machine.measured) probe_roof(s, setup, descriptor, common, view);
    const Demoted demoted = demoted_terms(tuned);
    std::string why;
    const Variant winner = *s.space->from_map(tuned.best, why);
    std::vector<Ceiling> watched;
    if (machine.measured) watched = watched_ceilings(s, view, winner, demoted);
    VariantArms arms(s, setup, descriptor, tuned.best, opponent.variant, watched, rules.limit, common);
    const track::Compared compared = track::compare(arms, {common.seed, delta});
    if (compared.interrupted) return std::nullopt;
    m.duel = compared.judgement;
    m.rival = opponent.as;
    m.rival_gone = opponent.gone;
    if (m.rival != Rival::nobody) m.rival_phrase = variant_phrase(tuned.family, opponent.variant);
    m.seconds = interval_of_values(compared.times.base);
    if (const auto binding = binding_ceiling(s, view, PartialVariant{}, demoted))
        m.ceiling = describe(*binding);
    if (machine.measured) {
        m.roof = roof_beside(s, view, arms.watched(), arms.rates(), tuned, machine.machine.id);
        track::Comparison itself;
        itself.kernel = tuned.title;
        itself.judgement = m.duel;
        remember_noise(common, machine.machine.id, itself, notice);
    } else {
        m.roof.seconds = m.roof.now = problem_roof(s, view, demoted);
        m.roof.then = roof_then(tuned, machine.machine.id);
    }
    return m;
}

}  // namespace rooftune
