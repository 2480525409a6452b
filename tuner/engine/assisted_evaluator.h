// An evaluator whose search looks ahead: what it may well ask for next is measured by others of the same kind
// at the same time, so that the answer is there when it asks. The search itself does not change.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "tuner/measure/evaluator.h"

namespace rooftune {

/// Variants that a helper has at once in a search: one that it measures, and those that wait. What this
/// machine chooses for itself may take as long as four of the others: beside two, a helper was idle for 40 %
/// of the time.
inline constexpr int kAskedAtOnce = 4;

/// Others that measure one variant each. Seen from the thread that measures.
class Helpers {
public:
    struct Answer {
        std::uint64_t id = 0;
        std::optional<Record> record{};  ///< empty: nobody could be had for it, or he is lost
    };
    virtual ~Helpers() = default;
    /// How many there are, who measure for nobody or for this one.
    virtual int count() = 0;
    /// Has one measure this. Each request of the two has an answer.
    virtual void ask(std::uint64_t id, const Variant& variant, const EvaluationRequest& request) = 0;
    /// The next answer, within `seconds`.
    virtual std::optional<Answer> answer(double seconds) = 0;
};

class AssistedEvaluator final : public Evaluator {
public:
    /// Both must outlive it. `own` measures here.
    AssistedEvaluator(Evaluator& own, Helpers& helpers) : own_(own), helpers_(helpers) {}
    /// Takes the answers that are still to come, for as long as they may take.
    ~AssistedEvaluator() override;

    /// From a helper where one measured it in turn with the same companion, else here. Times of another
    /// machine mean nothing by themselves: only as ratios to the companion's, which is what a record's pace
    /// is for. So what was not measured in turn with anything is never taken from a helper, and what was
    /// measured in turn with another one is measured anew.
    Record evaluate(const Variant& variant, const EvaluationRequest& request) override;
    std::vector<Ahead> measured_ahead() override;
    bool is_under_way(const Variant& variant) const override {
        const auto at = asked_.find(variant);
        return at != asked_.end() && !at->second.answered && !at->second.given_up;
    }
    /// Those that meet here are compared here.
    Rotation rotation(const RotationRequest& request) override { return own_.rotation(request); }
    std::vector<Ceiling> reprobe(const std::vector<Ceiling>& ceilings, double seconds) override {
        return own_.reprobe(ceilings, seconds);
    }
    double now() override { return own_.now(); }
    bool interrupted() override { return own_.interrupted(); }

    /// Records that were taken from helpers.
    int taken() const { return taken_; }

private:
    struct Asked {
        std::uint64_t id = 0;
        EvaluationRequest request{};
        bool answered = false;
        bool given_up = false;  ///< measured here: what comes of it is dropped
        std::optional<Record> record{};
    };
    void ask_ahead(const EvaluationRequest& request);
    void receive(double seconds);
    void take(const Helpers::Answer& answer);

    Evaluator& own_;
    Helpers& helpers_;
    std::map<Variant, Asked> asked_;
    int pending_ = 0;
    int taken_ = 0;
    double own_took_ = 0.0;  ///< seconds, of the last variant that was measured here
};

}  // namespace rooftune
