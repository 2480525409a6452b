// Finals: the best few in rotation, never back to back, in processes and with inputs of their own, against
// the default and the naive variant. Ratios come from these rounds alone, so that the machine's drift
// cancels; what the machine gave is asked after those of these rounds whose fastest turn nobody disturbed,
// and some more. Where all finalists fail on the fresh inputs, the next best take their place.
#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

#include "tuner/measure/probing_beside.h"
#include "tuner/measure/racing.h"
#include "tuner/measure/sampling.h"
#include "tuner/measure/statistics.h"
#include "tuner/search/beside.h"
#include "tuner/search/finals_field.h"
#include "tuner/search/on_average.h"
#include "tuner/search/run_state.h"

namespace rooftune {
namespace {

constexpr int kFinalsRounds = 120;                       // or what the time for finals allows
constexpr double kRoofSeconds = 0.6, kRoofShare = 0.05;  // the latter of a budget, at most
constexpr double kBeforeAudit = 0.85;                    // of a budget: where the audit is to begin

enum class Finals { won, unmeasured, refuted };

// Whether all rounds say that it is faster than the winner, and the undisturbed ones do not (decisive_ratio).
bool faster_only_disturbed(const Record& record, const Record& best) {
    return ratio_interval(record.slots, best.slots).high < 1.0 &&
           decisive_ratio(record.slots, best.slots) >= 1.0;
}

// Of those that were measured in the rotation the best beside the winner: of those that were in as many
// rounds, for who left before did so because of the others, and a few rounds have often called the slower one
// faster.
std::optional<RunnerUp> runner_up_of(const Space& space, const std::vector<Variant>& field,
                                     const std::vector<Record>& records, const Variant& winner,
                                     const Record& best) {
    std::optional<RunnerUp> second;
    bool as_long = false;  // whether it was in as many rounds as the winner
    for (std::size_t i = 0; i < records.size(); ++i) {
        const Record& record = records[i];
        if (field[i] == winner || !space.valid(field[i]) || record.outcome != Outcome::measured ||
            record.slots.size() < kLeastRounds)
            continue;
        const bool its = record.slots.size() >= best.slots.size();
        const TimeInterval ratio = ratio_interval(record.slots, best.slots);
        if (faster_only_disturbed(record, best)) continue;
        if (second && (its != as_long ? as_long : ratio.median >= second->ratio.median)) continue;
        second = RunnerUp{field[i], ratio, winner, interval_of(record.slots)};
        as_long = its;
    }
    return second;
}

// The finalists' slots, process after process: what one process is dealt (pages, addresses) makes a kernel a
// few percent faster or slower for as long as it lives, in a few cases by a third.
struct Heats {
    std::vector<Variant> field;
    std::vector<Record> records;
    std::vector<int> processes;     ///< in which each was measured
    std::vector<std::size_t> ends;  ///< rounds after each process
    std::vector<Ceiling> beside;
    std::vector<std::vector<double>> rates;  ///< of each, by rounds of all processes
    std::vector<Ceiling> seen;               ///< its windows, by processes
    int batches = 1;
};

bool is_measured(const Record& record) {
    return record.outcome == Outcome::measured && record.slots.size() >= kLeastRounds;
}

// A variant's time over that of another, as far as it decides between the two: over the undisturbed rounds of
// all processes that both were measured in, where there are some.
double over(const Heats& heats, std::size_t variant, std::size_t other) {
    return decisive_ratio(heats.records[variant].slots, heats.records[other].slots);
}

// The best that is a variant of the space among those that were measured in the most processes; nothing where
// none was measured. Medians of ratios need not agree on an order, so each that beats the one found so far is
// asked once whether it beats all: no winner has a runner-up that is faster in undisturbed rounds, unless
// they beat each other in a circle. Of those that the median does not tell apart from that one, the best on
// average (on_average.h).
std::optional<std::size_t> best_of(const RunState& run, const Heats& heats) {
    int most = 0;
    std::vector<std::size_t> among;
    for (std::size_t i = 0; i < heats.field.size(); ++i) {
        if (!run.space().valid(heats.field[i]) || !is_measured(heats.records[i])) continue;
        if (heats.processes[i] > most) among.clear();
        most = std::max(most, heats.processes[i]);
        if (heats.processes[i] == most) among.push_back(i);
    }
    if (among.empty()) return std::nullopt;
    std::size_t best = among.front();
    for (std::size_t asked = 0; asked < among.size(); ++asked) {
        std::size_t faster = best;
        double least = 1.0;
        for (const std::size_t i : among) {
            const double ratio = i == best ? 1.0 : over(heats, i, best);
            if (ratio >= least) continue;
            least = ratio;
            faster = i;
        }
        if (faster == best) break;
        best = faster;
    }
    const std::size_t by_median = best;
    double least = 1.0;
    for (const std::size_t i : among) {
        const auto& slots = heats.records[i].slots;
        const auto& its = heats.records[by_median].slots;
        if (i == by_median || !better_on_average(slots, its, heats.ends)) continue;
        const double mean = ratio_on_average(slots, its, heats.ends);
        if (mean >= least) continue;
        least = mean;
        best = i;
    }
    return best;
}

// Who goes on: the best, those within reach of it, and the references, unless these are so much slower that
// one process tells as much as five.
std::vector<std::size_t> who_goes_on(const RunState& run, const Heats& heats, std::size_t best) {
    constexpr double kWithinReach = 1.35;  // what one process was seen to deal
    constexpr double kToldByOne = 3.0;
    constexpr std::size_t kChallengers = 4;
    std::vector<std::pair<double, std::size_t>> near;
    std::vector<std::size_t> on;
    for (std::size_t i = 0; i < heats.field.size(); ++i) {
        // Slots of all who go on are of the same rounds.
        if (!is_measured(heats.records[i]) || heats.processes[i] != heats.processes[best]) continue;
        const bool reference = heats.field[i] == run.input.naive || heats.field[i] == run.input.fallback;
        const double ratio = i == best ? 1.0 : over(heats, i, best);
        if (i == best || (reference && ratio <= kToldByOne)) {
            on.push_back(i);
        } else if (ratio <= kWithinReach) {
            near.emplace_back(ratio, i);
        }
    }
    std::sort(near.begin(), near.end());
    for (std::size_t i = 0; i < std::min(kChallengers, near.size()); ++i) on.push_back(near[i].second);
    std::sort(on.begin(), on.end());
    return on;
}

// One more process for these of the field. False: it gave no times.
bool add_heat(RunState& run, Heats& heats, const std::vector<std::size_t>& who, double seconds) {
    RotationRequest request{.rounds = kFinalsRounds,
                            .seconds = seconds,
                            .role = "finals",
                            .process = static_cast<int>(heats.ends.size()),
                            .beside = heats.beside,
                            .batches = heats.batches,
                            .turns_of_far_slower = kTurnsOfFarSlower};
    for (const std::size_t i : who) request.variants.push_back(heats.field[i]);
    const Rotation answer = run.evaluator.rotation(request);
    heats.seen.insert(heats.seen.end(), answer.seen.begin(), answer.seen.end());
    std::size_t rounds = 0;
    for (const Record& record : answer.records) {
        if (is_measured(record)) rounds = std::max(rounds, record.slots.size());
    }
    for (std::size_t k = 0; k < who.size(); ++k) {
        const Record& record = answer.records[k];
        Record& all = heats.records[who[k]];
        run.trace("finals " + run.space().to_text(request.variants[k]) + " " +
                  std::string(to_text(record.outcome)));
        const bool every_round = is_measured(record) && record.slots.size() == rounds;
        if (heats.ends.empty() || (is_failure(record.outcome) && record.outcome != Outcome::environment)) {
            all = record;
        } else if (every_round) {
            all.slots.insert(all.slots.end(), record.slots.begin(), record.slots.end());
            all.error = std::max(all.error, record.error);
        } else {
            continue;
        }
        if (every_round) ++heats.processes[who[k]];
    }
    if (rounds == 0) return false;
    const std::size_t before = heats.ends.empty() ? 0 : heats.ends.back();
    heats.ends.push_back(before + rounds);
    heats.rates.resize(heats.beside.size());
    for (std::size_t c = 0; c < heats.rates.size(); ++c) {
        heats.rates[c].resize(before, 0.0);
        if (c >= answer.rates.size()) continue;
        heats.rates[c].insert(heats.rates[c].end(), answer.rates[c].begin(), answer.rates[c].end());
    }
    return true;
}

// Whether one of them may yet turn out to be the winner: what processes are dealt differs more than they do.
bool is_open(const RunState& run, const Heats& heats, const std::vector<std::size_t>& who, std::size_t best) {
    constexpr double kWorthIt = 0.02;
    constexpr std::size_t kTell = 3;
    // Of two processes nobody knows which is the rule.
    if (heats.ends.size() < kTell)
        return std::any_of(who.begin(), who.end(),
                           [&](std::size_t i) { return i != best && run.space().valid(heats.field[i]); });
    return std::any_of(who.begin(), who.end(), [&](std::size_t i) {
        return i != best && run.space().valid(heats.field[i]) &&
               may_be_faster(heats.records[i].slots, heats.records[best].slots, heats.ends, kWorthIt);
    });
}

// Of a search that ended early: as long as it is open who wins, its finals take of the time that it left.
// Whoever asks for all variants and names no time has it.
double until_decided(const RunState& run) {
    constexpr double kBeforeAuditAndMore = 0.6;  // after_regret() at the earliest
    if (run.options.finals_seconds > 0.0) return 0.0;
    if (run.options.seconds <= 0.0)
        return run.options.exhaustive ? std::numeric_limits<double>::infinity() : 0.0;
    constexpr double kBeforeLastProbes = 0.95;
    return run.started +
           (run.audit_is_to_come ? kBeforeAuditAndMore : kBeforeLastProbes) * run.options.seconds;
}

// Several processes, the first with the whole field, as long as they fit into the time: another one has to
// load, convert and check again, which with large matrices takes longer than the turns.
void take_heats(RunState& run, Heats& heats, double seconds) {
    constexpr int kProcesses = 5, kMostProcesses = 20;
    constexpr double kFirst = 0.4;
    constexpr double kMostOverFirst = 2.0;
    std::vector<std::size_t> who(heats.field.size());
    std::iota(who.begin(), who.end(), std::size_t{0});
    const double start = run.evaluator.now();
    if (!add_heat(run, heats, who, kFirst * seconds)) return;
    const double first = run.evaluator.now() - start;
    if (run.first_finals <= 0.0) run.beyond_turns = std::max(0.0, first - kFirst * seconds);
    // All that comes before its turns, a variant, and what the least rounds take longer than they should.
    const double preparing = std::max(0.0, first - kFirst * seconds) / static_cast<double>(who.size());
    // Where loading takes long, a second process is worth as long as the first, but not more than the budget.
    double most = kMostOverFirst * first;
    if (run.options.seconds > 0.0) {
        const double last = run.audit_is_to_come ? kBeforeAudit : 1.0;
        most = std::min(most, run.started + last * run.options.seconds - start);
    }
    const double until = start + std::max(seconds, most);
    const double turns = (1.0 - kFirst) * seconds / (kProcesses - 1);
    for (int process = 1; process < kMostProcesses && !run.evaluator.interrupted(); ++process) {
        const std::optional<std::size_t> best = best_of(run, heats);
        if (!best) return;
        who = who_goes_on(run, heats, *best);
        const double end = run.evaluator.now() + preparing * static_cast<double>(who.size()) + turns;
        const bool fits = process < kProcesses && end <= until;
        if (!fits && (end > until_decided(run) || !is_open(run, heats, who, *best))) return;
        const double before = run.evaluator.now();
        const bool gave = add_heat(run, heats, who, turns);
        if (!fits) run.further_finals += run.evaluator.now() - before;
        if (!gave) {
            if (!run.evaluator.interrupted())
                run.notice(
                    "a further process of the finals gave no times; the winner is that of those before");
            return;
        }
    }
}

// Finals that end late leave a short look.
double roof_seconds(RunState& run) {
    constexpr double kLeastShare = 0.01;
    const double budget = run.options.seconds;
    if (budget <= 0.0) return kRoofSeconds;
    const double usual = std::min(kRoofSeconds, kRoofShare * budget);
    return std::clamp(budget - run.elapsed(), std::min(usual, kLeastShare * budget), usual);
}

// Refuted: some finalist was right in the search and failed on fresh inputs, and none is left that was
// measured.
Finals rotate_finalists(RunState& run, const std::vector<Variant>& field, double seconds) {
    Heats heats;
    heats.field = field;
    heats.records.resize(field.size());
    heats.processes.resize(field.size(), 0);
    if (run.options.reprobe)
        heats.beside = ceilings_beside(run.machine, run.input.model->work(field.front()),
                                       run.input.model->traits(field.front()));
    heats.batches = run.batches();
    take_heats(run, heats, seconds);
    run.learn(heats.seen);
    run.evaluations += static_cast<int>(field.size());

    // The pace of the finals, by what the search had measured of the same variants.
    std::vector<double> paces;
    for (std::size_t i = 0; i < field.size(); ++i) {
        const auto known = run.ledger.records().find(field[i]);
        if (known != run.ledger.records().end() && known->second.outcome == Outcome::measured &&
            is_measured(heats.records[i]))
            paces.push_back(interval_of(heats.records[i].slots).median / typical(known->second));
    }
    const double pace = paces.empty() ? 1.0 : median(paces);
    bool refuted = false;
    std::map<Variant, const Record*> of;
    for (std::size_t i = 0; i < field.size(); ++i) {
        Record& record = heats.records[i];
        record.pace = pace;
        of[field[i]] = &record;
        if (!run.space().valid(field[i])) continue;  // a reference that the user's cuts leave out
        if (is_measured(record)) {
            run.ledger.add_known(field[i], record);
        } else if (record.outcome != Outcome::environment && is_failure(record.outcome)) {
            // Right in the search and wrong on fresh inputs: never the winner.
            const auto known = run.ledger.records().find(field[i]);
            refuted = refuted || known == run.ledger.records().end() || !is_failure(known->second.outcome);
            run.ledger.add_known(field[i], record);
        } else if (record.outcome == Outcome::measured && !record.slots.empty() &&
                   !run.ledger.evaluated(field[i])) {
            // A textbook loop that nobody had timed before, and so slow that a few turns told enough.
            Record few = record;
            few.outcome = Outcome::raced_out;
            run.ledger.add_known(field[i], few);
            run.tree->take(field[i]);
        }
    }
    const std::optional<std::size_t> first = best_of(run, heats);
    if (!first) return refuted ? Finals::refuted : Finals::unmeasured;
    const Variant& winner = field[*first];
    const Record& best = heats.records[*first];
    run.ledger.crown(winner, interval_of(best.slots), pace);
    run.note_convergence();
    run.result.best_record = best;
    const auto beside = [&](const Record& record, Part part) {
        Machine given = rates_beside(heats.beside, heats.rates, record.slots, part);
        given.topology = run.machine.topology;
        return given;
    };
    run.beside = beside(best, Part::median);
    run.beside_low = beside(best, Part::low);
    run.beside_high = beside(best, Part::high);
    run.beside_of.reset();
    if (!run.beside.ceilings.empty()) run.beside_of = winner;
    run.beside_each.clear();
    for (std::size_t i = 0; i < field.size() && run.beside_of; ++i) {
        const Record& record = heats.records[i];
        if (!run.space().valid(field[i]) || !is_measured(record)) continue;
        const Machine given = beside(record, Part::median);
        if (given.ceilings.size() == run.beside.ceilings.size())
            run.beside_each[field[i]] = {given, interval_of(record.slots).median};
    }
    if (run.ratios_of != winner) run.result.naive_ratio = run.result.default_ratio = {};
    run.ratios_of = winner;
    const auto against = [&](const Variant& other, TimeInterval& ratio, TimeInterval& its_own) {
        const Record* record = of.contains(other) ? of[other] : nullptr;
        if (!record || record->slots.empty()) return;
        ratio = ratio_interval(record->slots, best.slots);
        its_own = interval_of(record->slots);
    };
    against(run.input.naive, run.result.naive_ratio, run.result.naive_seconds);
    against(run.input.fallback, run.result.default_ratio, run.result.default_seconds);
    run.result.runner_up = runner_up_of(run.space(), field, heats.records, winner, best);
    for (std::size_t i = 0; i < field.size(); ++i) {
        const Record& record = heats.records[i];
        if (i == *first || !is_measured(record) || !faster_only_disturbed(record, best)) continue;
        run.notice(
            "beside what disturbed this machine " + run.space().to_text(field[i]) +
            " was faster than the winner, which what was less disturbed does not bear out. Tune again when "
            "the machine is quiet, or with fewer processors (--cpus) if it never is");
        break;
    }
    if (!run.evaluator.interrupted()) run.result.roof_now = run.reprobe_binding(roof_seconds(run));
    run.check_bound(winner, best);
    return run.ledger.incumbent() ? Finals::won : Finals::refuted;
}

void meet_in_finals(RunState& run, double seconds) {
    // Each time that the finalists are refuted, the ledger holds at least one less that counts as right.
    for (;;) {
        constexpr double kUnlimited = std::numeric_limits<double>::infinity();
        const double left = run.options.seconds > 0.0 ? run.options.seconds - run.elapsed() : kUnlimited;
        const std::vector<Variant> field = field_of(run, std::max(seconds, left));
        if (field.empty()) break;
        const Finals end = rotate_finalists(run, field, seconds);
        if (end == Finals::won) return;
        if (end == Finals::unmeasured || run.evaluator.interrupted()) break;
        run.notice("all finalists failed on fresh inputs; the next best take their place");
    }
    // Not in the finals, but verified and timed: the best that is known.
    if (const auto best = run.ledger.best(1); !run.ledger.incumbent() && !best.empty()) {
        const Record& record = run.ledger.records().at(best.front());
        run.ledger.crown(best.front(), interval_of(record.slots), record.pace);
    }
    if (!run.ledger.incumbent()) return;
    run.notice(
        run.ratios_of && run.ratios_of != run.ledger.incumbent()->variant
            ? "there were no finals after the audit; the winner is whom it found, by their rotation with "
              "the winner before"
            : "there were no finals; the winner is the search's");
}

}  // namespace

double least_finals_seconds(const RunState& run) {
    if (!run.ledger.incumbent()) return 0.0;
    const Variant& winner = run.ledger.incumbent()->variant;
    double sum = 2.0 * least_seconds_of(run, winner);  // whoever is second takes about as long
    std::vector<Variant> references{run.input.fallback};
    for (const Variant& reference : {run.input.naive, run.input.kept.value_or(run.input.naive)}) {
        if (std::find(references.begin(), references.end(), reference) == references.end())
            references.push_back(reference);
    }
    for (const Variant& reference : references) {
        if (reference != winner) sum += least_seconds_of(run, reference);
    }
    return sum;
}

double after_regret(const RunState& run) {
    constexpr double kOfTheFirst = 0.6, kLatest = 0.9, kEarliest = 0.6;
    if (run.options.seconds <= 0.0) return kLatest;
    return std::clamp(1.0 - kOfTheFirst * run.first_finals / run.options.seconds, kEarliest, kLatest);
}

double last_contest(const RunState& run) {
    // A budget so short that its audit would have nothing ends a little late instead, in the rare case that
    // something faster is found at its end.
    constexpr double kLatest = 0.97, kEarliest = 0.88;
    if (run.options.seconds <= 0.0) return kLatest;
    // A process for the contest, and one for finals.
    return std::clamp(kLatest - 2.0 * run.beyond_turns / run.options.seconds, kEarliest, kLatest);
}

void finals_stage(RunState& run, double seconds) {
    const double start = run.evaluator.now();
    run.further_finals = 0.0;
    meet_in_finals(run, seconds);
    const double took = run.evaluator.now() - start;
    // Second ones take as long as the usual processes did.
    if (run.result.finals_took <= 0.0) run.first_finals = took - run.further_finals;
    run.result.finals_took += took;
}

}  // namespace rooftune
