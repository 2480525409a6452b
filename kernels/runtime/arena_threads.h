// Threads for teams that measure: oneTBB's. Each is one long task in an arena of the team's own. Forking a
// job through the arena for every repetition was measured and rejected.
#pragma once

#include <oneapi/tbb/task_arena.h>

#include <atomic>
#include <vector>

#include "kernels/runtime/pinned_caller.h"
#include "kernels/runtime/worker_room.h"

namespace rooftune {

class ArenaThreads {
public:
    /// What a thread does. It must not throw.
    using Main = void (*)(void* context, int share);

    /// Room for a thread on each of `cpus` but the first, on which is who calls. Both arguments outlive this.
    ArenaThreads(const std::vector<int>& cpus, const PinnedCaller& caller);
    ArenaThreads(const ArenaThreads&) = delete;
    ArenaThreads& operator=(const ArenaThreads&) = delete;

    /// Starts them and waits for them, ten seconds at most. Throws EnvironmentError when some do not come or
    /// cannot be pinned.
    void start(Main main, void* context);

    /// Waits for all that are there to return from their main.
    void wait_until_gone();
    /// Whether a task may still begin, after whatever was thrown: it refers to this and to its context, which
    /// have to outlive it.
    bool some_may_come() const { return enqueued_ > begun_.load(); }

private:
    void work(Main main, void* context, int share) noexcept;

    const std::vector<int>& cpus_;
    const PinnedCaller& caller_;
    WorkerRoom room_;
    oneapi::tbb::task_arena arena_;
    int enqueued_ = 0;
    std::atomic<int> begun_{0};
    std::atomic<int> present_{0};
    std::atomic<int> unpinned_{0};
};

}  // namespace rooftune
