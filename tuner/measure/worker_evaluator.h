// The real evaluator: asks worker processes, with limits that follow the incumbent.
#pragma once

#include <memory>
#include <string>

#include "tuner/measure/evaluator.h"
#include "tuner/measure/sampling.h"
#include "tuner/measure/worker.h"

namespace rooftune {

class WorkerEvaluator final : public Evaluator {
public:
    /// `space` must outlive the evaluator. `program` is what workers are, usually this program.
    WorkerEvaluator(const Space& space, std::string program, WorkerSetup setup, int shared_descriptor,
                    std::uint64_t seed);

    /// Throws EnvironmentError after three workers in a row that could not even start.
    Record evaluate(const Variant& variant, const EvaluationRequest& request) override;
    Rotation rotation(const RotationRequest& request) override;
    std::vector<Ceiling> reprobe(const std::vector<Ceiling>& ceilings, double seconds) override;
    double now() override;
    bool interrupted() override;

private:
    void count_failure();

    const Space* space_;
    SearchLimits limits_;
    Worker worker_;
    std::uint64_t seed_;
    SystemStopwatch stopwatch_;
    int environment_failures_ = 0;
};

}  // namespace rooftune
