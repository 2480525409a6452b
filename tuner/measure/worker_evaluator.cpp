#include "tuner/measure/worker_evaluator.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tuner/base/interrupt.h"
#include "tuner/measure/checked_evaluator.h"
#include "tuner/measure/pace_note.h"

namespace rooftune {
namespace {

// Before anything was measured nobody knows how long a problem takes to convert and to check.
constexpr double kUnknown = 120.0;
// A variant at ten times the incumbent is not hung yet; a slot has a warm-up and three batches.
constexpr double kTimesIncumbent = 10.0;
constexpr double kRepetitionsOfSlots = 64.0;
constexpr int kStartFailures = 3;
// Least seconds a phase may take, whatever the incumbent.
constexpr double kPatience = 2.0;
// A device's compiler takes seconds for a large tile, more while others use the machine, and the first
// variants may come out of its cache: what they took says nothing about the next.
constexpr double kCompilerPatience = 20.0;
// And some of it is done at the first launch only, when the size of a group is known: 1.3 s on an idle
// machine.
constexpr double kLaunchPatience = 8.0;

}  // namespace

WorkerEvaluator::WorkerEvaluator(const Space& space, std::string program, WorkerSetup setup,
                                 int shared_descriptor, std::uint64_t seed)
    : space_(&space),
      least_prepare_(setup.target.backend == Backend::opencl ? kCompilerPatience : kPatience),
      least_run_(setup.target.backend == Backend::opencl ? kLaunchPatience : kPatience),
      worker_(std::move(program), std::move(setup), shared_descriptor),
      seed_(seed) {}

Deadlines WorkerEvaluator::deadlines(double incumbent_high) const {
    Deadlines d;
    d.load = kUnknown;
    if (first_evaluation_ <= 0.0) {
        d.prepare = d.run = kUnknown;
        return d;
    }
    // The first evaluation computed the oracle and converted the matrix: a fresh worker does so again.
    const double base = std::max(kPatience, 4.0 * first_evaluation_);
    d.prepare = std::max(base, least_prepare_) + 10.0 * slowest_prepare_;
    d.run = std::max(base, least_run_) + kTimesIncumbent * kRepetitionsOfSlots * incumbent_high;
    return d;
}

void WorkerEvaluator::count_failure(const WorkerAnswer& answer) {
    if (answer.outcome != Outcome::environment || rooftune::interrupted()) {
        environment_failures_ = 0;
        return;
    }
    if (++environment_failures_ >= kStartFailures) {
        throw EnvironmentError("the measuring process failed " + std::to_string(kStartFailures) +
                               " times in a row: " + answer.detail +
                               "; what was measured is kept, run the same command to resume");
    }
}

Record WorkerEvaluator::evaluate(const Variant& variant, const EvaluationRequest& request) {
    MeasureRequest ask;
    ask.variant = space_->to_map(variant);
    ask.slots = request.slots;
    ask.incumbent_high = request.incumbent_high;
    ask.rules.abandon_above = request.abandon_above;
    ask.seeds = {seed_ + 1, seed_ + 2};
    const double start = now();
    const WorkerAnswer answer = worker_.ask(to_json(ask).dump(), deadlines(request.incumbent_high));
    count_failure(answer);
    Record record;
    if (answer.outcome == Outcome::measured && !answer.line.records.empty()) {
        record = answer.line.records.front();
        if (record.variant != ask.variant) {
            // Questions and answers are out of step: nothing that this process says can be trusted.
            worker_.stop();
            record = unknown("the worker answered about another variant");
        }
        slowest_prepare_ = std::max(slowest_prepare_, record.prepare_seconds);
    } else {
        record.outcome = answer.outcome;
        record.detail = answer.detail;
    }
    record.variant = ask.variant;
    record.role = request.role;
    if (record.detail.empty()) record.detail = request.note;
    // Any answer tells how long loading, converting and checking take, a wrong one as well.
    if (answer.outcome == Outcome::measured && first_evaluation_ <= 0.0) first_evaluation_ = now() - start;
    return record;
}

std::vector<Record> WorkerEvaluator::rotate(const std::vector<Variant>& variants, int rounds, double seconds,
                                            const std::string& role) {
    RotateRequest ask;
    for (const Variant& variant : variants) ask.variants.push_back(space_->to_map(variant));
    ask.rounds = rounds;
    ask.seconds = seconds;
    ask.seeds = {seed_ + 101, seed_ + 102, seed_ + 103};
    worker_.stop();
    Deadlines d = deadlines(0.0);
    d.run += kUnknown;
    const WorkerAnswer answer = worker_.ask(to_json(ask).dump(), d);
    count_failure(answer);
    std::vector<Record> records = answer.line.records;
    const auto same = [](const Record& record, const std::map<std::string, std::string>& asked) {
        return record.variant == asked;
    };
    if (answer.outcome != Outcome::measured) {
        // Which of them was at fault is not known, so none is blamed.
        records.assign(variants.size(), unknown(answer.detail));
    } else if (!std::equal(records.begin(), records.end(), ask.variants.begin(), ask.variants.end(), same)) {
        worker_.stop();
        records.assign(variants.size(), unknown("the worker answered about other variants"));
    }
    for (std::size_t i = 0; i < records.size(); ++i) {
        records[i].variant = ask.variants[i];
        records[i].role = role;
        if (records[i].detail.empty()) records[i].detail = rotation_note(records, i);
    }
    return records;
}

std::vector<Ceiling> WorkerEvaluator::reprobe(const std::vector<Ceiling>& ceilings, double seconds) {
    Deadlines d = deadlines(0.0);
    d.prepare = d.run = kUnknown + seconds;
    const WorkerAnswer answer = worker_.ask(to_json(ProbeRequest{ceilings, seconds}).dump(), d);
    count_failure(answer);
    return answer.outcome == Outcome::measured ? answer.line.ceilings : std::vector<Ceiling>{};
}

double WorkerEvaluator::now() {
    return stopwatch_.now();
}
bool WorkerEvaluator::interrupted() {
    return rooftune::interrupted();
}

}  // namespace rooftune
