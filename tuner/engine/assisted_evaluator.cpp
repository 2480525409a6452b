#include "tuner/engine/assisted_evaluator.h"

#include <algorithm>

namespace rooftune {
namespace {

// Seconds that a helper's answer is waited for: longer than a variant takes that is not to be abandoned, and
// short enough that a lost one costs little. What is not waited for is measured here.
constexpr double kWait = 20.0;
constexpr double kLook = 0.25;

}  // namespace

AssistedEvaluator::~AssistedEvaluator() {
    // Whoever comes next must not be given these.
    const double until = own_.now() + kWait;
    while (pending_ > 0 && own_.now() < until && !own_.interrupted()) receive(kLook);
}

void AssistedEvaluator::receive(double seconds) {
    const std::optional<Helpers::Answer> answer = helpers_.answer(seconds);
    if (!answer) return;
    for (auto& [variant, asked] : asked_) {
        if (asked.id != answer->id || asked.answered) continue;
        asked.answered = true;
        asked.record = answer->record;
        --pending_;
    }
}

void AssistedEvaluator::ask_ahead(const EvaluationRequest& request) {
    int free = std::max(0, helpers_.free() - pending_);
    for (const Variant& variant : request.next) {
        if (free == 0) return;
        const auto known = asked_.find(variant);
        if (known != asked_.end() && known->second.companion == request.companion) continue;
        if (known != asked_.end() && !known->second.answered) continue;
        EvaluationRequest ahead = request;
        ahead.next.clear();
        asked_[variant] = {next_id_, request.companion, false, {}};
        helpers_.ask(next_id_++, variant, ahead);
        ++pending_;
        --free;
    }
}

Record AssistedEvaluator::evaluate(const Variant& variant, const EvaluationRequest& request) {
    receive(0.0);
    const auto at = asked_.find(variant);
    if (at != asked_.end() && at->second.companion == request.companion && request.companion) {
        Asked& asked = at->second;
        const double until = own_.now() + kWait;
        while (!asked.answered && own_.now() < until && !own_.interrupted()) receive(kLook);
        std::optional<Record> record = std::move(asked.record);
        // Asked once more, it is asked for a reason: by an alarm, or since it was disturbed.
        if (asked.answered) asked_.erase(at);
        if (record && record->outcome != Outcome::environment) {
            ++taken_;
            return std::move(*record);
        }
    }
    if (request.companion && !request.next.empty()) ask_ahead(request);
    return own_.evaluate(variant, request);
}

}  // namespace rooftune
