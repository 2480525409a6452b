// The threads that plans run on, pinned one to a processing unit.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "kernels/runtime/public.h"

namespace rooftune {

class Team;

/// The thread that calls a plan is left where it stands, and its mask as it is: it takes the share of the
/// processing unit that it is on, and the thread of ours that is there sleeps on. With one thread there are
/// none of ours, and plans do not wait for each other. Threads wait for the next run by spinning for two
/// milliseconds, after 50 microseconds with sched_yield(), then sleep. Plans of several threads that share
/// workers may be run from several threads; the runs then follow each other. A child of fork() has no threads
/// of its parent: a plan of the parent's is refused there with an EnvironmentError, unless it has one thread,
/// and a new one works.
class ROOFTUNE_PUBLIC Workers {
public:
    /// The first `threads` of the processing units that this process might run on when it started; 0: all,
    /// but no more than the CPU quota of its control group, rounded up. Where a launcher started several
    /// processes on this node and bound none of them, 0 takes this one's share, and others are taken from it
    /// first; where it bound several to the same processing units, 0 takes as many threads as come to each.
    /// Where others run on the same ones (several processes bound together, a quota) no thread is bound to
    /// one alone. Throws InputError for more than there are, EnvironmentError when a thread cannot be had or
    /// pinned.
    explicit Workers(int threads = 0);
    /// On these processing units (the operating system's numbers): for a program that shares the machine out
    /// itself. Throws InputError where there is none, one twice, or one that this process may not use.
    explicit Workers(const std::vector<int>& cpus) : Workers(cpus.data(), cpus.size()) {}
    Workers(const int* cpus, std::size_t number);
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    int size() const;

    /// The workers of this number that plans have now, or new ones; always new ones where it is 1. They go
    /// with the last plan.
    static std::shared_ptr<Workers> shared(int threads = 0);

    /// For plans: the team, and how to have it alone.
    struct Inside;
    Inside& inside() { return *inside_; }

private:
    std::unique_ptr<Inside> inside_;
};

}  // namespace rooftune
