// A mutex that a child of fork() finds open, whoever of its parent's threads held it.
#pragma once

#include <atomic>
#include <cstdint>

#include "kernels/runtime/forks.h"

namespace rooftune {

/// Lockable, for std::unique_lock. What a thread of the parent held belongs to nobody in a child.
class OneAtATime {
public:
    void lock() {
        const std::uint32_t mine = fork_generation() + 1;
        std::uint32_t holder = 0;
        while (!held_by_.compare_exchange_weak(holder, mine, std::memory_order_acquire)) {
            if (holder != mine) continue;  // what is left of the parent's is taken over
            held_by_.wait(mine, std::memory_order_relaxed);
            holder = 0;
        }
    }
    void unlock() {
        // Before it is asked whether somebody waits, so that nobody is overlooked.
        held_by_.exchange(0, std::memory_order_seq_cst);
        held_by_.notify_one();
    }

private:
    std::atomic<std::uint32_t> held_by_{0};  // generation + 1 of the process; 0: nobody
};

}  // namespace rooftune
