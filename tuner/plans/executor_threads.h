// What an executor of the program's lends to a team. For plans.
#pragma once

#include <atomic>
#include <memory>

#include "kernels/runtime/lent_threads.h"
#include "tuner/plans/executor.h"

namespace rooftune {

class ExecutorThreads final : public LentThreads {
public:
    /// `shares`: the most that a run has.
    ExecutorThreads(const PlanExecution& execution, int shares);

    /// Throws InputError where the executor did not call each share once before it returned, and what the
    /// executor throws.
    void run(int shares, void (*body)(void* context, int share), void* context) override;
    /// Never: an executor may have fewer threads than there are shares.
    bool at_once(int shares) const override { return shares <= 1; }

private:
    enum class Share : char { waiting, called, done };
    void call(int share);

    const PlanExecution& execution_;
    std::unique_ptr<std::atomic<Share>[]> all_;
    int shares_ = 0;
    std::atomic<bool> wrong_{false};  // a share that there is not, or one called before
    void (*body_)(void*, int) = nullptr;
    void* context_ = nullptr;
};

}  // namespace rooftune
