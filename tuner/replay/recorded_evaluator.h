// A measurer that measures nothing: it answers from what was recorded of every variant of a space, with the
// noise that was recorded, on a clock of its own. Whole searches run on it in seconds, with a truth to judge
// them by.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "tuner/measure/evaluator.h"

namespace rooftune {

class RecordedEvaluator final : public Evaluator {
public:
    /// `truth` must outlive the evaluator. A variant's slots are drawn from its own where eight or more were
    /// recorded; else its median is scattered as those of the variants with eight are.
    RecordedEvaluator(const std::map<Variant, Record>& truth, std::uint64_t seed);

    /// Draws slots one by one and drops the variant by the rule of racing. A variant that was not recorded
    /// fails by its environment.
    Record evaluate(const Variant& variant, const EvaluationRequest& request) override;
    Rotation rotation(const RotationRequest& request) override;
    /// No fresh rates: the machine is what it was when the space was recorded.
    std::vector<Ceiling> reprobe(const std::vector<Ceiling>&, double) override { return {}; }
    double now() override { return clock_; }
    bool interrupted() override { return false; }

    /// Variants asked for so far, in rotation or alone; each counts every time.
    int evaluations() const { return evaluations_; }

private:
    struct Scatter {
        double ratio = 1.0;  ///< slot over the median of its variant
        bool disturbed = false;
    };
    Slot draw(const Record& record);

    const std::map<Variant, Record>* truth_;
    std::vector<Scatter> pool_;
    std::mt19937_64 random_;
    double clock_ = 0.0;
    int evaluations_ = 0;
};

/// Seconds of a variant by its record: the median of its slots; infinite for a failure.
double recorded_seconds(const Record& record);

}  // namespace rooftune
