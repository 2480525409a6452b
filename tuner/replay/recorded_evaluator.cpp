#include "tuner/replay/recorded_evaluator.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tuner/measure/racing.h"
#include "tuner/measure/sampling.h"
#include "tuner/measure/statistics.h"

namespace rooftune {
namespace {

constexpr std::size_t kEnoughSlots = 8;

// What a slot costs on the clock: a warm-up and the batches that the sampling rules ask for.
double slot_cost(double seconds) {
    const SamplingRules rules;
    return seconds + rules.batches * std::max(rules.batch_seconds, seconds);
}

}  // namespace

double recorded_seconds(const Record& record) {
    if (is_failure(record.outcome) || record.slots.empty()) return std::numeric_limits<double>::infinity();
    return interval_of(record.slots).median;
}

RecordedEvaluator::RecordedEvaluator(const std::map<Variant, Record>& truth, std::uint64_t seed)
    : truth_(&truth), random_(seed) {
    for (const auto& [variant, record] : truth) {
        if (record.outcome != Outcome::measured || record.slots.size() < kEnoughSlots) continue;
        const double median = interval_of(record.slots).median;
        for (const Slot& slot : record.slots) pool_.push_back({slot.seconds / median, slot.disturbed});
    }
    if (pool_.empty()) pool_.push_back({});
}

Slot RecordedEvaluator::draw(const Record& record) {
    if (record.slots.size() >= kEnoughSlots) return record.slots[random_() % record.slots.size()];
    const Scatter scatter = pool_[random_() % pool_.size()];
    return {recorded_seconds(record) * scatter.ratio, 1, scatter.disturbed};
}

Record RecordedEvaluator::evaluate(const Variant& variant, const EvaluationRequest& request) {
    ++evaluations_;
    Record answer;
    answer.role = request.role;
    const auto at = truth_->find(variant);
    if (at == truth_->end()) {
        answer.detail = "not recorded";
        return answer;
    }
    const Record& truth = at->second;
    answer.variant = truth.variant;
    answer.outcome = truth.outcome;
    answer.detail = truth.detail;
    answer.error = truth.error;
    answer.prepare_seconds = truth.prepare_seconds;
    clock_ += truth.prepare_seconds;
    if (is_failure(truth.outcome)) return answer;
    while (needs_slot(answer.slots, request.slots)) {
        answer.slots.push_back(draw(truth));
        clock_ += slot_cost(answer.slots.back().seconds);
        if (raced_out(answer.slots, request.incumbent_high)) {
            answer.outcome = Outcome::raced_out;
            return answer;
        }
    }
    answer.outcome = answer.slots.size() >= kEnoughSlots ? Outcome::measured : Outcome::raced_out;
    return answer;
}

Rotation RecordedEvaluator::rotation(const RotationRequest& request) {
    double round = 0.0;
    for (const Variant& variant : request.variants) {
        const auto at = truth_->find(variant);
        const double once = at == truth_->end() ? 0.0 : recorded_seconds(at->second);
        if (std::isfinite(once)) round += slot_cost(once);
    }
    const int least = static_cast<int>(kEnoughSlots);
    int rounds = request.rounds;
    while (rounds > least && rounds * round > request.seconds) --rounds;
    Rotation answer;
    for (const Variant& variant : request.variants) {
        Record& record = answer.records.emplace_back(
            evaluate(variant, {.role = request.role, .incumbent_high = 0.0, .slots = rounds}));
        // Rounds are told apart by their place, so that all have as many slots as there were rounds: in a
        // rotation no disturbed slot is taken again.
        if (record.slots.size() > static_cast<std::size_t>(rounds))
            record.slots.resize(static_cast<std::size_t>(rounds));
    }
    return answer;
}

}  // namespace rooftune
