#include "tuner/measure/worker_evaluator.h"

#include "kernels/runtime/error.h"
#include "tuner/base/interrupt.h"
#include "tuner/measure/requests.h"

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
    const MeasureRequest ask = measure_request(*space_, variant, request, seed_);
    const double start = now();
    Record record = worker_.measure(ask, limits_.next(request.incumbent_high));
    count_failure();
    // Any answer tells how long loading, converting and checking take, a wrong one as well.
    if (worker_.last().outcome == Outcome::measured) limits_.learn(now() - start, record.prepare_seconds);
    // A kernel that failed and left its process alive may have left anything in it: an accelerator's driver
    // gives the whole context up, and all that come after would be blamed.
    if (record.outcome == Outcome::crashed) worker_.stop();
    tell_what_was_asked(record, ask.variant, request);
    return record;
}

Rotation WorkerEvaluator::rotation(const RotationRequest& request) {
    const RotateRequest ask = rotate_request(*space_, request, seed_);
    Deadlines limits = limits_.next(0.0);
    limits.run += unknown_limits().run + limits_.builds(static_cast<int>(ask.variants.size()));
    Rotation answer = rotation_without_crashed(ask, [&](const RotateRequest& some) {
        worker_.stop();
        Rotation of_some = worker_.rotate(some, limits);
        count_failure();
        return of_some;
    });
    tell_what_was_asked(answer, ask, request);
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
