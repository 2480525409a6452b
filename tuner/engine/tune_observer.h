// What a tune tells while it runs.
#pragma once

#include <cstdint>
#include <string>

namespace rooftune {

/// Where a tune stands, after every evaluation.
struct TuneProgress {
    std::string stage;            ///< "search", "finals", "audit"
    double best_seconds = 0.0;    ///< of the best variant so far; 0: none yet
    double flops_nominal = 0.0;   ///< of one repetition
    std::uint64_t space = 0;      ///< variants
    std::uint64_t excluded = 0;   ///< of them, proven unable to win
    std::uint64_t evaluated = 0;  ///< raced out and failed ones included
    double elapsed_seconds = 0.0;
    double budget_seconds = 0.0;           ///< 0: no limit of time
    std::uint64_t budget_evaluations = 0;  ///< 0: no limit of evaluations
};

/// Called on the thread that tunes, between measurements; what it takes is time of the budget.
class TuneObserver {
public:
    virtual ~TuneObserver() = default;
    virtual void progress(const TuneProgress&) {}
    /// Something a person should know now: an alarm, a raised ceiling, what is measured first.
    virtual void notice(const std::string&) {}
};

}  // namespace rooftune
