// The threads that plans run on, pinned one to a processing unit.
#pragma once

#include <memory>

namespace rooftune {

class Team;

/// While workers exist, the thread that made them stays on the first of their processing units: a plan's
/// first share runs on the thread that calls it. Workers wait for the next run by spinning for two
/// milliseconds, then sleep. Plans that share workers may be run from several threads; the runs then follow
/// each other.
class Workers {
public:
    /// `threads` of the processing units that this process may run on; 0: all of them. Throws InputError for
    /// more than there are, EnvironmentError when a thread cannot be had or pinned.
    explicit Workers(int threads = 0);
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
