// Where a thread may run, as the operating system's calls have it, on machines of any size: a cpu_set_t ends
// at 1024 processing units.
#pragma once

#include <sched.h>
#include <sys/types.h>

#include <cstddef>
#include <vector>

namespace rooftune {

class CpuMask {
public:
    /// No processing unit.
    CpuMask() = default;
    /// These, by the operating system's numbers; negative ones are left out.
    explicit CpuMask(const std::vector<int>& cpus);

    /// The mask of a thread of any process, 0: of the calling thread. Empty where it cannot be read.
    static CpuMask of_thread(pid_t thread = 0);
    /// Sets a thread's mask; false where that is refused, as an empty one is.
    bool give_to(pid_t thread = 0) const;

    bool empty() const;
    /// Ascending.
    std::vector<int> cpus() const;
    bool operator==(const CpuMask& other) const { return cpus() == other.cpus(); }

    /// For calls of the system that take a set and its size. Not to be asked of an empty mask.
    const cpu_set_t* set() const { return reinterpret_cast<const cpu_set_t*>(words_.data()); }
    std::size_t bytes() const { return words_.size() * sizeof(__cpu_mask); }

private:
    std::vector<__cpu_mask> words_;  // what a set of this size is
};

}  // namespace rooftune
