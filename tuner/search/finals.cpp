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
#include "tuner/search/heats.h"
#include "tuner/search/run_state.h"

namespace rooftune {
namespace {

constexpr double kRoofSeconds = 0.6, kRoofShare = 0.05;  // the latter of a budget, at most

enum class Finals { won, unmeasured, refuted };

// The next best where the winner was refuted: those that were raced out count as well, for what they lost to
// was no right answer.
std::vector<Variant> next_best(const Ledger& ledger) {
    std::vector<std::pair<double, Variant>> timed;
    for (const auto& [variant, record] : ledger.records()) {
        if (!is_failure(record.outcome) && !record.slots.empty())
            timed.emplace_back(fastest(record), variant);
    }
    std::sort(timed.begin(), timed.end());
    std::vector<Variant> best;
    for (std::size_t i = 0; i < std::min(kFinalists, timed.size()); ++i) best.push_back(timed[i].second);
    return best;
}

// Whether a textbook loop, say, took so many times as long as the winner that the finals give it a few turns.
bool is_far_slower_than_winner(const RunState& run, const Variant& variant) {
    const auto at = run.ledger.records().find(variant);
    if (at == run.ledger.records().end() || at->second.slots.empty() || !run.ledger.incumbent()) return false;
    const auto winner = run.ledger.records().find(run.ledger.incumbent()->variant);
    if (winner == run.ledger.records().end() || winner->second.slots.empty()) return false;
    // Near the limit the finals may decide either way.
    constexpr double kNear = 0.75;
    return fastest(at->second) > kNear * kFarSlower * fastest(winner->second);
}

// What one variant takes at least in a process of the finals: prepared, checked on two inputs, and eight
// rounds; of what is far slower one check and a turn or three. By its slots in the search; 0 without any. A
// naive variant that the search did not ask for takes as long as the default at least.
double least_seconds_of(const RunState& run, const Variant& variant) {
    constexpr double kChecks = 2.0;
    const bool as_default = variant == run.input.naive && !run.ledger.evaluated(variant);
    const auto at = run.ledger.records().find(as_default ? run.input.fallback : variant);
    if (at == run.ledger.records().end() || at->second.slots.empty()) return 0.0;
    const double prepare = run.input.builds_are_kept ? 0.0 : std::max(0.0, at->second.prepare_seconds);
    // No turn is shorter than a batch.
    const double turn = std::max(fastest(at->second), SamplingRules().batch_seconds);
    if (is_far_slower_than_winner(run, at->first)) return prepare + turn * (1.0 + kTurnsOfFarSlower);
    return prepare + turn * (kChecks + kLeastRounds);
}

// Whether it is a variant of the space of which nothing is known that rules it out.
bool may_win(const RunState& run, const Variant& variant) {
    const auto at = run.ledger.records().find(variant);
    const bool failed = at != run.ledger.records().end() && is_failure(at->second.outcome);
    return run.space().valid(variant) && !failed;
}

// Who meets in the finals: the winner so far, what its speed-up is told against, whom it would replace, and
// the next best; as many as the budget still allows, of which `seconds` are left.
std::vector<Variant> field_of(const RunState& run, double seconds) {
    std::vector<Variant> field;
    const auto is_in = [&](const Variant& variant) {
        return std::find(field.begin(), field.end(), variant) != field.end();
    };
    const auto add = [&](const Variant& variant) {
        if (!is_in(variant)) field.push_back(variant);
    };
    const bool won = run.ledger.incumbent().has_value();
    const std::vector<Variant> best = won ? run.ledger.best(kFinalists) : next_best(run.ledger);
    if (won) add(run.ledger.incumbent()->variant);
    if (field.empty() && best.empty()) return field;
    add(run.input.fallback);
    add(run.input.naive);
    if (run.input.kept && may_win(run, *run.input.kept)) add(*run.input.kept);
    if (run.ratios_of && may_win(run, *run.ratios_of)) add(*run.ratios_of);  // who won the finals before
    double expected = 0.0;
    for (const Variant& variant : field) expected += least_seconds_of(run, variant);
    const std::size_t references = field.size();
    for (const Variant& variant : best) {
        if (is_in(variant)) continue;
        const double more = least_seconds_of(run, variant);
        // One at least, so that the winner has met somebody.
        if (field.size() > references && expected + more > seconds) break;
        add(variant);
        expected += more;
    }
    // Where all others were raced out, the fastest of those: `verify` asks later whether the order still
    // holds. One that is far slower has a few turns alone and is nobody's runner-up.
    const auto second = [&](const Variant& variant) {
        return variant != field.front() && run.space().valid(variant) &&
               !is_far_slower_than_winner(run, variant);
    };
    if (won && std::none_of(field.begin(), field.end(), second)) {
        const std::vector<Variant> timed = next_best(run.ledger);
        const auto found = std::find_if(timed.begin(), timed.end(), second);
        if (found != timed.end()) add(*found);
    }
    field.resize(std::min(field.size(), static_cast<std::size_t>(run.evaluations_left())));
    return field;
}

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

double roof_seconds(const RunState& run) {
    return run.options.seconds > 0.0 ? std::min(kRoofSeconds, kRoofShare * run.options.seconds)
                                     : kRoofSeconds;
}

// Crowns the best of these processes and takes from them what is told of it. Refuted: some finalist was right
// in the search and failed on fresh inputs, and none is left that was measured.
Finals conclude(RunState& run, const Heats& heats) {
    const std::vector<Variant>& field = heats.field;
    run.learn(heats.seen);

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
        Record record = heats.records[i];
        record.pace = pace;
        of[field[i]] = &heats.records[i];
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
            record.outcome = Outcome::raced_out;
            run.ledger.add_known(field[i], record);
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
    run.result.best_record.pace = pace;
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
        Heats heats = heats_of(run, field);
        take_heats(run, heats, seconds);
        if (run.load_seconds < 0.0) {
            double turns = 0.0;
            for (const Variant& variant : field) turns += least_seconds_of(run, variant);
            run.load_seconds = std::max(0.0, heats.first_seconds - turns);
        }
        run.evaluations += static_cast<int>(field.size());
        const Finals end = conclude(run, heats);
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

double finals_seconds(const SearchOptions& options) {
    constexpr double kWithoutBudget = 8.0;
    const double share = options.seconds > 0.0 ? kFinalsShare * options.seconds : kWithoutBudget;
    return options.finals_seconds > 0.0 ? std::min(share, options.finals_seconds) : share;
}

namespace {

// Of second finals, one process.
double second_finals_take(const RunState& run) {
    return std::max(0.0, run.load_seconds) + least_finals_seconds(run);
}

}  // namespace

double after_regret(const RunState& run) {
    constexpr double kOfTheFirst = 0.6, kLatest = 0.9, kEarliest = 0.6;
    if (run.options.seconds <= 0.0) return kLatest;
    const double finals = std::max(kOfTheFirst * run.first_finals, second_finals_take(run));
    return std::clamp(1.0 - finals / run.options.seconds, kEarliest, kLatest);
}

double last_contest(const RunState& run) {
    // A budget so short that its audit would have nothing ends a little late instead, where something faster
    // is found in its last minute.
    constexpr double kLatest = 0.97, kEarliest = 0.88;
    if (run.options.seconds <= 0.0) return kLatest;
    return std::clamp(1.0 - kAfterFinals - second_finals_take(run) / run.options.seconds, kEarliest, kLatest);
}

bool time_for_second_finals(RunState& run) {
    if (run.options.seconds <= 0.0) return true;
    // Two variants, for half as many rounds again as finals have.
    const double contest =
        std::max(0.0, run.load_seconds) + 3.0 * least_seconds_of(run, run.ledger.incumbent()->variant);
    return !run.out_of_time(1.0 - kAfterFinals - (contest + second_finals_take(run)) / run.options.seconds);
}

std::optional<TimeInterval> contest_in_finals(RunState& run, const Variant& variant) {
    const double start = run.evaluator.now();
    std::vector<Variant> field{run.ledger.incumbent()->variant, variant};
    for (const Variant& reference : {run.input.fallback, run.input.naive}) {
        if (std::find(field.begin(), field.end(), reference) == field.end()) field.push_back(reference);
    }
    Heats heats = heats_of(run, field);
    std::vector<std::size_t> all(field.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    add_heat(run, heats, all, std::min(1.0, second_finals_seconds(run.options)));
    run.evaluations += static_cast<int>(field.size());
    const Record& before = heats.records[0];
    const Record& its = heats.records[1];
    if (is_failure(its.outcome) && its.outcome != Outcome::environment) run.ledger.add_known(variant, its);
    if (!is_measured(its) || !is_measured(before)) return std::nullopt;
    const TimeInterval ratio = ratio_interval(its.slots, before.slots);
    if (ratio.high < 1.0 && decisive_ratio(its.slots, before.slots) < 1.0) {
        run.had_second_finals = conclude(run, heats) == Finals::won;
        run.result.finals_took += run.evaluator.now() - start;
    } else {
        run.ledger.add_known(variant, its);
    }
    return ratio;
}

void finals_stage(RunState& run, double seconds) {
    const double start = run.evaluator.now();
    meet_in_finals(run, seconds);
    const double took = run.evaluator.now() - start;
    if (run.result.finals_took <= 0.0) run.first_finals = took;
    run.result.finals_took += took;
}

}  // namespace rooftune
