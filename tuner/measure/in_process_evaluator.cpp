#include "tuner/measure/in_process_evaluator.h"

#include <new>
#include <utility>

#include "kernels/runtime/error.h"
#include "kernels/runtime/pinned_caller.h"
#include "tuner/base/interrupt.h"
#include "tuner/measure/checked_evaluator.h"
#include "tuner/measure/requests.h"

namespace rooftune {
namespace {

constexpr const char* kGivenUp = "given up, because it was asked to stop";

// Thrown out of a request that is given up.
struct GivenUp {};

void end_if_asked(const char*) {
    if (rooftune::interrupted()) throw GivenUp();
}

// What probes keep serves all of a request's; between requests the program's data may need the memory.
class ReleaseAtEnd {
public:
    explicit ReleaseAtEnd(const std::function<void()>& release) : release_(release) {}
    ~ReleaseAtEnd() { release_(); }
    ReleaseAtEnd(const ReleaseAtEnd&) = delete;
    ReleaseAtEnd& operator=(const ReleaseAtEnd&) = delete;

private:
    const std::function<void()>& release_;
};

}  // namespace

InProcessEvaluator::OwnProcessors::OwnProcessors() : mask_(CpuMask::of_thread()) {}

InProcessEvaluator::OwnProcessors::~OwnProcessors() {
    mask_.give_to();
}

InProcessEvaluator::InProcessEvaluator(const Family& family, std::shared_ptr<Problem> problem,
                                       const Space& space, const WorkerSetup& setup, InProcessProbes probes,
                                       std::uint64_t seed)
    : space_(&space),
      own_(std::in_place),
      first_cpu_(setup.cpus.at(0)),
      server_(family, std::move(problem), setup),
      reprobe_([this, probe = std::move(probes.probe)](const std::vector<Ceiling>& ceilings, Team& team,
                                                       double seconds) {
          // Those of this moment: the program may have moved the thread since the last probe.
          const OwnProcessors own;
          pin_to(first_cpu_);
          return probe(ceilings, team, seconds);
      }),
      release_(std::move(probes.release)),
      seed_(seed) {
    own_.reset();
}

Record InProcessEvaluator::evaluate(const Variant& variant, const EvaluationRequest& request) {
    const MeasureRequest ask = measure_request(*space_, variant, request, seed_);
    Record record;
    try {
        record = server_.measure(ask, end_if_asked);
    } catch (const VariantError& error) {
        // Of the companion: nothing is known of the variant.
        record = unknown(error.what());
    } catch (const GivenUp&) {
        record = unknown(kGivenUp);
    }
    tell_what_was_asked(record, ask.variant, request);
    return record;
}

Rotation InProcessEvaluator::rotation(const RotationRequest& request) {
    const RotateRequest ask = rotate_request(*space_, request, seed_);
    const ReleaseAtEnd at_end(release_);
    Rotation answer;
    try {
        answer = rotation_without_crashed(ask, [&](const RotateRequest& some) {
            WorkerLine line = server_.rotate(some, reprobe_, end_if_asked);
            return Rotation{std::move(line.records), std::move(line.rates), std::move(line.ceilings)};
        });
    } catch (const std::bad_alloc&) {
        // Which of them wanted too much is not known, so none is blamed.
        answer.records.assign(ask.variants.size(), unknown("not enough memory"));
    } catch (const GivenUp&) {
        answer.records.assign(ask.variants.size(), unknown(kGivenUp));
    }
    tell_what_was_asked(answer, ask, request);
    return answer;
}

std::vector<Ceiling> InProcessEvaluator::reprobe(const std::vector<Ceiling>& ceilings, double seconds) {
    const ReleaseAtEnd at_end(release_);
    return reprobe_(ceilings, server_.team(), seconds);
}

double InProcessEvaluator::now() {
    return stopwatch_.now();
}
bool InProcessEvaluator::interrupted() {
    return rooftune::interrupted();
}

}  // namespace rooftune
