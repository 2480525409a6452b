#include "tuner/engine/recording_evaluator.h"

#include "tuner/base/interrupt.h"
#include "tuner/store/machine_lock.h"

namespace rooftune {

RecordingEvaluator::RecordingEvaluator(Evaluator& inner, Store& store, JobId job, RunId run,
                                       const Space& space)
    : inner_(&inner), store_(&store), job_(job), run_(run), space_(&space) {}

template <typename F>
auto RecordingEvaluator::alone(F&& measure) {
    const double start = inner_->now();
    const MachineLock lock([] { return !rooftune::interrupted(); });
    if (lock.waited()) waited_ += inner_->now() - start;
    return measure();
}

void RecordingEvaluator::add(const std::string& variant, const Record& record) {
    store_->add(job_, variant, record, run_);
    if (tap_) tap_->recorded(key_, variant, record);
}

Record RecordingEvaluator::evaluate(const Variant& variant, const EvaluationRequest& request) {
    const std::string text = space_->to_text(variant);
    store_->journal_start(job_, text);
    if (tap_) tap_->begins(key_, text);
    const Record record = alone([&] {
        if (builder_) {
            std::vector<Variant> variants{variant};
            variants.insert(variants.end(), request.next.begin(), request.next.end());
            builder_(variants);
        }
        return inner_->evaluate(variant, request);
    });
    if (inner_->interrupted() && record.outcome == Outcome::environment) {
        store_->journal_cancel(job_, text);
    } else {
        add(text, record);
    }
    return record;
}

Rotation RecordingEvaluator::rotation(const RotationRequest& request) {
    // Not journalled: each has run before, and which of several brought a machine down nobody could say.
    Rotation answer = alone([&] { return inner_->rotation(request); });
    for (std::size_t i = 0; i < answer.records.size(); ++i) {
        if (answer.records[i].outcome != Outcome::environment)
            add(space_->to_text(request.variants[i]), answer.records[i]);
    }
    return answer;
}

std::vector<Ceiling> RecordingEvaluator::reprobe(const std::vector<Ceiling>& ceilings, double seconds) {
    return alone([&] { return inner_->reprobe(ceilings, seconds); });
}

}  // namespace rooftune
