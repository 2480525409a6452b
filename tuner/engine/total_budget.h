// The budget of a job as a whole, where it has one.
#pragma once

#include <cstddef>
#include <optional>

#include "tuner/engine/job.h"
#include "tuner/formats/tune_result.h"

namespace rooftune {

/// Whoever states a budget waits for all of it: loading and probing are taken from it, up to this share.
inline constexpr double kMostOfBudgetBefore = 0.6;

/// Seconds that a tune took of its budget, whatever it waited.
double spent_of_budget(const TuneResult& result);

class TotalBudget {
public:
    /// `total` empty: every problem has the budget that it has.
    TotalBudget(std::optional<Budget> total, std::size_t problems) : total_(total), left_(problems) {}

    bool used_up() const;
    /// What a problem may spend: an equal share of what is left, capped by a budget of its own.
    Budget share(const Job& job) const;
    /// A problem has its turn and may spend this: until release() nobody else may. Problems that are tuned at
    /// the same time would otherwise spend what is left once each.
    void reserve(const Budget& share);
    /// That turn is over; what it took is told by spend().
    void release(const Budget& share);
    /// What a tune took; `before`: of it a first part that was spent already, or null.
    void spend(const TuneResult& result, const TuneResult* before = nullptr);
    void spend(double seconds) { seconds_ += seconds; }

private:
    std::optional<Budget> total_;
    std::size_t left_;
    double seconds_ = 0.0, reserved_seconds_ = 0.0;
    int evaluations_ = 0, reserved_evaluations_ = 0;
};

}  // namespace rooftune
