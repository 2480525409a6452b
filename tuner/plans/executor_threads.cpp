#include "tuner/plans/executor_threads.h"

#include <algorithm>
#include <optional>
#include <string>
#include <thread>

#include "kernels/runtime/error.h"

namespace rooftune {

ExecutorThreads::ExecutorThreads(const PlanExecution& execution, int shares)
    : execution_(execution),
      all_(std::make_unique<std::atomic<Share>[]>(static_cast<std::size_t>(std::max(1, shares)))) {}

void ExecutorThreads::call(int share) {
    if (share < 0 || share >= shares_) {
        wrong_.store(true, std::memory_order_relaxed);
        return;
    }
    std::atomic<Share>& mine = all_[static_cast<std::size_t>(share)];
    Share expected = Share::waiting;
    if (!mine.compare_exchange_strong(expected, Share::called, std::memory_order_relaxed)) {
        wrong_.store(true, std::memory_order_relaxed);
        return;
    }
    body_(context_, share);
    mine.store(Share::done, std::memory_order_release);
}

void ExecutorThreads::run(int shares, void (*body)(void*, int), void* context) {
    body_ = body;
    context_ = context;
    shares_ = shares;
    const auto of = [&](int share) -> std::atomic<Share>& { return all_[static_cast<std::size_t>(share)]; };
    for (int share = 0; share < shares; ++share) of(share).store(Share::waiting, std::memory_order_relaxed);
    // Whatever comes out of the executor: a part that is under way uses what would be gone.
    struct Join {
        const ExecutorThreads& all;
        ~Join() {
            for (int share = 0; share < all.shares_; ++share) {
                while (all.all_[static_cast<std::size_t>(share)].load(std::memory_order_acquire) ==
                       Share::called)
                    std::this_thread::yield();
            }
        }
    };
    std::optional<Join> join(std::in_place, *this);
    execution_(
        shares,
        PlanPart([](void* self, int share) { static_cast<ExecutorThreads*>(self)->call(share); }, this));
    join.reset();
    int done = 0;
    for (int share = 0; share < shares; ++share)
        done += of(share).load(std::memory_order_acquire) == Share::done ? 1 : 0;
    if (done == shares && !wrong_.load(std::memory_order_relaxed)) return;
    throw InputError(
        "the executor returned when " + std::to_string(done) + " of " + std::to_string(shares) +
        " parts were done" +
        (wrong_.load(std::memory_order_relaxed) ? ", and called one twice or one that there is not" : "") +
        "; it has to call part(i) once for each i of 0 to n-1, and to return when all are done");
}

}  // namespace rooftune
