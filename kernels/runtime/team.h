// The pinned thread team, shared by probes and kernels. It lives on a oneTBB arena: each worker is
// one long task enqueued there, pinned to its processing unit, that waits for work by spinning and
// parks itself when none comes. Forking a job through the arena for every repetition was measured
// and rejected: see docs/architecture.md, "The team".
#pragma once

#include <functional>
#include <memory>
#include <vector>

namespace rooftune {

class Team {
public:
    /// Pins the calling thread to cpus[0] (until the team goes, on whatever thread: see PinnedCaller) and one
    /// worker to each further entry. Any number of teams may be alive. Throws EnvironmentError when a worker
    /// cannot be had or pinned.
    explicit Team(std::vector<int> cpus);
    ~Team();
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;

    int size() const;
    const std::vector<int>& cpus() const;
    /// Throws EnvironmentError, with what to do, when a variant wants more threads than there are.
    void check_has(int threads) const;

    using Body = void (*)(void* context, int thread);

    /// Runs body(context, t) for t = 0 … threads−1 at once, t = 0 on the caller; returns when all
    /// are done. threads <= size(). Costs one store and a spin a worker while the team is awake.
    void run(int threads, Body body, void* context);

    template <typename F>
    void run(int threads, F&& f) {
        run(
            threads,
            [](void* context, int thread) { (*static_cast<std::remove_reference_t<F>*>(context))(thread); },
            &f);
    }

    /// Wakes every parked worker, so that the next run() finds them spinning.
    void wake();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace rooftune
