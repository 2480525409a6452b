// The processing units of a process that shares a node with others.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace rooftune {

/// One of the processes of a job on this node, counted from 0.
struct LocalRank {
    int rank = 0;
    int processes = 1;
};

/// An environment variable's value; nullptr where it is not set.
using Environment = std::function<const char*(const char*)>;

/// What the launcher says in the environment (Open MPI's, MPICH's and Intel's, MVAPICH's, Slurm's and HPE's
/// words); nullopt where none says both numbers, and where they contradict each other.
std::optional<LocalRank> local_rank(const Environment& environment);

/// Of these processing units the ones that this process of the job takes: as many as all others, one after
/// the other, so that neighbours stay together; what is left over goes to the first ones. With more processes
/// than processing units several have the same one.
std::vector<int> share_of(const std::vector<int>& cpus, LocalRank of);

/// What a process takes where nobody says more.
struct OwnUnits {
    std::vector<int> cpus;  ///< that threads may be on, its own share first
    int threads = 0;        ///< at most as many
    bool anywhere = false;  ///< others run there as well: threads are not bound to one each

    bool operator==(const OwnUnits&) const = default;
};

/// `mask`: the processing units that this process may use, `allowed`: how many the control group leaves to
/// all that are in it. Where a launcher bound nobody, a process has its share; where it bound several
/// together, as many threads as come to each, anywhere; who was bound alone has its mask. Never more threads
/// than `quota` (processor_quota()) has processors, rounded up; where it cuts some off, anywhere, since other
/// groups meet on the same ones.
OwnUnits own_units(const std::vector<int>& mask, int allowed, std::optional<LocalRank> rank,
                   std::optional<double> quota);

}  // namespace rooftune
