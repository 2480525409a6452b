// A mutex that a child of fork() finds open, whoever of its parent's threads held it.
#pragma once

#include <atomic>
#include <cstdint>

#include "kernels/runtime/forks.h"

namespace rooftune {

/// Lockable, for std::unique_lock. What a thread of the parent held belongs to nobody in a child. Two atomic
/// operations where nobody waits: std::atomic's notify_one() makes a system call where anybody waits for any
/// word whose address has the same remainder as this one's, as the team's sleeping threads do for words at
/// the beginnings of cache lines (libstdc++ 12: 16 groups), and so cost plans of stencils 0.2 to 0.6
/// microseconds a run.
class OneAtATime {
public:
    void lock() {
        const std::uint32_t mine = fork_generation() + 1;
        std::uint32_t holder = 0;
        if (held_by_.compare_exchange_strong(holder, mine, std::memory_order_acquire)) return;
        for (;;) {
            if ((holder & ~kAwaited) != mine) {
                // Open, or what is left of the parent's. Another thread may wait as this one did.
                if (held_by_.compare_exchange_weak(holder, mine | kAwaited, std::memory_order_acquire))
                    return;
                continue;
            }
            if (holder != (mine | kAwaited) &&
                !held_by_.compare_exchange_weak(holder, mine | kAwaited, std::memory_order_relaxed))
                continue;
            held_by_.wait(mine | kAwaited, std::memory_order_relaxed);
            holder = held_by_.load(std::memory_order_relaxed);
        }
    }
    void unlock() {
        // Before notify_one() asks whether somebody waits, so that nobody is overlooked.
        if ((held_by_.exchange(0, std::memory_order_seq_cst) & kAwaited) != 0) held_by_.notify_one();
    }

private:
    static constexpr std::uint32_t kAwaited = std::uint32_t{1} << 31;  ///< somebody may sleep until it opens
    std::atomic<std::uint32_t> held_by_{0};  ///< generation + 1 of the process; 0: nobody
};

}  // namespace rooftune
