#include "tuner/measure/variant_server.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <new>
#include <thread>

#include "kernels/runtime/error.h"
#include "kernels/runtime/opencl.h"
#include "tuner/base/clock.h"
#include "tuner/measure/checked_evaluator.h"
#include "tuner/measure/judge.h"
#include "tuner/measure/perf_events.h"
#include "tuner/measure/probing_beside.h"
#include "tuner/measure/racing.h"
#include "tuner/measure/sampling.h"
#include "tuner/measure/statistics.h"
#include "tuner/measure/turn_limits.h"

namespace rooftune {
namespace {

Device device_with_id(const std::vector<int>& cpus, const std::string& id) {
    for (const Device& device : opencl_devices(cpus)) {
        if (device.id == id) return device;
    }
    throw EnvironmentError("the OpenCL device that the tune began with is not there in its worker process");
}

constexpr int kCountedRepetitions = 3;

void sleep_for_seconds(double seconds) {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

// A variant that takes so many times as long as the best is verified on one seed: it cannot be the winner.
constexpr double kHopeless = 4.0;

Outcome outcome_of(VariantError::Kind kind) {
    switch (kind) {
        case VariantError::Kind::build:
            return Outcome::unbuildable;
        case VariantError::Kind::resources:
            return Outcome::out_of_resources;
        case VariantError::Kind::wrong:
            return Outcome::wrong;
        case VariantError::Kind::illegal:
            return Outcome::illegal;
        case VariantError::Kind::memory:
            return Outcome::out_of_memory;
        case VariantError::Kind::fault:
            break;
    }
    return Outcome::crashed;
}

void fail(Record& record, const VariantError& error) {
    record.outcome = outcome_of(error.kind);
    record.detail = error.what();
    record.slots.clear();
}

void fail_for_memory(Record& record) {
    record.outcome = Outcome::out_of_memory;
    record.detail = "not enough memory to prepare it";
    record.slots.clear();
    record.companion.clear();
}

// What a companion throws is not its neighbour's failure.
struct CompanionFailed {
    std::string how;
};

// Whether a variant and its companion have as many threads; false where the space has no such parameter.
bool is_alike(const MeasureRequest& request) {
    const auto own = request.variant.find("threads"), other = request.companion.find("threads");
    return own != request.variant.end() && other != request.companion.end() && own->second == other->second;
}

}  // namespace

VariantServer::VariantServer(const Registry& registry, const WorkerSetup& setup)
    : setup_(setup),
      family_(registry.find(setup.family)),
      lull_([this] { return is_quiet(); }, monotonic_seconds, [this](double seconds) { rest(seconds); }) {
    if (!family_) throw InputError("this build has no family '" + setup.family + "'");
    // Before the team pins this thread: a CPU device's own threads inherit where they may run.
    if (setup_.target.backend == Backend::opencl) {
        setup_.target.device = device_with_id(setup.cpus, setup.target.device.id);
    }
    problem_ = setup.shared ? family_->attach(kSharedDescriptor) : family_->problem(setup.spec);
    load();
}

VariantServer::VariantServer(const Family& family, std::shared_ptr<Problem> problem, const WorkerSetup& setup)
    : setup_(setup),
      family_(&family),
      has_team_(false),
      problem_(std::move(problem)),
      lull_([this] { return is_quiet(); }, monotonic_seconds, [this](double seconds) { rest(seconds); }) {
    load();
}

void VariantServer::on_reference(const std::function<void(const std::string& place)>& told) {
    bench_->on_reference = told;
}

std::string VariantServer::spoiled() const {
    return spoiled_ || bench_->is_spoiled() ? kSpoiled : "";
}

void VariantServer::load() {
    space_.emplace(family_->space(*problem_, setup_.target));
    team_ = std::make_unique<Team>(setup_.cpus);
    bench_ = family_->bench(*problem_, *space_, setup_.target);
}

Record VariantServer::measure(const MeasureRequest& request, const Reached& reached) {
    keep_companion(request);
    std::unique_ptr<Prepared> prepared;
    Record record = prepare(request.variant, prepared);
    if (!prepared) return record;
    reached("prepared");
    try {
        const std::span<const std::uint64_t> seeds(request.seeds);
        // Before anything runs that could harm a reference of the user's. The first of a tune has no
        // companion and is checked on all.
        if (request.verify) {
            for (const std::uint64_t seed : companion_ ? seeds.first(1) : seeds) bench_->oracle_ahead(seed);
        }
        // Where a repetition is a batch by itself; checking shorter ones costs less than a batch.
        if (request.verify && companion_ && request.rules.batches == 1) {
            if (is_far_behind(*prepared, request, record, reached)) {
                prepared->come_to_rest();
                return record;
            }
            reached("screened");
        }
        // The other inputs only where it is worth them: most variants are raced out by their first slots,
        // and checking takes as long as those.
        if (!request.verify) {
            prepared->reset(seeds.front());
        } else if (!check(*prepared, seeds.first(1), record)) {
            return record;
        }
        reached("verified");
        sample(*prepared, request, record, reached);
        if (request.verify && record.outcome == Outcome::measured &&
            !check(*prepared, seeds.subspan(1), record))
            record.slots.clear();
    } catch (const CompanionFailed& failed) {
        // Nothing is known of the variant, whose turns were beside it.
        companion_.reset();
        spoiled_ = true;
        std::map<std::string, std::string> variant = std::move(record.variant);
        record = unknown("the variant that it was measured beside failed: " + failed.how);
        record.variant = std::move(variant);
    } catch (const VariantError& error) {
        fail(record, error);
    } catch (const std::bad_alloc&) {
        fail_for_memory(record);
    }
    return record;
}

// The companion stays prepared from one request to the next. Where it cannot be, the variant is measured
// without one.
void VariantServer::keep_companion(const MeasureRequest& request) {
    if (request.companion == companion_values_) return;
    companion_.reset();
    companion_values_ = request.companion;
    if (request.companion.empty()) return;
    try {
        prepare(request.companion, companion_);
        if (companion_) companion_->reset(request.seeds.at(0));
    } catch (const std::bad_alloc&) {
        companion_.reset();
    } catch (...) {
        companion_.reset();
        throw;
    }
}

WorkerLine VariantServer::rotate(const RotateRequest& request, const Reprobe& reprobe,
                                 const Reached& reached) {
    WorkerLine answer;
    answer.phase = "done";
    std::vector<Record>& records = answer.records;
    answer.rates.resize(request.beside.size());
    std::vector<std::unique_ptr<Prepared>> prepared(request.variants.size());
    double fastest = 0.0;
    for (std::size_t i = 0; i < request.variants.size(); ++i) {
        records.push_back(prepare(request.variants[i], prepared[i]));
        reached("prepared");
        try {
            for (const std::uint64_t seed : request.seeds) {
                if (prepared[i]) bench_->oracle_ahead(seed);
            }
            if (prepared[i] && !check(*prepared[i], request.seeds, records[i], kHopeless * fastest)) {
                prepared[i].reset();
            }
            if (prepared[i] && (fastest <= 0.0 || last_run_ < fastest)) fastest = last_run_;
        } catch (const VariantError& error) {
            fail(records[i], error);
            prepared[i].reset();
        } catch (const std::bad_alloc&) {
            fail_for_memory(records[i]);
            prepared[i].reset();
        }
        if (prepared[i]) records[i].outcome = Outcome::measured;
        // What it left in this process may be anything: who asked asks again, without it.
        if (records[i].outcome == Outcome::crashed) {
            while (++i < request.variants.size()) records.emplace_back().variant = request.variants[i];
            answer.detail = spoiled();
            return answer;
        }
        reached("verified");
    }
    const double until = stopwatch_.now() + request.seconds;
    const double probing = probing_seconds_beside(request.seconds, request.beside.size());
    Machine beside;
    int unprobed = 0;  // rounds in a row
    for (int round = 0; round < request.rounds; ++round) {
        pause(until - stopwatch_.now(), reached);
        if (round >= kLeastRounds && stopwatch_.now() > until) break;
        const double begun = stopwatch_.now();
        Slot fastest_slot;
        for (std::size_t k = 0; k < prepared.size(); ++k) {
            // Of four rounds the last two run backwards, so that a drift falls on both sides of a pair.
            // Not the second: who takes many times as long as others do in two turns has had one by then.
            const std::size_t i = round / 2 % 2 == 0 ? k : prepared.size() - 1 - k;
            if (!prepared[i] || is_far_slower(records, i, request.turns_of_far_slower)) continue;
            try {
                records[i].slots.push_back(take_turn(*prepared[i], request.rules));
            } catch (const VariantError& error) {
                fail(records[i], error);
                prepared[i].reset();
                if (records[i].outcome == Outcome::crashed) {
                    answer.detail = spoiled();
                    return answer;
                }
                continue;
            }
            const Slot& slot = records[i].slots.back();
            if (fastest_slot.seconds <= 0.0 || slot.seconds < fastest_slot.seconds) fastest_slot = slot;
        }
        lull_.note(stopwatch_.now() - begun, fastest_slot.disturbed);
        // Rates beside disturbed turns are left out of what is made of them, and probing takes longer
        // than the turns. Slow variants are disturbed in nearly all of theirs: the fastest tells. Now and
        // then all the same: where no round is undisturbed, these windows are all that is seen.
        constexpr int kAtLeastEvery = 3;
        if (!fastest_slot.disturbed || ++unprobed >= kAtLeastEvery) {
            unprobed = 0;
            probe_beside(request.beside, probing, reprobe, answer.rates, beside);
        } else {
            for (std::vector<double>& rates : answer.rates) rates.push_back(0.0);
        }
        reached("round");
    }
    count_traffic(prepared, records);
    answer.ceilings = std::move(beside.ceilings);
    answer.detail = spoiled();
    return answer;
}

// What the machine gave while the variants took their turns: of each ceiling the best of a few windows, for
// `seconds` each. `seen` gets all that was seen of those that could be probed.
void VariantServer::probe_beside(const std::vector<Ceiling>& ceilings, double seconds, const Reprobe& reprobe,
                                 std::vector<std::vector<double>>& rates, Machine& seen) {
    for (std::size_t c = 0; c < ceilings.size(); ++c) {
        const std::vector<Ceiling> fresh = reprobe({ceilings[c]}, *team_, seconds);
        const bool probed = !fresh.empty() && std::isfinite(fresh.front().max) && fresh.front().max > 0.0;
        rates[c].push_back(probed ? fresh.front().max : 0.0);
        if (!probed) continue;
        Ceiling windows = fresh.front();
        windows.occasions = {};
        std::vector<double> of_rounds = rates[c];
        std::erase(of_rounds, 0.0);
        windows.median = median(of_rounds);
        merge(seen, windows);
    }
}

// A few repetitions of each on top, under the processor's counters where there are any.
void VariantServer::count_traffic(const std::vector<std::unique_ptr<Prepared>>& prepared,
                                  std::vector<Record>& records) {
    if (setup_.target.backend != Backend::cpu) return;
    const TrafficCounters counters;
    for (std::size_t i = 0; i < prepared.size(); ++i) {
        if (!prepared[i]) continue;
        wake();
        try {
            prepared[i]->take_turn();
            records[i].traffic = counters.measure([&] { prepared[i]->run(); }, kCountedRepetitions);
        } catch (const VariantError&) {
            // Its times are known by now; only its traffic is not.
            records[i].traffic = {};
            spoiled_ = true;
            return;
        }
    }
}

void VariantServer::wake() {
    if (has_team_ && bench_->runs_on_team()) team_->wake();
}

// Long enough for threads that were asleep to have used up what the scheduler owes them: for the first
// milliseconds nobody takes their processors. On all of the team's: which of them a variant runs on is its
// own affair.
bool VariantServer::is_quiet() {
    constexpr double kLook = 30e-3;
    stopwatch_.watch();
    const double until = stopwatch_.now() + kLook;
    team_->run(team_->size(), [&](int) {
        while (stopwatch_.now() < until) {
        }
    });
    return !stopwatch_.disturbed();
}

// For variants that run on the team: what others disturb is there to be seen.
void VariantServer::pause(double most, const Reached& reached) {
    if (!has_team_ || !bench_->runs_on_team()) return;
    while_paused_ = &reached;
    lull_.pause(most);
    while_paused_ = nullptr;
}

// Who waits for this process hears of a pause while it lasts: it may take longer than the variant has time
// for, and whoever is silent as long is taken for one that hangs.
void VariantServer::rest(double seconds) {
    (*while_paused_)("paused");
    sleep_for_seconds(seconds);
    (*while_paused_)("paused");
}

Slot VariantServer::take_turn(Prepared& prepared, const SamplingRules& rules) {
    // Whoever ran on fewer threads let the others fall asleep.
    wake();
    prepared.take_turn();
    Repetition repetition;
    repetition.run = [&prepared] { prepared.run(); };
    if (prepared.device_seconds()) {
        repetition.device_seconds = [&prepared] { return prepared.device_seconds().value_or(0.0); };
    }
    if (setup_.state == State::cold) repetition.before = [&prepared] { prepared.flush(); };
    return take_slot(repetition, stopwatch_, rules);
}

// A pair or two before anything is verified: most variants of most spaces are so much slower than the
// best that whether they are right does not matter.
bool VariantServer::is_far_behind(Prepared& prepared, const MeasureRequest& request, Record& record,
                                  const Reached& reached) {
    prepared.reset(request.seeds.at(0));
    take_pair(prepared, request, record, reached);
    if (!looks_far_behind(record.slots.back(), record.companion.back(), is_alike(request))) return false;
    if (!is_hopeless(record.slots.back(), record.companion.back())) {
        take_pair(prepared, request, record, reached);
        if (!raced_out(record.slots, record.companion, is_alike(request))) return false;
    }
    record.outcome = Outcome::raced_out;
    return true;
}

// A slot of the variant and one of its companion; which of them comes first alternates, so that a
// machine that changes its pace favours neither.
void VariantServer::take_pair(Prepared& prepared, const MeasureRequest& request, Record& record,
                              const Reached& reached) {
    SamplingRules in_full = request.rules;
    in_full.abandon_above = 0.0;
    const auto other = [&] {
        if (!companion_) return;
        try {
            record.companion.push_back(take_turn(*companion_, in_full));
        } catch (const VariantError& error) {
            throw CompanionFailed{error.what()};
        }
    };
    if (request.pauses) pause(std::numeric_limits<double>::infinity(), reached);
    const double start = stopwatch_.now();
    const bool after = record.slots.size() % 2 == 0;
    if (!after) other();
    record.slots.push_back(take_turn(prepared, request.rules));
    if (after) other();
    const bool beside = !record.companion.empty() && record.companion.back().disturbed;
    lull_.note(stopwatch_.now() - start, beside || record.slots.back().disturbed);
}

void VariantServer::sample(Prepared& prepared, const MeasureRequest& request, Record& record,
                           const Reached& reached) {
    const auto wanted = static_cast<std::size_t>(request.slots);
    while (request.verify ? needs_slot(record.slots, request.slots) : record.slots.size() < wanted) {
        const double start = stopwatch_.now();
        take_pair(prepared, request, record, reached);
        if (stopwatch_.now() - start >= kToldStep) reached("slot");
        if (companion_ ? raced_out(record.slots, record.companion, is_alike(request))
                       : raced_out(record.slots, request.incumbent_high)) {
            record.outcome = Outcome::raced_out;
            return;
        }
    }
    // Fewer slots than an interval needs are a sample, not a measurement.
    constexpr int kFullInterval = 8;
    record.outcome = request.slots >= kFullInterval ? Outcome::measured : Outcome::raced_out;
}

Record VariantServer::prepare(const std::map<std::string, std::string>& values,
                              std::unique_ptr<Prepared>& prepared) {
    Record record;
    record.variant = values;
    std::string why;
    const std::optional<Variant> variant = space_->from_map(values, why);
    if (!variant) {
        record.detail = "not a variant of this space: " + why;
        return record;
    }
    const double start = stopwatch_.now();
    try {
        prepared = bench_->prepare(*variant, *team_);
    } catch (const std::bad_alloc&) {
        fail_for_memory(record);
    } catch (const VariantError& error) {
        fail(record, error);
    }
    record.prepare_seconds = stopwatch_.now() - start;
    if (prepared) {
        record.prepare_seconds = std::max(record.prepare_seconds, prepared->shared_preparation_seconds());
    }
    return record;
}

bool VariantServer::check(Prepared& prepared, std::span<const std::uint64_t> seeds, Record& record,
                          double enough_above) {
    const Correctness verdict = verify_answer(prepared, *bench_, *team_, seeds, enough_above);
    record.error = std::max(record.error, verdict.error);
    last_run_ = verdict.seconds;
    if (verdict.right) return true;
    record.outcome = Outcome::wrong;
    record.detail = verdict.detail;
    return false;
}

}  // namespace rooftune
