// The memory that bandwidth and gather probes walk: one region a thread, written at first touch by its
// owner with data that is not zero (some cores drop a zero stored over a zero).
#pragma once

#include <vector>

#include "kernels/runtime/memory.h"
#include "kernels/runtime/team.h"
#include "models/units.h"

namespace rooftune::probe {

class Memory {
public:
    /// Makes the regions large enough for `footprint` distinct bytes over `threads` threads together;
    /// what is there already is kept. Region t is written first, and so placed, by member `owners[t]` of the
    /// team; by thread t itself without owners. Throws std::bad_alloc when the mapping is refused.
    void reserve(Team& team, Pages pages, int threads, Bytes footprint, const std::vector<int>& owners = {});

    /// A thread's region; nullptr before reserve().
    std::byte* region(Pages pages, int thread) const;

private:
    std::vector<Buffer>& regions(Pages pages) { return pages == Pages::huge ? huge_ : small_; }
    const std::vector<Buffer>& regions(Pages pages) const { return pages == Pages::huge ? huge_ : small_; }

    std::vector<Buffer> huge_, small_;
};

/// For each member of a team, by the NUMA node that it runs on, the first member on another node: whose
/// memory is remote to it. Empty where all run on one node.
std::vector<int> remote_owners(const std::vector<int>& nodes);

/// Bytes of a thread's region beyond its share of the footprint: room for the offsets that keep
/// concurrent streams out of each other's cache sets.
inline constexpr std::size_t kRegionSlack = 16384;

}  // namespace rooftune::probe
