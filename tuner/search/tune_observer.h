// What a tune tells while it runs.
#pragma once

#include <cstdint>
#include <string>

namespace rooftune {

/// Where a tune stands, after every evaluation.
struct TuneProgress {
    /// "search", "finals" and "audit" in turn, the last two perhaps again after a regret, and "end"; of an
    /// exhaustive tune "search", "batches" (the best of all, timed in turn) and "finals".
    std::string stage;
    double best_seconds = 0.0;    ///< of the best variant so far; 0: none yet
    double flops_nominal = 0.0;   ///< of one repetition
    std::uint64_t space = 0;      ///< variants
    std::uint64_t excluded = 0;   ///< of them, proven unable to win
    std::uint64_t evaluated = 0;  ///< evaluations, of which a budget is one; one variant may have several
    double elapsed_seconds = 0.0;
    double budget_seconds = 0.0;           ///< 0: no limit of time
    std::uint64_t budget_evaluations = 0;  ///< 0: no limit of evaluations
    /// Variants by what became of them, as the certificate counts them: those of earlier runs too.
    std::uint64_t measured = 0, raced_out = 0, failed = 0;
};

/// Called on the thread that tunes; what it takes is time of the budget. What it throws ends the tune as
/// stop() does; rooftune::tune() throws it on when everything is written.
class TuneObserver {
public:
    virtual ~TuneObserver() = default;
    virtual void progress(const TuneProgress&) {}
    /// Something a person should know now: an alarm, a raised ceiling, what is measured first.
    virtual void notice(const std::string&) {}
    /// Whether to end early with what there is. Asked between measurements, and about twice a second while
    /// one runs, which is then given up; not asked again after a true.
    virtual bool stop() { return false; }
    /// The measuring of one problem is over, however it ended; a set has several. Not called where none began
    /// (an error in the problem, a stop before it), nor after a call of this observer has thrown.
    virtual void ended() {}
};

}  // namespace rooftune
