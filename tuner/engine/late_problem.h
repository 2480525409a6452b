// A problem of a job that has been tuned, in a process of its own once more: what is measured when the others
// are tuned too.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tuner/engine/exchange.h"
#include "tuner/engine/left_out.h"
#include "tuner/engine/look_back.h"
#include "tuner/engine/tune_job.h"
#include "tuner/measure/worker_evaluator.h"
#include "tuner/store/machine_lock.h"

namespace rooftune {

/// As long as it lives nobody else measures on the machine. Nothing it measures goes to the store: these are
/// comparisons of winners, with one of their own each time.
class LateProblem {
public:
    using Values = std::map<std::string, std::string>;

    /// Loads the problem. `seconds_left`: of its budget; `spent` is told at the end what was taken of it.
    /// Throws InputError and EnvironmentError.
    LateProblem(const Job& job, const TuneOptions& options, const Machine& machine, double seconds_left,
                std::function<void(double)> spent);
    ~LateProblem();
    LateProblem(const LateProblem&) = delete;
    LateProblem& operator=(const LateProblem&) = delete;

    /// What it took to load it, without waiting for others.
    double loading_seconds() const { return loading_; }

    /// See measure_left_out(); nothing without a winner.
    std::optional<LeftOut> left_out(const TunedWinner& winner, const Values& neighbours_best);

    /// See measure_exchange(). Of the time left `reserve` seconds are not touched: a better winner is worth
    /// nothing without time to go on from it.
    Exchange exchange(const TunedWinner& winner, const std::vector<Values>& offers,
                      const std::set<Values>& known, double reserve);

private:
    /// Of loading and measuring, not of waiting for others.
    double taken() { return loading_ + evaluator_.now() - start_; }
    double left() { return seconds_left_ - taken(); }
    std::optional<Variant> variant(const Values& values) const;

    double entered_;  // by monotonic_seconds()
    double seconds_left_;
    std::function<void(double)> spent_;
    Setting setting_;
    SharedProblem shared_;
    WorkerEvaluator evaluator_;
    double loading_;
    MachineLock lock_;
    double start_;
};

}  // namespace rooftune
