// No clock shows a time that is NaN, infinite, zero or negative. Such a time is no measurement: it becomes a
// failure with its reason, before it reaches what decides (incumbent, ranking, certificate).
#pragma once

#include "tuner/measure/evaluator.h"

namespace rooftune {

/// Turns a record with an impossible time, or one that claims to be timed and has no slot, into a failure of
/// the environment: nothing is known of the variant. A failure loses whatever times it has, and an impossible
/// preparation time becomes 0.
void refuse_impossible(Record& record);

/// A ceiling with a rate that is NaN, infinite or negative gets rates of 0, which means that there is none.
void refuse_impossible(Ceiling& ceiling);

/// A failure of the environment with this reason.
Record unknown(const std::string& detail);

/// Another evaluator's answers, as far as they can be true: impossible times are refused, and so are answers
/// about another variant than was asked for. Both arguments must outlive it.
class CheckedEvaluator final : public Evaluator {
public:
    CheckedEvaluator(Evaluator& inner, const Space& space) : inner_(&inner), space_(&space) {}

    Record evaluate(const Variant& variant, const EvaluationRequest& request) override;
    std::vector<Ahead> measured_ahead() override;
    bool is_under_way(const Variant& variant) const override { return inner_->is_under_way(variant); }
    Rotation rotation(const RotationRequest& request) override;
    std::vector<Ceiling> reprobe(const std::vector<Ceiling>& ceilings, double seconds) override;
    double now() override { return inner_->now(); }
    bool interrupted() override { return inner_->interrupted(); }

private:
    void check(const Variant& variant, Record& record) const;

    Evaluator* inner_;
    const Space* space_;
};

}  // namespace rooftune
