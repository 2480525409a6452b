// The threads that plans run on, pinned one to a processing unit.
#pragma once

#include <memory>
#include <vector>

namespace rooftune {

class Team;

/// While workers exist, the thread that made them stays on the first of their processing units: a plan's
/// first share runs on the thread that calls it. Threads that it starts meanwhile inherit that (OpenMP's, at
/// the first parallel region): start them before, or give them their processing units. Workers wait for the
/// next run by spinning for two milliseconds, then sleep. Plans that share workers may be run from several
/// threads; the runs then follow each other.
class Workers {
public:
    /// The first `threads` of the processing units that this process might run on when it started; 0: all.
    /// Throws InputError for more than there are, EnvironmentError when a thread cannot be had or pinned.
    explicit Workers(int threads = 0);
    /// On these processing units (the operating system's numbers), the calling thread on the first: for a
    /// program that shares the machine out itself, as processes of MPI do.
    explicit Workers(const std::vector<int>& cpus);
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    int size() const;

    /// The workers of this number that plans have now, or new ones. They go with the last plan.
    static std::shared_ptr<Workers> shared(int threads = 0);

    /// For plans: the team, and how to have it alone.
    struct Inside;
    Inside& inside() { return *inside_; }

private:
    std::unique_ptr<Inside> inside_;
};

}  // namespace rooftune
