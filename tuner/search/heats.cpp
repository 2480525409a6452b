#include "tuner/search/heats.h"

#include <algorithm>
#include <numeric>

#include "tuner/measure/probing_beside.h"
#include "tuner/measure/statistics.h"
#include "tuner/search/beside.h"
#include "tuner/search/on_average.h"

namespace rooftune {
namespace {

constexpr int kFinalsRounds = 120;     // or what the time for finals allows
constexpr double kBeforeAudit = 0.85;  // of a budget: where the audit is to begin

// A variant's time over that of another, as far as it decides between the two: over the undisturbed rounds of
// all processes that both were measured in, where there are some.
double over(const Heats& heats, std::size_t variant, std::size_t other) {
    return decisive_ratio(heats.records[variant].slots, heats.records[other].slots);
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

}  // namespace

Heats heats_of(const RunState& run, const std::vector<Variant>& field) {
    Heats heats;
    heats.field = field;
    heats.records.resize(field.size());
    heats.processes.resize(field.size(), 0);
    if (run.options.reprobe)
        heats.beside = ceilings_beside(run.machine, run.input.model->work(field.front()),
                                       run.input.model->traits(field.front()));
    heats.batches = run.batches();
    return heats;
}

bool is_measured(const Record& record) {
    return record.outcome == Outcome::measured && record.slots.size() >= kLeastRounds;
}

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

void take_heats(RunState& run, Heats& heats, double seconds) {
    constexpr int kProcesses = 5;
    constexpr double kFirst = 0.4;
    constexpr double kMostOverFirst = 2.0;
    std::vector<std::size_t> who(heats.field.size());
    std::iota(who.begin(), who.end(), std::size_t{0});
    const double start = run.evaluator.now();
    if (!add_heat(run, heats, who, kFirst * seconds)) return;
    const double first = run.evaluator.now() - start;
    heats.first_seconds = first;
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
    for (int process = 1; process < kProcesses && !run.evaluator.interrupted(); ++process) {
        const std::optional<std::size_t> best = best_of(run, heats);
        if (!best) return;
        who = who_goes_on(run, heats, *best);
        if (run.evaluator.now() + preparing * static_cast<double>(who.size()) + turns > until) return;
        if (!add_heat(run, heats, who, turns)) {
            if (!run.evaluator.interrupted())
                run.notice(
                    "a further process of the finals gave no times; the winner is that of those before");
            return;
        }
    }
}

}  // namespace rooftune
