// The calling thread on one processing unit, and back where it was.
#pragma once

#include <memory>

#include "kernels/runtime/cpu_mask.h"

namespace rooftune {

/// Pins the calling thread to `cpu`; false when that is refused.
bool pin_to(int cpu);

/// Keeps the thread that makes it on one processing unit while it lives. A thread may have several of these,
/// made and gone in any order, and they may go on any thread. It is where the latest that lives put it; with
/// the last one it gets back the mask that it had before the first, unless it has ended, or the program has
/// given it another mask meanwhile.
class PinnedCaller {
public:
    PinnedCaller();
    ~PinnedCaller();
    PinnedCaller(const PinnedCaller&) = delete;
    PinnedCaller& operator=(const PinnedCaller&) = delete;

    /// To be called once, by the thread that made it; false when that is refused.
    bool pin(int cpu);

    /// The thread's mask when this was made, and the one that it has without pins.
    const CpuMask& mask_now() const { return now_; }
    const CpuMask& mask_of_its_own() const { return own_; }

private:
    struct Thread;
    static std::shared_ptr<Thread> this_thread();
    std::shared_ptr<Thread> thread_;
    CpuMask now_, own_;
    bool pinned_ = false;
};

}  // namespace rooftune
