#include "tuner/engine/assisted_evaluator.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <exception>

namespace rooftune {
namespace {

// How often a helper's answer is looked for, and how long each time, in seconds: together longer than a
// variant takes that is not to be abandoned, and short enough that a lost one costs little. What is not
// waited for is measured here. Counted, not timed: the clock of budgets may stand still meanwhile.
constexpr int kLooks = 200;
constexpr double kLook = 0.1;
constexpr const char* kSearchRole = "search";

// No two asks of a node have the same, of whatever tune and process: an answer may come when the tune that
// asked is over.
std::uint64_t fresh_id() {
    static std::uint64_t next = static_cast<std::uint64_t>(getpid()) << 32U;
    return ++next;
}

// What answers the one answers the other.
bool is_same(const EvaluationRequest& a, const EvaluationRequest& b) {
    return a.companion == b.companion && a.role == b.role && a.slots == b.slots;
}

}  // namespace

AssistedEvaluator::~AssistedEvaluator() {
    try {
        for (int look = 0; look < kLooks && pending_ > 0 && !own_.interrupted(); ++look) receive(kLook);
    } catch (const std::exception&) {
        return;  // whoever asks next hears of it
    }
}

void AssistedEvaluator::receive(double seconds) {
    for (std::optional<Helpers::Answer> answer = helpers_.answer(seconds); answer;
         answer = helpers_.answer(0.0))
        take(*answer);
}

void AssistedEvaluator::take(const Helpers::Answer& answer) {
    for (auto at = asked_.begin(); at != asked_.end(); ++at) {
        Asked& asked = at->second;
        if (asked.id != answer.id || asked.answered) continue;
        --pending_;
        if (asked.given_up) {
            asked_.erase(at);
            return;
        }
        asked.answered = true;
        asked.record = answer.record;
    }
}

// In a search the likeliest is left to this machine, which comes to it while others are at those behind it,
// and each helper has some more waiting, so that he is never idle: whatever they measure is taken
// (measured_ahead()). A draw is measured in its order, and only what is asked for next is taken: those that
// this machine comes to first are left to it, since an answer takes its time on the way.
void AssistedEvaluator::ask_ahead(const EvaluationRequest& request) {
    const bool searches = request.role == kSearchRole;
    constexpr std::size_t kLeftOfDraw = 2;
    constexpr int kOfDraw = 2;
    int left = helpers_.count() * (searches ? kAskedAtOnce : kOfDraw) - pending_;
    std::size_t own = kLeftOfDraw;
    if (searches) own = request.next.size() > 1 ? 1 : 0;
    for (std::size_t i = own; i < request.next.size() && left > 0; ++i) {
        const Variant& variant = request.next[i];
        if (asked_.contains(variant)) continue;
        EvaluationRequest ahead = request;
        ahead.next.clear();
        const std::uint64_t id = fresh_id();
        helpers_.ask(id, variant, ahead);
        asked_[variant] = {id, std::move(ahead), false, {}};
        ++pending_;
        --left;
    }
}

std::vector<Evaluator::Ahead> AssistedEvaluator::measured_ahead() {
    receive(0.0);
    std::vector<Ahead> ahead;
    for (auto at = asked_.begin(); at != asked_.end();) {
        Asked& asked = at->second;
        if (!asked.answered || asked.request.role != kSearchRole) {
            ++at;
            continue;
        }
        if (asked.record && asked.record->outcome != Outcome::environment) {
            ++taken_;
            asked.record->elsewhere = true;
            ahead.push_back({at->first, asked.request, std::move(*asked.record)});
        }
        at = asked_.erase(at);
    }
    return ahead;
}

Record AssistedEvaluator::evaluate(const Variant& variant, const EvaluationRequest& request) {
    receive(0.0);
    const auto at = asked_.find(variant);
    if (at != asked_.end() && request.companion && is_same(at->second.request, request)) {
        Asked& asked = at->second;
        // Waiting is worth no more than measuring it here takes.
        const int looks = std::clamp(static_cast<int>(std::ceil(own_took_ / kLook)), 1, kLooks);
        for (int look = 0; look < looks && !asked.answered && !own_.interrupted(); ++look) receive(kLook);
        std::optional<Record> record = std::move(asked.record);
        // Asked once more, it is asked for a reason: by an alarm, or since it was disturbed.
        if (asked.answered) {
            asked_.erase(at);
        } else {
            asked.given_up = true;
        }
        if (record && record->outcome != Outcome::environment) {
            ++taken_;
            record->elsewhere = true;
            return std::move(*record);
        }
    }
    if (request.companion && !request.next.empty()) ask_ahead(request);
    const double start = own_.now();
    Record record = own_.evaluate(variant, request);
    own_took_ = own_.now() - start;
    return record;
}

}  // namespace rooftune
