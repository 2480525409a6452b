#include "tuner/verify/verify_measure.h"
#include "tuner/engine/worker_program.h"

#include <algorithm>

#include "kernels/runtime/error.h"
#include "tuner/base/interrupt.h"
#include "tuner/base/si.h"
#include "tuner/chart/phrases.h"
#include "tuner/engine/binding_ceiling.h"
#include "tuner/measure/statistics.h"
#include "tuner/measure/worker_evaluator.h"
#include "tuner/store/machine_lock.h"
#include "tuner/track/compare_arms.h"
#include "tuner/track/compare_configs.h"

namespace rooftune {
namespace {

using verify::Answer;
using verify::Measured;
using verify::Rival;
using Values = std::map<std::string, std::string>;

// Data that neither tune nor finals, which count from the seed upwards, have seen.
constexpr std::uint64_t kNewData = 104'729;
constexpr int kSeeds = 3;
constexpr double kOwnCeilingSeconds = 2.0;
// A rival that cannot be met within the limit, and took so much longer the one time that it ran, has lost.
constexpr double kClearlySlower = 1.5;

// A failure of the variant's own; what the machine did not have to give says nothing about its answer. Nor
// does time: the oracle of a large problem, which is computed in it, can take minutes on a machine that is
// busy.
bool is_its_own(Outcome outcome) {
    return is_failure(outcome) && outcome != Outcome::environment && outcome != Outcome::out_of_memory &&
           outcome != Outcome::out_of_resources && outcome != Outcome::timed_out;
}

// A variant's answer on new data, and how long it took.
struct Tried {
    Answer answer;
    double seconds = 0.0;  ///< the least of one repetition that nothing disturbed; 0: not known
};

Tried tried(const WorkerSetup& setup, int descriptor, const Values& variant, std::uint64_t seed) {
    Worker worker(kThisProgram, setup, descriptor);
    Tried all;
    // One request a seed: each oracle has the whole time.
    for (int i = 1; i <= kSeeds && !interrupted(); ++i) {
        MeasureRequest ask;
        ask.variant = variant;
        ask.slots = 1;
        ask.rules.batches = 1;
        ask.seeds = {seed + kNewData + static_cast<std::uint64_t>(i)};
        Record record;
        try {
            record = worker.measure(ask, unknown_limits(0.0, setup.compilers));
        } catch (const InputError& error) {
            record.detail = error.what();  // of this problem's input: other configs are still verified
        }
        all.answer.error = std::max(all.answer.error, record.error);
        for (const Slot& slot : record.slots) {
            if (!slot.disturbed && (all.seconds <= 0.0 || slot.seconds < all.seconds))
                all.seconds = slot.seconds;
        }
        all.answer.seeds = i;
        all.answer.found = !is_failure(record.outcome)  ? Answer::Found::right
                           : is_its_own(record.outcome) ? Answer::Found::wrong
                                                        : Answer::Found::unknown;
        if (all.answer.found == Answer::Found::right) continue;
        all.answer.detail =
            std::string(to_text(record.outcome)) + (record.detail.empty() ? "" : ": " + record.detail);
        break;
    }
    return all;
}

// Whom the winner meets, and as what.
struct Opponent {
    Rival as = Rival::nobody;
    Values variant;
    std::string gone;      ///< why it is not the runner-up
    double seconds = 0.0;  ///< of one repetition, once; 0: not known
};

// Lets a variant be met; says why it cannot be.
std::string meet(const Setting& s, const WorkerSetup& setup, int descriptor, std::uint64_t seed,
                 Opponent& opponent) {
    std::string why;
    if (!s.space->from_map(opponent.variant, why)) return why;
    const Tried once = tried(setup, descriptor, opponent.variant, seed);
    opponent.seconds = once.seconds;
    return once.answer.found == Answer::Found::right ? "" : once.answer.detail;
}

Opponent opponent_of(const TuneResult& tuned, const Setting& s, const WorkerSetup& setup, int descriptor,
                     std::uint64_t seed) {
    Opponent nobody{Rival::nobody, tuned.best, ""};
    if (!tuned.runner_up.empty() && tuned.runner_up != tuned.best) {
        Opponent runner_up{Rival::runner_up, tuned.runner_up, ""};
        nobody.gone = meet(s, setup, descriptor, seed, runner_up);
        if (nobody.gone.empty()) return runner_up;
    }
    if (interrupted() || tuned.fallback.empty() || tuned.fallback == tuned.best) return nobody;
    Opponent fallback{Rival::default_variant, tuned.fallback, nobody.gone};
    return meet(s, setup, descriptor, seed, fallback).empty() ? fallback : nobody;
}

std::string beyond(double seconds, double limit) {
    return "takes " + format_seconds(seconds) + " a repetition, longer than --limit " + format_seconds(limit);
}

// Clock and share of a shared cache drift: what the problem's bounds need is probed now, as before its tune.
void probe_roof(const Setting& s, const WorkerSetup& setup, int descriptor, const CommonOptions& common,
                Machine& view) {
    WorkerEvaluator evaluator(*s.space, kThisProgram, setup, descriptor, common.seed);
    for (const Ceiling& fresh : evaluator.reprobe(own_ceilings(s, view.topology), kOwnCeilingSeconds)) {
        if (fresh.max > 0.0) merge(view, fresh);
    }
}

}  // namespace

double checking_seconds(const VariantCost& winner) {
    // Each seed is prepared, verified and timed.
    const double each = std::max(0.0, winner.prepare) + 2.0 * std::max(0.0, winner.repetition);
    return 2.0 * (kWorkerStart + kSeeds * each) + kOwnCeilingSeconds;
}

std::optional<Measured> measure_claim(const verify::Claim& claim, const Setting& s, const Job& job,
                                      const MachineModel& machine, const CommonFlags& common,
                                      const VerifyRules& rules, MeasuringScreen& screen) {
    const TuneResult& tuned = claim.tuned;
    const SharedProblem shared(s);
    const WorkerSetup setup = worker_setup(s, job);
    const int descriptor = shared.descriptor();
    const MachineLock lock([] { return !interrupted(); });
    if (!lock.held()) return std::nullopt;
    // First, because a history of noise that cannot be read would waste what was measured before.
    const double delta = delta_for(common, {rules.limit, rules.delta}, machine.machine.id);
    Measured m;
    screen.measures();
    screen.stage("its answer on new data");
    const Tried own = tried(setup, descriptor, tuned.best, common.seed);
    m.answer = own.answer;
    if (interrupted()) return std::nullopt;
    if (m.answer.found != Answer::Found::right) return m;
    if (own.seconds > rules.limit) {
        m.no_rounds = "it " + beyond(own.seconds, rules.limit) + "; raise it";
        return m;
    }
    screen.stage("whom it meets");
    Opponent opponent = opponent_of(tuned, s, setup, descriptor, common.seed);
    if (opponent.seconds > rules.limit) {
        m.rival_slow = beyond(opponent.seconds, rules.limit);
        if (own.seconds <= 0.0 || opponent.seconds < kClearlySlower * own.seconds) {
            m.no_rounds = "its rival " + m.rival_slow + "; raise it";
            return m;
        }
        opponent.variant = tuned.best;  // the winner is timed beside itself
    }
    Machine view = machine_of(machine.machine, s.target.device.id);
    if (interrupted()) return std::nullopt;
    screen.stage("the ceilings as they are now");
    if (machine.measured) probe_roof(s, setup, descriptor, common, view);
    const Demoted demoted = demoted_terms(tuned);
    std::string why;
    const Variant winner = *s.space->from_map(tuned.best, why);
    std::vector<Ceiling> watched;
    if (machine.measured) watched = watched_ceilings(s, view, winner, demoted);
    VariantArms arms(setup, descriptor, tuned.best, opponent.variant, watched, rules.limit, common, screen);
    const track::Compared compared = track::compare(arms, {common.seed, delta});
    if (compared.interrupted) return std::nullopt;
    m.duel = compared.judgement;
    m.rival = opponent.as;
    m.rival_gone = opponent.gone;
    if (m.rival != Rival::nobody)
        m.rival_phrase =
            variant_phrase(tuned.family, opponent.as == Rival::runner_up ? tuned.runner_up : tuned.fallback);
    m.turns = verify::winner_turns(compared);
    if (const auto binding = binding_ceiling(s, view, PartialVariant{}, demoted))
        m.ceiling = describe(*binding);
    if (machine.measured) {
        m.roof = roof_beside(s, view, arms.watched(), arms.rates(), tuned, machine.machine.id);
        track::Comparison itself;
        itself.kernel = tuned.title;
        itself.judgement = m.duel;
        remember_noise(common, machine.machine.id, itself, screen.notices());
    } else {
        m.roof.seconds = m.roof.now = problem_roof(s, view, demoted);
        m.roof.then = roof_then(tuned, machine.machine.id);
    }
    return m;
}

}  // namespace rooftune
