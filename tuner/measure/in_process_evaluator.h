// An evaluator without workers: variants run in this very process, because they are functions of the program
// that tunes. A variant that crashes or hangs takes the program with it; what throws is a failure of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "kernels/runtime/cpu_mask.h"
#include "tuner/measure/evaluator.h"
#include "tuner/measure/variant_server.h"

namespace rooftune {

/// Probes of ceilings within a program that has data of its own.
struct InProcessProbes {
    Reprobe probe;
    /// Gives back the memory that they keep from one call to the next; called when a request is through.
    std::function<void()> release;
};

class InProcessEvaluator final : public Evaluator {
public:
    /// `family` and `space` must outlive it. The calling thread, which is to be the one that measures, keeps
    /// the processors that it has but while ceilings are probed. Throws EnvironmentError where the threads of
    /// probes cannot be had.
    InProcessEvaluator(const Family& family, std::shared_ptr<Problem> problem, const Space& space,
                       const WorkerSetup& setup, InProcessProbes probes, std::uint64_t seed);
    InProcessEvaluator(const InProcessEvaluator&) = delete;
    InProcessEvaluator& operator=(const InProcessEvaluator&) = delete;

    Record evaluate(const Variant& variant, const EvaluationRequest& request) override;
    /// In no process of its own: what a fresh one would have changed, nobody sees.
    Rotation rotation(const RotationRequest& request) override;
    std::vector<Ceiling> reprobe(const std::vector<Ceiling>& ceilings, double seconds) override;
    double now() override;
    bool interrupted() override;

private:
    // Gives the calling thread the processors back that it had when this was made: threads that a kernel
    // starts inherit where they may run.
    class OwnProcessors {
    public:
        OwnProcessors();
        ~OwnProcessors();
        OwnProcessors(const OwnProcessors&) = delete;
        OwnProcessors& operator=(const OwnProcessors&) = delete;

    private:
        CpuMask mask_;
    };

    const Space* space_;
    std::optional<OwnProcessors> own_;  ///< until the team is made, which pins its maker
    int first_cpu_;
    VariantServer server_;
    Reprobe reprobe_;
    std::function<void()> release_;
    std::uint64_t seed_;
    SystemStopwatch stopwatch_;
};

}  // namespace rooftune
