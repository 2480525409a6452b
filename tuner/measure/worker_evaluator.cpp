#include "tuner/measure/worker_evaluator.h"

#include "kernels/runtime/error.h"
#include "tuner/base/interrupt.h"
#include "tuner/measure/pace_note.h"

namespace rooftune {
namespace {

constexpr int kStartFailures = 3;

}  // namespace

WorkerEvaluator::WorkerEvaluator(const Space& space, std::string program, WorkerSetup setup,
                                 int shared_descriptor, std::uint64_t seed)
    : space_(&space),
      limits_(setup.target.backend, setup.compilers),
      worker_(std::move(program), std::move(setup), shared_descriptor),
      seed_(seed) {}

void WorkerEvaluator::count_failure() {
    if (worker_.last().outcome != Outcome::environment || rooftune::interrupted()) {
        environment_failures_ = 0;
        return;
    }
    if (++environment_failures_ >= kStartFailures) {
        throw EnvironmentError("the measuring process failed " + std::to_string(kStartFailures) +
                               " times in a row: " + worker_.last().detail +
                               "; what was measured is kept, run the same command to resume");
    }
}

Record WorkerEvaluator::evaluate(const Variant& variant, const EvaluationRequest& request) {
    MeasureRequest ask;
    ask.variant = space_->to_map(variant);
    ask.slots = request.slots;
    ask.incumbent_high = request.incumbent_high;
    ask.rules.abandon_above = request.abandon_above;
    ask.rules.batches = request.batches;
    ask.seeds = {seed_ + 1, seed_ + 2};
    if (request.companion) ask.companion = space_->to_map(*request.companion);
    const double start = now();
    Record record = worker_.measure(ask, limits_.next(request.incumbent_high));
    count_failure();
    // Any answer tells how long loading, converting and checking take, a wrong one as well.
    if (worker_.last().outcome == Outcome::measured) limits_.learn(now() - start, record.prepare_seconds);
    // A kernel that failed and left its process alive may have left anything in it: an accelerator's driver
    // gives the whole context up, and all that come after would be blamed.
    if (record.outcome == Outcome::crashed) worker_.stop();
    record.variant = ask.variant;
    record.role = request.role;
    if (record.detail.empty()) record.detail = request.note;
    return record;
}

Rotation WorkerEvaluator::rotation(const RotationRequest& request) {
    RotateRequest ask;
    for (const Variant& variant : request.variants) ask.variants.push_back(space_->to_map(variant));
    ask.rounds = request.rounds;
    ask.seconds = request.seconds;
    ask.beside = request.beside;
    ask.turns_of_far_slower = request.turns_of_far_slower;
    ask.rules.batches = request.batches;
    // Inputs of its own for each process, two for the first and one for each further one. The search has
    // checked two others, except of references outside the user's cuts. Filling and comparing arrays that no
    // cache holds takes longer than the turns.
    constexpr std::uint64_t kSeeds = 2;
    const std::uint64_t seeds = request.process == 0 ? kSeeds : 1;
    for (std::uint64_t i = 1; i <= seeds; ++i)
        ask.seeds.push_back(seed_ + 100 + kSeeds * static_cast<std::uint64_t>(request.process) + i);
    Deadlines limits = limits_.next(0.0);
    limits.run += unknown_limits().run + limits_.builds(static_cast<int>(ask.variants.size()));
    const std::vector<std::map<std::string, std::string>> all = ask.variants;
    std::map<std::map<std::string, std::string>, Record> crashed;
    Rotation answer;
    // Again in a fresh process without one that crashed in this one: the others are not to be blamed for what
    // it left.
    for (bool alone = false; !alone && !ask.variants.empty();) {
        worker_.stop();
        answer = worker_.rotate(ask, limits);
        count_failure();
        alone = true;
        for (Record& record : answer.records) {
            if (record.outcome != Outcome::crashed) continue;
            std::erase(ask.variants, record.variant);
            crashed[record.variant] = std::move(record);
            alone = false;
        }
    }
    if (ask.variants.empty()) answer = {};
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto found = crashed.find(all[i]);
        if (found != crashed.end())
            answer.records.insert(answer.records.begin() + static_cast<std::ptrdiff_t>(i), found->second);
    }
    std::vector<Record>& records = answer.records;
    for (std::size_t i = 0; i < records.size(); ++i) {
        records[i].variant = all[i];
        records[i].role = request.role;
        if (records[i].detail.empty()) records[i].detail = rotation_note(records, i);
    }
    return answer;
}

std::vector<Ceiling> WorkerEvaluator::reprobe(const std::vector<Ceiling>& ceilings, double seconds) {
    std::vector<Ceiling> fresh = worker_.probe({ceilings, seconds}, unknown_limits(seconds));
    count_failure();
    return fresh;
}

double WorkerEvaluator::now() {
    return stopwatch_.now();
}
bool WorkerEvaluator::interrupted() {
    return rooftune::interrupted();
}

}  // namespace rooftune
