// The thread team, shared by probes, kernels and plans: threads on processing units of their own that wait
// for work by spinning and sleep when none comes. Who supplies them is another matter: arena_threads.h for
// those who measure, own_threads.h for plans in programs of others. See docs/architecture.md, "The team".
#pragma once

#include <memory>
#include <type_traits>
#include <vector>

namespace rooftune {

class Team {
public:
    /// What becomes of the thread that calls, and whose threads there are beside it.
    enum class Caller {
        pinned,  ///< stays on cpus[0] until the team goes, on whatever thread (see PinnedCaller), beside
                 ///< threads of oneTBB's: for measuring
        free,    ///< nobody touches its mask, and the threads are the team's own: for programs of others
    };

    /// One thread on each of `cpus`, the operating system's numbers; one may be named more than once. Any
    /// number of teams may be alive. Throws EnvironmentError when a thread cannot be had or pinned, saying
    /// what limits it, and leaves nothing behind.
    explicit Team(std::vector<int> cpus, Caller caller = Caller::pinned);
    /// So many threads, the free caller among them, each of which may run on any of `cpus`: where others use
    /// these processing units as well.
    static Team anywhere_on(std::vector<int> cpus, int threads);
    ~Team();
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;

    int size() const;  ///< threads, the caller among them
    const std::vector<int>& cpus() const;
    /// Throws EnvironmentError, with what to do, when a variant wants more threads than there are.
    void check_has(int threads) const;

    using Body = void (*)(void* context, int thread);

    /// Throws EnvironmentError in a child of fork(), which has none of the threads, unless there is but one.
    void check_is_here() const;

    /// Runs body(context, t) for t = 0 … threads−1 at once, each t on cpus[t], one of them on the caller;
    /// returns when all are done. threads <= size(). A pinned caller takes t = 0, a free one the t of the
    /// processing unit on which it stands, and 0 where it stands on none of them or threads run anywhere.
    /// Threads of a free team calculate in the caller's mode (MXCSR: rounding, denormals). Costs a store a
    /// thread while the team is awake. To be called by one thread at a time. What `body` throws on the caller
    /// comes out when all are done; on another thread it ends the program (std::terminate). Throws what
    /// check_is_here() throws. Where threads are lent to the caller (lent_threads.h), they run the body, and
    /// what is said here of processing units, modes and children holds no more.
    void run(int threads, Body body, void* context);

    template <typename F>
    void run(int threads, F&& f) {
        run(
            threads,
            [](void* context, int thread) { (*static_cast<std::remove_reference_t<F>*>(context))(thread); },
            &f);
    }

    /// Whether so many threads surely run at the same time, which those that are lent need not.
    static bool runs_at_once(int threads);

    /// Wakes every sleeping thread, so that the next run() finds them spinning.
    void wake();

private:
    struct State;
    explicit Team(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace rooftune
